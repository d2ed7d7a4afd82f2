/**
 * Spheres as impostors: one square for each sphere, all in one draw call; the fragment shader intersects the line of
 * sight with the sphere. Exact at every zoom, in perspective and orthographic, and cut flat by the clip plane.
 *
 * Many small spheres are drawn as points instead, with the same fragment shader: one vertex for each, not four.
 */

import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  Points,
  RawShaderMaterial,
  Sphere,
  Vector2,
  Vector3,
} from "three";
import { CLIP, COLOURS, DITHER, LIGHT, PICK, type SharedUniforms } from "./shading";

const VERTEX = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
uniform float scale;
uniform int selected;
#ifdef POINTS
uniform float pixels;
#else
in vec2 corner;
out vec3 place;
#endif
in vec3 centre;
in float radius;
in float value;
flat out vec3 middle;
flat out float size;
flat out float reach;
flat out vec3 colour;
flat out int item;
flat out int isSelected;
${COLOURS}

void main() {
  vec4 view = modelViewMatrix * vec4(centre, 1.0);
  middle = view.xyz;
  size = radius * scale;
#ifdef POINTS
  item = gl_VertexID;
#else
  item = gl_InstanceID;
#endif
  isSelected = int(item == selected);
  colour = colourOf(value);
  reach = size;

#ifdef POINTS
  // A pixel of margin; the square is parallel to the screen, which is near enough for a small sphere.
  gl_Position = projectionMatrix * view;
  float scaled = pixels * projectionMatrix[1][1] / gl_Position.w;
  gl_PointSize = 2.0 * size * scaled + 2.0;
  reach = 0.5 * gl_PointSize / scaled;
#else
  if (isOrthographic) {
    place = middle + vec3(corner * size, 0.0);
  } else {
    // The cone around the sphere meets the plane through its centre in a circle of this radius.
    float away = length(middle);
    vec3 back = -middle / away;
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), back));
    vec3 up = cross(back, right);
    reach = size * away / sqrt(max(away * away - size * size, 0.01 * size * size));
    place = middle + reach * (corner.x * right + corner.y * up);
  }
  gl_Position = projectionMatrix * vec4(place, 1.0);
#endif
  // Coordinates that are no number draw nothing.
  if (!(dot(middle, middle) >= 0.0)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
precision highp float;
precision highp int;
uniform mat4 projectionMatrix;
uniform bool isOrthographic;
uniform float opacity;
#ifndef POINTS
in vec3 place;
#endif
flat in vec3 middle;
flat in float size;
flat in float reach;
flat in vec3 colour;
flat in int item;
flat in int isSelected;
out vec4 result;
${LIGHT}
${CLIP}
${DITHER}
${PICK}

void main() {
#ifdef POINTS
  vec3 place = middle + vec3((2.0 * gl_PointCoord - 1.0) * vec2(reach, -reach), 0.0);
#endif
  vec3 from = isOrthographic ? vec3(place.xy, 0.0) : vec3(0.0);
  vec3 along = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(place);
  vec3 offset = from - middle;
  float b = dot(offset, along);
  // |offset|² − r² loses all digits far away; the distance of the line from the centre does not.
  vec3 nearest = offset - b * along;
  float q = size * size - dot(nearest, nearest);
  if (q < 0.0) discard;
  if (isThinned(opacity)) discard;
  float root = sqrt(q);
  vec3 hit = from + (-b - root) * along;
  vec3 normal = (hit - middle) / size;

  if (isCut(hit)) {
    // The flat cut, if the line of sight meets the plane inside the sphere.
    float fall = dot(clip.xyz, along);
    float t = (clip.w - dot(clip.xyz, from)) / fall;
    if (!(fall < 0.0) || t < -b - root || t > -b + root) discard;
    hit = from + t * along;
    normal = clip.xyz;
  }

  vec4 device = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = 0.5 + 0.5 * device.z / device.w;
  if (picking > 0) {
    result = pickColour(item);
    return;
  }

  float rim = root / size;
  vec3 base = isSelected == 1 ? mix(vec3(1.0, 0.35, 0.1), colour, smoothstep(0.35, 0.6, rim)) : colour;
  result = vec4(lit(base, normal, -along), 1.0);
}
`;

/** Fewer spheres than this are always squares, and larger ones too: points may not be wide, and vanish at the edge. */
const MANY = 20_000;
const SMALL = 12;

export class Spheres {
  readonly mesh: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  private readonly geometry = new InstancedBufferGeometry();
  private readonly points: Points<BufferGeometry, RawShaderMaterial>;
  private largest = 0;
  private capacity = 0;
  private centres = new InstancedBufferAttribute(new Float32Array(0), 3);
  private radii = new InstancedBufferAttribute(new Float32Array(0), 1);
  private colours = new InstancedBufferAttribute(new Float32Array(0), 1);
  count = 0;

  constructor(shared: SharedUniforms) {
    this.geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        ...shared,
        isOrthographic: { value: false },
        scale: { value: 1 },
        opacity: { value: 1 },
        picking: { value: 0 },
        selected: { value: -1 },
        map: { value: null },
        mode: { value: 0 },
        categoryCount: { value: 0 },
        range: { value: new Vector2(0, 1) },
        plain: { value: new Vector3(0.6, 0.6, 0.6) },
        pixels: { value: 1 },
      },
    });
    this.mesh = new Mesh(this.geometry, material);
    const sprites = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      defines: { POINTS: "" },
    });
    // The same uniforms, by reference.
    sprites.uniforms = material.uniforms;
    this.points = new Points(new BufferGeometry(), sprites);
    this.points.geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    this.points.visible = false;
    this.mesh.add(this.points);
    for (const object of [this.mesh, this.points]) object.frustumCulled = false;
  }

  /**
   * Chooses squares or points before a picture: `pixel` is the size of a device pixel at the nearest place of the scene,
   * `pixels` half of the picture's height.
   */
  prepare(isOrthographic: boolean, pixel: number, pixels: number): void {
    const { uniforms } = this.mesh.material;
    const isSmall = this.count > MANY && this.largest < SMALL * pixel;
    // Only visible parts keep their buffers in graphics memory.
    if (isSmall !== this.points.visible) (isSmall ? this.geometry : this.points.geometry).dispose();
    this.points.visible = isSmall;
    this.geometry.instanceCount = this.count;
    if (isSmall) this.mesh.layers.disableAll();
    else this.mesh.layers.enable(0);
    if (uniforms.isOrthographic) uniforms.isOrthographic.value = isOrthographic;
    if (uniforms.pixels) uniforms.pixels.value = pixels;
  }

  /** Takes the spheres of a frame; buffers are reused while they are large enough. */
  set(centres: Float32Array, radii: ArrayLike<number> | number): void {
    this.count = centres.length / 3;
    this.reserve(this.count);
    put(this.centres, centres);
    const array = this.radii.array as Float32Array;
    if (typeof radii === "number") array.fill(radii, 0, this.count);
    else array.set(radii as ArrayLike<number>);
    touch(this.radii, this.count);
    this.largest = 0;
    for (let i = 0; i < this.count; i++) this.largest = Math.max(this.largest, array[i] ?? 0);
    this.twin();
  }

  setValues(values: ArrayLike<number>): void {
    (this.colours.array as Float32Array).set(values);
    touch(this.colours, this.count);
    this.twin();
  }

  /** Hands new data to the points: they have the same arrays, one vertex for each sphere. */
  private twin(): void {
    if (this.count <= MANY) return;
    const { geometry } = this.points;
    const pairs = { centre: this.centres, radius: this.radii, value: this.colours };
    for (const [name, { array, itemSize, version }] of Object.entries(pairs)) {
      let own = geometry.getAttribute(name) as BufferAttribute | undefined;
      if (own?.array !== array) {
        own = new BufferAttribute(array, itemSize).setUsage(DynamicDrawUsage);
        geometry.setAttribute(name, own);
      }
      own.version = version;
    }
    geometry.setDrawRange(0, this.count);
  }

  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.geometry.dispose();
    this.points.geometry.dispose();
    this.capacity = Math.ceil(count * 1.05);
    const attribute = (size: number): InstancedBufferAttribute => {
      const made = new InstancedBufferAttribute(new Float32Array(this.capacity * size), size);
      made.setUsage(DynamicDrawUsage);
      return made;
    };
    [this.centres, this.radii, this.colours] = [attribute(3), attribute(1), attribute(1)];
    this.geometry.setAttribute("centre", this.centres);
    this.geometry.setAttribute("radius", this.radii);
    this.geometry.setAttribute("value", this.colours);
  }

  dispose(): void {
    this.geometry.dispose();
    this.points.geometry.dispose();
    this.mesh.material.dispose();
    this.points.material.dispose();
  }
}

function put(attribute: InstancedBufferAttribute, values: Float32Array): void {
  (attribute.array as Float32Array).set(values);
  touch(attribute, values.length / attribute.itemSize);
}

/** Uploads only the part of a buffer that is in use. */
function touch(attribute: InstancedBufferAttribute, count: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, count * attribute.itemSize);
  attribute.needsUpdate = true;
}
