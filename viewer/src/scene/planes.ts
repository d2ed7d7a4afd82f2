/** Half-spaces, as the polygons in which their planes cut the neighbourhood of the scene; floors have a grid. */

import {
  BufferGeometry,
  Color,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  Vector3,
} from "three";
import type { Vec3, Wall } from "../types";

/** How far planes extend beyond the scene, relative to its size. */
const BEYOND = 0.05;

/** Lines of a grid along the longer side, about. */
const LINES = 20;

interface Plane {
  point: Vector3;
  normal: Vector3;
}

export class Planes {
  readonly group = new Group();
  private readonly parts = new Map<number, Group>();
  private readonly lines = new LineBasicMaterial({ transparent: true, depthWrite: false });
  private readonly outline = new LineBasicMaterial({ transparent: true, depthWrite: false });
  private readonly fill = new MeshBasicMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });

  /** Draws the half-spaces among the walls around a box, in coordinates relative to the origin. */
  set(walls: readonly Wall[], min: Vec3, max: Vec3, origin: Vec3, up: Vec3): void {
    this.clear();
    const planes = walls.map((wall) => toPlane(wall, origin));
    const [low, high] = [new Vector3(...min), new Vector3(...max)];
    const size = Math.max(...high.clone().sub(low).toArray());
    const margin = BEYOND * size;
    low.subScalar(margin);
    high.addScalar(margin);

    planes.forEach((plane, number) => {
      if (!plane) return;
      const others = planes.filter((other, i): other is Plane => other !== null && i !== number);
      const polygon = outlineOf(plane, [...boxPlanes(low, high), ...others], 4 * size);
      if (polygon.length < 3) return;
      const isFloor = plane.normal.dot(new Vector3(...up)) > 0.7;
      const part = this.draw(polygon, plane, isFloor, size);
      this.parts.set(number, part);
      this.group.add(part);
    });
  }

  setVisible(number: number, isVisible: boolean): void {
    const part = this.parts.get(number);
    if (part) part.visible = isVisible;
  }

  /** Whether a wall is one of the planes. */
  has(number: number): boolean {
    return this.parts.has(number);
  }

  setTheme(isDark: boolean): void {
    this.lines.color = new Color(isDark ? 0x8fa3b8 : 0x5a6b7e);
    this.lines.opacity = isDark ? 0.2 : 0.22;
    this.outline.color = this.lines.color;
    this.outline.opacity = isDark ? 0.5 : 0.45;
    this.fill.color = new Color(isDark ? 0x9fb4cc : 0x8294a8);
    this.fill.opacity = isDark ? 0.05 : 0.07;
  }

  private draw(polygon: Vector3[], plane: Plane, isFloor: boolean, size: number): Group {
    const part = new Group();
    const edges = polygon.flatMap((corner, i) => [corner, polygon[(i + 1) % polygon.length] as Vector3]);
    part.add(new LineSegments(geometry(edges), this.outline));
    if (isFloor) {
      const grid = gridOf(polygon, plane, size);
      if (grid.length > 0) part.add(new LineSegments(geometry(grid), this.lines));
    }

    const fan: Vector3[] = [];
    for (let i = 1; i + 1 < polygon.length; i++) {
      fan.push(polygon[0] as Vector3, polygon[i] as Vector3, polygon[i + 1] as Vector3);
    }
    const fill = new Mesh(geometry(fan), this.fill);
    // Drawn first, so that bodies on a floor are not hidden by it.
    fill.renderOrder = -10;
    part.add(fill);
    return part;
  }

  private clear(): void {
    for (const part of this.parts.values()) {
      part.traverse((object) => {
        if (object instanceof Mesh || object instanceof LineSegments) object.geometry.dispose();
      });
    }
    this.parts.clear();
    this.group.clear();
  }
}

function toPlane({ point, normal }: Wall, origin: Vec3): Plane | null {
  if (!point || !normal) return null;
  return { point: new Vector3(...point).sub(new Vector3(...origin)), normal: new Vector3(...normal).normalize() };
}

/** The sides of a box, facing inwards. */
function boxPlanes(low: Vector3, high: Vector3): Plane[] {
  return [0, 1, 2].flatMap((axis) => {
    const normal = new Vector3().setComponent(axis, 1);
    return [
      { point: low, normal },
      { point: high, normal: normal.clone().negate() },
    ];
  });
}

/** The part of a plane that lies within all half-spaces: a large square, cut by one after the other. */
function outlineOf(plane: Plane, limits: readonly Plane[], reach: number): Vector3[] {
  const [u, v] = axesOf(plane.normal);
  // The projection of the box's centre, so that the square surrounds the visible bodies.
  const middle = limits[0] && limits[1] ? limits[0].point.clone().add(limits[1].point).multiplyScalar(0.5) : plane.point;
  const foot = middle.clone().addScaledVector(plane.normal, plane.point.clone().sub(middle).dot(plane.normal));
  let polygon = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([a, b]) =>
    foot
      .clone()
      .addScaledVector(u, (a as number) * reach)
      .addScaledVector(v, (b as number) * reach),
  );

  for (const limit of limits) polygon = cut(polygon, limit);
  return polygon;
}

function axesOf(normal: Vector3): [Vector3, Vector3] {
  const helper = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const v = normal.clone().cross(helper).normalize();
  return [v.clone().cross(normal), v];
}

/** Keeps the part of a polygon in front of a plane. */
function cut(polygon: readonly Vector3[], { point, normal }: Plane): Vector3[] {
  const height = (p: Vector3): number => p.clone().sub(point).dot(normal);
  return polygon.flatMap((corner, i) => {
    const next = polygon[(i + 1) % polygon.length] as Vector3;
    const [a, b] = [height(corner), height(next)];
    const crossing = a < 0 !== b < 0 ? [corner.clone().lerp(next, a / (a - b))] : [];
    return a >= 0 ? [corner, ...crossing] : crossing;
  });
}

/** Lines of round spacing across a polygon, in pairs of ends. */
function gridOf(polygon: readonly Vector3[], plane: Plane, size: number): Vector3[] {
  const rough = size / LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const spacing = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const out: Vector3[] = [];

  for (const [along, across] of [axesOf(plane.normal), axesOf(plane.normal).reverse()] as [Vector3, Vector3][]) {
    const places = polygon.map((corner) => corner.dot(across));
    const [low, high] = [Math.min(...places), Math.max(...places)];
    for (let k = Math.ceil(low / spacing); k * spacing <= high; k++) {
      const ends = crossings(polygon, across, k * spacing);
      ends.sort((a, b) => a.dot(along) - b.dot(along));
      const [first, last] = [ends[0], ends.at(-1)];
      if (first && last && first !== last) out.push(first, last);
    }
  }

  return out;
}

function crossings(polygon: readonly Vector3[], across: Vector3, place: number): Vector3[] {
  return polygon.flatMap((corner, i) => {
    const next = polygon[(i + 1) % polygon.length] as Vector3;
    const [a, b] = [corner.dot(across) - place, next.dot(across) - place];
    return a < 0 !== b < 0 ? [corner.clone().lerp(next, a / (a - b))] : [];
  });
}

function geometry(points: readonly Vector3[]): BufferGeometry {
  const made = new BufferGeometry();
  const numbers = points.flatMap((point) => point.toArray());
  made.setAttribute("position", new Float32BufferAttribute(numbers, 3));
  return made;
}
