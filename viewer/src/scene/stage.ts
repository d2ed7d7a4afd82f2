/** The picture: renderer, layers, camera, clip plane, and what is under the cursor. Draws only when something changed. */

import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  NoBlending,
  Plane,
  RawShaderMaterial,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from "three";
import type { Rgb } from "../maps";
import { pointOf } from "../part";
import type { Series, Vec3 } from "../types";
import { OrbitCamera } from "./camera";
import { Layer, SHAPES, type Pick } from "./layer";
import { Planes } from "./planes";
import { sharedUniforms } from "./shading";

/** Pixels around the cursor in which a body is picked. */
const PICK_SIZE = 5;

export interface ClipPlane {
  isOn: boolean;
  axis: 0 | 1 | 2;
  /** Place along the axis, 0 to 1 through the scene. */
  place: number;
  flipped: boolean;
}

/** Whether WebGL runs without a graphics card. Smooth edges then take nearly half of a picture's time. */
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly view = new OrbitCamera();
  readonly planes = new Planes();
  layers: Layer[] = [];
  /** Milliseconds that the last picture took. */
  lastDraw = 0;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly marks = new Group();
  private readonly shared = sharedUniforms();
  private readonly pickTarget = new WebGLRenderTarget(PICK_SIZE, PICK_SIZE);
  private readonly centre = new Vector3();
  private radius = 1;
  private min: Vec3 = [-1, -1, -1];
  private max: Vec3 = [1, 1, 1];
  private clip: ClipPlane = { isOn: false, axis: 1, place: 0.5, flipped: false };
  private isDue = false;
  private onDraw: () => void = () => undefined;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: !isSoftware(), preserveDrawingBuffer: true, alpha: false });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.scene.add(this.planes.group, this.marks);
    // Matrices of bodies never change: coordinates are in the buffers.
    this.scene.matrixAutoUpdate = false;
  }

  /** Calls back after each picture. */
  drawn(callback: () => void): void {
    this.onDraw = callback;
  }

  /** Replaces the layers. */
  setLayers(series: readonly Series[], plain: (series: Series, index: number) => Rgb): void {
    for (const layer of this.layers) {
      this.scene.remove(layer.group);
      layer.dispose();
    }
    this.layers = series.map((one, i) => new Layer(one, i, plain(one, i), this.shared));
    for (const layer of this.layers) this.scene.add(layer.group);
  }

  layer(kind: string): Layer | undefined {
    return this.layers.find((layer) => layer.series.kind === kind);
  }

  /** Sets the box that the first view and the clip plane refer to. */
  setBounds(min: Vec3, max: Vec3): void {
    [this.min, this.max] = [min, max];
    this.centre.set(...min).add(new Vector3(...max)).multiplyScalar(0.5);
    // Stray bodies are still drawn, up to a limit.
    this.radius = Math.max(1e-9, 6 * new Vector3(...max).sub(new Vector3(...min)).length());
  }

  get bounds(): { min: Vec3; max: Vec3 } {
    return { min: this.min, max: this.max };
  }

  get aspect(): number {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  fit(): void {
    this.view.fit(this.min, this.max, this.aspect);
    this.invalidate();
  }

  setClip(clip: ClipPlane): void {
    this.clip = clip;
    this.invalidate();
  }

  setBackground(colour: string): void {
    this.scene.background = new Color(colour);
    this.invalidate();
  }

  /** Follows the size of the canvas's box. */
  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth > 0 && clientHeight > 0) this.renderer.setSize(clientWidth, clientHeight, false);
    this.invalidate();
  }

  /** Schedules a redraw with the next animation frame. */
  invalidate(): void {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      if (this.isDue) this.draw();
    });
  }

  /** Draws now. */
  draw(): void {
    this.isDue = false;
    const start = performance.now();
    this.view.update(this.aspect, this.centre, this.radius);
    this.updateClip();
    this.prepareLayers(this.canvas.clientHeight * this.renderer.getPixelRatio());
    this.renderer.render(this.scene, this.view.camera);
    this.lastDraw = performance.now() - start;
    this.onDraw();
  }

  /** Gets the layers ready for a picture of the given height in device pixels. */
  private prepareLayers(height: number): void {
    const ratio = this.renderer.getPixelRatio();
    const { isOrthographic, camera } = this.view;
    const half = new Vector3(...this.max).sub(new Vector3(...this.min)).multiplyScalar(0.5).length();
    const nearest = Math.max(0, camera.position.distanceTo(this.centre) - half);
    const pixel = (this.pixelSize * (isOrthographic ? 1 : nearest)) / ratio;
    for (const layer of this.layers) layer.prepare(isOrthographic, pixel, 0.5 * height);
  }

  private updateClip(): void {
    const { isOn, axis, place, flipped } = this.clip;
    this.shared.clipping.value = isOn;
    if (!isOn) return;
    const normal = new Vector3().setComponent(axis, flipped ? 1 : -1);
    const at = (this.min[axis] ?? 0) + place * ((this.max[axis] ?? 0) - (this.min[axis] ?? 0));
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, new Vector3().setComponent(axis, at));
    plane.applyMatrix4(this.view.camera.matrixWorldInverse);
    this.shared.clip.value.set(plane.normal.x, plane.normal.y, plane.normal.z, -plane.constant);
  }

  /** Returns the body nearest to a place of the canvas, in CSS pixels. */
  pick(x: number, y: number): Pick | null {
    const ratio = this.renderer.getPixelRatio();
    const [width, height] = [this.canvas.clientWidth * ratio, this.canvas.clientHeight * ratio];
    const half = (PICK_SIZE - 1) / 2;
    const { camera } = this.view;
    this.view.update(this.aspect, this.centre, this.radius);
    this.updateClip();
    this.prepareLayers(PICK_SIZE);
    camera.setViewOffset(width, height, Math.round(x * ratio) - half, Math.round(y * ratio) - half, PICK_SIZE, PICK_SIZE);
    camera.updateProjectionMatrix();

    const pixels = this.drawNumbers();
    camera.clearViewOffset();
    camera.updateProjectionMatrix();
    return this.nearest(pixels, half);
  }

  /** Draws the numbers of the bodies around the cursor instead of their colours. */
  private drawNumbers(): Uint8Array {
    const { background } = this.scene;
    this.scene.background = null;
    this.planes.group.visible = false;
    this.marks.visible = false;
    const blended = this.blendNothing();
    this.layers.forEach((layer) => layer.setPicking(true));
    this.renderer.setRenderTarget(this.pickTarget);
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    this.renderer.render(this.scene, this.view.camera);
    const pixels = new Uint8Array(4 * PICK_SIZE * PICK_SIZE);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, PICK_SIZE, PICK_SIZE, pixels);
    this.renderer.setRenderTarget(null);

    this.layers.forEach((layer) => layer.setPicking(false));
    for (const [material, transparent] of blended) {
      material.transparent = transparent;
      material.depthWrite = !transparent;
      material.blending = 1;
    }
    this.planes.group.visible = true;
    this.marks.visible = true;
    this.scene.background = background;
    return pixels;
  }

  private blendNothing(): [RawShaderMaterial, boolean][] {
    const found: [RawShaderMaterial, boolean][] = [];
    for (const layer of this.layers) {
      layer.group.traverse((object) => {
        const { material } = object as { material?: RawShaderMaterial };
        if (!material) return;
        found.push([material, material.transparent]);
        material.blending = NoBlending;
        material.depthWrite = true;
      });
    }
    return found;
  }

  private nearest(pixels: Uint8Array, half: number): Pick | null {
    let best: { distance: number; pick: Pick } | null = null;
    for (let i = 0; i < pixels.length / 4; i++) {
      const [r, g, b, a] = pixels.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number];
      const index = r + 256 * g + 65536 * b - 1;
      const layer = this.layers[Math.floor((a - 1) / SHAPES.length)];
      const what = SHAPES[(a - 1) % SHAPES.length];
      if (!layer || !what || index < 0) continue;
      const distance = Math.hypot((i % PICK_SIZE) - half, Math.floor(i / PICK_SIZE) - half);
      if (!best || distance < best.distance) best = { distance, pick: { kind: layer.series.kind, what, index } };
    }
    return best?.pick ?? null;
  }

  /** The line of sight through a place of the canvas, in scene coordinates. */
  ray(x: number, y: number): { from: Vector3; along: Vector3 } {
    this.view.update(this.aspect, this.centre, this.radius);
    const device = new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight);
    const { camera } = this.view;
    const near = new Vector3(device.x, device.y, -1).unproject(camera);
    const far = new Vector3(device.x, device.y, 1).unproject(camera);
    return { from: near, along: far.sub(near).normalize() };
  }

  /** The point of a picked body on the line of sight. */
  pointAt(pick: Pick, x: number, y: number): Vec3 | null {
    const part = this.layer(pick.kind)?.part;
    if (!part) return null;
    const { from, along } = this.ray(x, y);
    if (pick.what === "sphere") {
      const centre = new Vector3(...pointOf(part, pick.index));
      const radius = (part.fields.find((field) => field.name === "radius")?.values[pick.index] as number | undefined) ?? 0;
      const b = from.clone().sub(centre).dot(along);
      const foot = from.clone().addScaledVector(along, -b);
      const q = radius * radius - foot.distanceToSquared(centre);
      return foot.addScaledVector(along, -Math.sqrt(Math.max(0, q))).toArray() as Vec3;
    }
    if (pick.what === "triangle" && part.triangles) {
      const [a, b, c] = [0, 1, 2].map((k) => new Vector3(...pointOf(part, part.triangles?.[3 * pick.index + k] ?? 0)));
      const plane = new Plane().setFromCoplanarPoints(a as Vector3, b as Vector3, c as Vector3);
      const t = -(plane.normal.dot(from) + plane.constant) / plane.normal.dot(along);
      return from.clone().addScaledVector(along, t).toArray() as Vec3;
    }
    return null;
  }

  /** Where a point of the scene is on the canvas, in CSS pixels. */
  project(point: Vec3): { x: number; y: number } {
    this.view.update(this.aspect, this.centre, this.radius);
    const device = new Vector3(...point).project(this.view.camera);
    return {
      x: ((device.x + 1) / 2) * this.canvas.clientWidth,
      y: ((1 - device.y) / 2) * this.canvas.clientHeight,
    };
  }

  /** Draws marks, such as a measured distance, over everything. */
  setMarks(lines: readonly [Vec3, Vec3][], colour: string): void {
    this.marks.traverse((object) => {
      if (object instanceof LineSegments) object.geometry.dispose();
    });
    this.marks.clear();
    if (lines.length > 0) {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(lines.flat(2), 3));
      const material = new LineBasicMaterial({ color: colour, depthTest: false, transparent: true });
      const drawn = new LineSegments(geometry, material);
      drawn.renderOrder = 100;
      this.marks.add(drawn);
    }
    this.invalidate();
  }

  /** Size of a pixel: in scene units if orthographic, otherwise at unit distance. */
  get pixelSize(): number {
    const height = Math.max(1, this.canvas.clientHeight);
    const { halfHeight, distance, isOrthographic } = this.view;
    return isOrthographic ? (2 * halfHeight) / height : (2 * halfHeight) / distance / height;
  }
}
