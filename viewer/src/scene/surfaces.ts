/**
 * Triangles: rigid bodies, solids, walls, meshes. One draw call for each kind.
 *
 * Corners are not shared, because values may belong to triangles. Flat shading by screen-space derivatives.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  DynamicDrawUsage,
  GLSL3,
  Mesh,
  RawShaderMaterial,
  RedFormat,
  Sphere,
  UnsignedByteType,
  Vector2,
  Vector3,
} from "three";
import { CLIP, COLOURS, DITHER, LIGHT, PICK, type SharedUniforms } from "./shading";

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform sampler2D itemOpacity;
uniform int itemCount;
in vec3 position;
in float value;
in float item;
out vec3 place;
out float shade;
flat out float cover;
flat out int number;

void main() {
  vec4 view = modelViewMatrix * vec4(position, 1.0);
  place = view.xyz;
  shade = value;
  number = gl_VertexID / 3;
  int index = int(item);
  cover = index < itemCount ? texelFetch(itemOpacity, ivec2(index, 0), 0).r : 1.0;
  gl_Position = projectionMatrix * view;
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
precision highp int;
uniform bool isOrthographic;
uniform bool isBlended;
uniform bool marksBack;
uniform float opacity;
uniform ivec2 selected;
in vec3 place;
in float shade;
flat in float cover;
flat in int number;
out vec4 result;
${COLOURS}
${LIGHT}
${CLIP}
${DITHER}
${PICK}

void main() {
  float seen = opacity * cover;
  if (isCut(place) || seen < 0.004) discard;
  if (picking > 0) {
    // What one can look through, one can click through.
    if (seen < 0.5) discard;
    result = pickColour(number);
    return;
  }
  if (!isBlended && isThinned(seen)) discard;

  vec3 toEye = isOrthographic ? vec3(0.0, 0.0, 1.0) : -normalize(place);
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  if (dot(normal, toEye) < 0.0) normal = -normal;
  vec3 base = colourOf(shade);
  // The inside of a surface is darker, or marked where that matters.
  if (!gl_FrontFacing) base = marksBack ? vec3(0.85, 0.25, 0.45) : base * 0.72;
  if (number >= selected.x && number < selected.y) base = mix(base, vec3(1.0, 0.35, 0.1), 0.75);
  // As glass does, a wall hides more where it is seen at a slant.
  float slant = 1.0 - abs(dot(normal, toEye));
  result = vec4(lit(base, normal, toEye), isBlended ? min(1.0, seen * (0.7 + 1.6 * slant * slant)) : 1.0);
}
`;

/** Widest texture that every WebGL 2 has. */
const MOST_ITEMS = 2048;

export class Surfaces {
  readonly mesh: Mesh<BufferGeometry, RawShaderMaterial>;
  private readonly geometry = new BufferGeometry();
  private corners = new BufferAttribute(new Float32Array(0), 3);
  private colours = new BufferAttribute(new Float32Array(0), 1);
  private items = new BufferAttribute(new Float32Array(0), 1);
  private capacity = 0;
  count = 0;

  constructor(shared: SharedUniforms) {
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: DoubleSide,
      forceSinglePass: true,
      uniforms: {
        ...shared,
        isOrthographic: { value: false },
        isBlended: { value: false },
        marksBack: { value: false },
        opacity: { value: 1 },
        picking: { value: 0 },
        selected: { value: new Vector2(-1, -1) },
        itemOpacity: { value: opacities([]) },
        itemCount: { value: 0 },
        map: { value: null },
        mode: { value: 0 },
        categoryCount: { value: 0 },
        range: { value: new Vector2(0, 1) },
        plain: { value: new Vector3(0.6, 0.6, 0.6) },
      },
    });
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = (_renderer, _scene, camera) => {
      const value = "isOrthographicCamera" in camera;
      const uniform = material.uniforms.isOrthographic;
      if (uniform && uniform.value !== value) {
        uniform.value = value;
        material.uniformsNeedUpdate = true;
      }
    };
  }

  /** Takes the triangles of a frame and the number of the object of each. */
  set(position: Float32Array, triangles: Uint32Array, items: ArrayLike<number> | null): void {
    this.count = triangles.length;
    this.reserve(this.count);
    const [corners, numbers] = [this.corners.array as Float32Array, this.items.array as Float32Array];
    for (let i = 0; i < triangles.length; i++) {
      const node = 3 * (triangles[i] as number);
      corners[3 * i] = position[node] as number;
      corners[3 * i + 1] = position[node + 1] as number;
      corners[3 * i + 2] = position[node + 2] as number;
    }
    if (items) for (let i = 0; i < triangles.length; i++) numbers[i] = items[(i / 3) | 0] as number;
    else numbers.fill(0);

    this.corners.needsUpdate = true;
    this.items.needsUpdate = true;
    this.geometry.setDrawRange(0, this.count);
  }

  /** Takes a value for each point or each triangle. */
  setValues(values: ArrayLike<number>, on: "points" | "triangles", triangles: Uint32Array): void {
    const colours = this.colours.array as Float32Array;
    for (let i = 0; i < triangles.length; i++) {
      colours[i] = values[on === "points" ? (triangles[i] as number) : (i / 3) | 0] as number;
    }
    this.colours.needsUpdate = true;
  }

  /** Opacity of each object on its own. */
  setOpacities(values: readonly number[]): void {
    const { itemOpacity, itemCount } = this.mesh.material.uniforms;
    if (!itemOpacity || !itemCount) return;
    (itemOpacity.value as DataTexture).dispose();
    itemOpacity.value = opacities(values.slice(0, MOST_ITEMS));
    itemCount.value = Math.min(values.length, MOST_ITEMS);
  }

  /** Blends with what lies behind, instead of leaving out pixels. */
  setBlended(isBlended: boolean): void {
    const { material } = this.mesh;
    const uniform = material.uniforms.isBlended;
    if (uniform) uniform.value = isBlended;
    material.transparent = isBlended;
    material.depthWrite = !isBlended;
    this.mesh.renderOrder = isBlended ? 10 : 0;
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.geometry.dispose();
    this.capacity = count;
    const attribute = (size: number): BufferAttribute =>
      new BufferAttribute(new Float32Array(count * size), size).setUsage(DynamicDrawUsage);
    [this.corners, this.colours, this.items] = [attribute(3), attribute(1), attribute(1)];
    this.geometry.setAttribute("position", this.corners);
    this.geometry.setAttribute("value", this.colours);
    this.geometry.setAttribute("item", this.items);
  }

  dispose(): void {
    this.geometry.dispose();
    this.mesh.material.dispose();
  }
}

function opacities(values: readonly number[]): DataTexture {
  const bytes = new Uint8Array(Math.max(1, values.length));
  values.forEach((value, i) => (bytes[i] = Math.round(255 * value)));
  if (values.length === 0) bytes[0] = 255;
  const texture = new DataTexture(bytes, bytes.length, 1, RedFormat, UnsignedByteType);
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}
