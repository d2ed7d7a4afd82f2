/** A layer: what draws one series, and how it is coloured. */

import { Group, type DataTexture, type RawShaderMaterial, type Vector2, type Vector3 } from "three";
import { itemField, values } from "../fields";
import { fieldOf, type Part } from "../part";
import type { Rgb } from "../maps";
import type { Series } from "../types";
import { Network } from "./network";
import { Mode, type SharedUniforms } from "./shading";
import { Spheres } from "./spheres";
import { Surfaces } from "./surfaces";

/** How values of the chosen field become colours. */
export interface Colouring {
  key: string;
  mode: Mode;
  range: [number, number];
  categoryCount: number;
  map: DataTexture;
  /** Values computed by the page, by kind, for keys that frames do not carry. */
  derived: ReadonlyMap<string, ArrayLike<number>>;
}

/** What is under the cursor. */
export interface Pick {
  kind: string;
  /** Sphere, triangle or line. */
  what: "sphere" | "triangle" | "line";
  index: number;
}

export const SHAPES: readonly Pick["what"][] = ["sphere", "triangle", "line"];

export class Layer {
  readonly group = new Group();
  private readonly spheres: Spheres;
  private readonly surfaces: Surfaces;
  private readonly network: Network;
  part: Part | null = null;
  opacity = 1;

  constructor(
    readonly series: Series,
    private readonly number: number,
    plain: Rgb,
    shared: SharedUniforms,
  ) {
    this.spheres = new Spheres(shared);
    this.surfaces = new Surfaces(shared);
    this.network = new Network(shared);
    for (const { mesh } of [this.spheres, this.surfaces, this.network]) {
      mesh.visible = false;
      const uniform = mesh.material.uniforms.plain;
      if (uniform) (uniform.value as Vector3).set(plain[0] / 255, plain[1] / 255, plain[2] / 255);
      this.group.add(mesh);
    }
    const marks = this.surfaces.mesh.material.uniforms.marksBack;
    if (marks) marks.value = series.kind === "mesh";
  }

  /** Takes the part of a frame; null hides the layer. */
  set(part: Part | null, pointRadius: number): void {
    this.part = part;
    this.spheres.mesh.visible = !!part && part.vertices && part.points > 0;
    this.surfaces.mesh.visible = !!part?.triangles && part.triangles.length > 0;
    this.network.mesh.visible = !!part?.lines && part.lines.length > 0;
    if (!part) return;

    if (this.spheres.mesh.visible) {
      this.spheres.set(part.position, fieldOf(part, "radius")?.values ?? pointRadius);
    }
    if (part.triangles && this.surfaces.mesh.visible) {
      const items = itemField(part);
      this.surfaces.set(part.position, part.triangles, items?.on === "triangles" ? items.values : null);
    }
    if (part.lines && this.network.mesh.visible) {
      this.network.set(part.position, part.lines, fieldOf(part, "force", "lines")?.values ?? null);
    }
  }

  /** Colours spheres and surfaces by a field, or plainly if the part has no such field. */
  colour(colouring: Colouring, up: number): void {
    const { part } = this;
    if (!part) return;
    const derived = colouring.derived.get(this.series.kind);
    const found = derived ? this.spread(part, derived) : values(part, colouring.key, up, this.number);
    // Walls are coloured only by their own number.
    const isStage = this.series.role === "walls" && colouring.key !== "wall";
    const usable = isStage ? null : found;

    if (part.vertices && usable?.on === "points") this.spheres.setValues(usable.values);
    if (part.triangles && usable && usable.on !== "lines") {
      this.surfaces.setValues(usable.values, usable.on, part.triangles);
    }
    const onSpheres = usable?.on === "points";
    this.apply(this.spheres.mesh.material, colouring, onSpheres ? colouring.mode : Mode.Plain);
    this.apply(this.surfaces.mesh.material, colouring, usable ? colouring.mode : Mode.Plain);
    if (this.series.role !== "contacts") this.apply(this.network.mesh.material, colouring, Mode.Plain);
  }

  /** Gets ready for a picture; see Spheres.prepare. */
  prepare(isOrthographic: boolean, pixel: number, pixels: number): void {
    this.spheres.prepare(isOrthographic, pixel, pixels);
  }

  /** Spreads values by object over the points or triangles. */
  private spread(part: Part, derived: ArrayLike<number>): { on: "points" | "triangles"; values: ArrayLike<number> } {
    if (part.vertices) return { on: "points", values: derived };
    const items = itemField(part);
    const out = new Float32Array((part.triangles?.length ?? 0) / 3);
    for (let i = 0; i < out.length; i++) out[i] = derived[items?.values[i] ?? 0] ?? 0;
    return { on: "triangles", values: out };
  }

  private apply(material: RawShaderMaterial, colouring: Colouring, mode: Mode): void {
    const { uniforms } = material;
    (uniforms.range?.value as Vector2).set(...colouring.range);
    if (uniforms.mode) uniforms.mode.value = mode;
    if (uniforms.map) uniforms.map.value = colouring.map;
    if (uniforms.categoryCount) uniforms.categoryCount.value = colouring.categoryCount;
  }

  /** Colours and thickness of the lines: full thickness at the end of the range. */
  setLines(colouring: LineColouring, thickness: number, pixel: number): void {
    const { uniforms } = this.network.mesh.material;
    (uniforms.range?.value as Vector2).set(...colouring.range);
    (uniforms.widthRange?.value as Vector2).set(...colouring.range);
    if (uniforms.mode) uniforms.mode.value = colouring.mode;
    if (uniforms.map) uniforms.map.value = colouring.map;
    if (uniforms.thickness) uniforms.thickness.value = thickness;
    if (uniforms.pixel) uniforms.pixel.value = pixel;
  }

  setOpacity(opacity: number): void {
    this.opacity = opacity;
    this.group.visible = opacity > 0;
    for (const { mesh } of [this.spheres, this.surfaces, this.network]) {
      const uniform = mesh.material.uniforms.opacity;
      if (uniform) uniform.value = opacity;
    }
    this.surfaces.setBlended(opacity < 0.999 || this.isPatchy);
  }

  private isPatchy = false;

  /** Opacity of each wall. */
  setItemOpacities(values: readonly number[]): void {
    this.isPatchy = values.some((value) => value < 0.999 && value > 0);
    this.surfaces.setOpacities(values);
    this.setOpacity(this.opacity);
  }

  /** Draws numbers instead of colours, each kind of shape with its own code from 1; see SHAPES. */
  setPicking(isOn: boolean): void {
    [this.spheres, this.surfaces, this.network].forEach(({ mesh }, i) => {
      const uniform = mesh.material.uniforms.picking;
      if (uniform) uniform.value = isOn ? 1 + SHAPES.length * this.number + i : 0;
    });
  }

  /** Marks a sphere, or a range of triangles. */
  select(sphere: number, triangles: [number, number]): void {
    const uniform = this.spheres.mesh.material.uniforms.selected;
    if (uniform) uniform.value = sphere;
    (this.surfaces.mesh.material.uniforms.selected?.value as Vector2).set(...triangles);
  }

  dispose(): void {
    for (const drawn of [this.spheres, this.surfaces, this.network]) drawn.dispose();
  }
}

/** Colouring of lines. */
export interface LineColouring {
  mode: Mode;
  range: [number, number];
  map: DataTexture;
}
