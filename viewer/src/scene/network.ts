/** The contact network: a rod for each contact, as thick as its force, all in one draw call. */

import {
  BufferAttribute,
  DynamicDrawUsage,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  RawShaderMaterial,
  Sphere,
  Vector2,
  Vector3,
} from "three";
import { CLIP, COLOURS, LIGHT, PICK, type SharedUniforms } from "./shading";

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
uniform float thickness;
uniform float pixel;
uniform vec2 widthRange;
in vec2 corner;
in vec3 from;
in vec3 to;
in float value;
out vec3 place;
out float across;
flat out vec3 side;
flat out vec3 colour;
flat out int item;
${COLOURS}

void main() {
  vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz;
  vec3 b = (modelViewMatrix * vec4(to, 1.0)).xyz;
  vec3 middle = 0.5 * (a + b);
  vec3 toEye = isOrthographic ? vec3(0.0, 0.0, 1.0) : -normalize(middle);
  side = cross(b - a, toEye);
  float long_ = length(side);
  side = long_ > 0.0 ? side / long_ : vec3(1.0, 0.0, 0.0);
  float share = widthRange.y > 0.0 ? clamp(value / widthRange.y, 0.0, 1.0) : 1.0;
  // Never thinner than about a pixel.
  float least = pixel * (isOrthographic ? 1.0 : -middle.z);
  float half_ = max(thickness * share, least);
  place = mix(a, b, corner.x) + side * corner.y * half_;
  across = corner.y;
  colour = colourOf(value);
  item = gl_InstanceID;
  gl_Position = projectionMatrix * vec4(place, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
precision highp int;
uniform bool isOrthographic;
uniform float opacity;
in vec3 place;
in float across;
flat in vec3 side;
flat in vec3 colour;
flat in int item;
out vec4 result;
${LIGHT}
${CLIP}
${PICK}

void main() {
  if (isCut(place)) discard;
  if (picking > 0) {
    result = pickColour(item);
    return;
  }
  vec3 toEye = isOrthographic ? vec3(0.0, 0.0, 1.0) : -normalize(place);
  vec3 normal = normalize(side * across + toEye * sqrt(max(1.0 - across * across, 0.0)));
  result = vec4(lit(colour, normal, toEye), 1.0);
}
`;

export class Network {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  private readonly geometry = new InstancedBufferGeometry();
  private capacity = 0;
  private from = new InstancedBufferAttribute(new Float32Array(0), 3);
  private to = new InstancedBufferAttribute(new Float32Array(0), 3);
  private values = new InstancedBufferAttribute(new Float32Array(0), 1);
  count = 0;

  constructor(shared: SharedUniforms) {
    this.geometry.setAttribute("corner", new BufferAttribute(new Float32Array([0, -1, 1, -1, 1, 1, 0, 1]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        ...shared,
        isOrthographic: { value: false },
        thickness: { value: 0.01 },
        pixel: { value: 1e-3 },
        widthRange: { value: new Vector2(0, 1) },
        opacity: { value: 1 },
        picking: { value: 0 },
        map: { value: null },
        mode: { value: 1 },
        categoryCount: { value: 0 },
        range: { value: new Vector2(0, 1) },
        plain: { value: new Vector3(0.8, 0.2, 0.1) },
      },
    });
    material.side = 2;
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

  /** Takes the lines of a frame with a value for each. */
  set(position: Float32Array, lines: Uint32Array, values: ArrayLike<number> | null): void {
    this.count = lines.length / 2;
    this.reserve(this.count);
    const [from, to] = [this.from.array as Float32Array, this.to.array as Float32Array];
    for (let i = 0; i < this.count; i++) {
      const [a, b] = [3 * (lines[2 * i] as number), 3 * (lines[2 * i + 1] as number)];
      for (let k = 0; k < 3; k++) {
        from[3 * i + k] = position[a + k] as number;
        to[3 * i + k] = position[b + k] as number;
      }
    }
    const forces = this.values.array as Float32Array;
    if (values) forces.set(values as ArrayLike<number>);
    else forces.fill(1);
    for (const attribute of [this.from, this.to, this.values]) attribute.needsUpdate = true;
    this.geometry.instanceCount = this.count;
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.geometry.dispose();
    this.capacity = Math.ceil(count * 1.2);
    const attribute = (size: number): InstancedBufferAttribute => {
      const made = new InstancedBufferAttribute(new Float32Array(this.capacity * size), size);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    [this.from, this.to, this.values] = [attribute(3), attribute(3), attribute(1)];
    this.geometry.setAttribute("from", this.from);
    this.geometry.setAttribute("to", this.to);
    this.geometry.setAttribute("value", this.values);
  }

  dispose(): void {
    this.geometry.dispose();
    this.mesh.material.dispose();
  }
}
