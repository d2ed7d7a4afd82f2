/** Parts of shaders that all bodies share: colours from values, light, clip plane, picking. */

import { DataTexture, LinearFilter, RGBAFormat, UnsignedByteType, Vector4, type IUniform } from "three";
import { CATEGORIES, table, type AnyMap } from "../maps";

/** How values become colours; numbers as in the shader. */
export const enum Mode {
  Plain = 0,
  Linear = 1,
  Log = 2,
  Categories = 3,
}

export const COLOURS = /* glsl */ `
uniform sampler2D map;
uniform sampler2D categories;
uniform int mode;
uniform float categoryCount;
uniform vec2 range;
uniform vec3 plain;

vec3 colourOf(float value) {
  if (mode == 0) return plain;
  // No number: grey.
  if (!(value == value) || abs(value) > 3e38) return vec3(0.55);
  if (mode == 3) {
    if (categoryCount <= 8.0) return texelFetch(categories, ivec2(int(mod(value + 0.5, 8.0)), 0), 0).rgb;
    return texture(map, vec2(fract(value * 0.6180339887 + 0.25), 0.5)).rgb;
  }
  float place = mode == 2
    ? (log(max(value, 1e-37)) - log(range.x)) / (log(range.y) - log(range.x))
    : (value - range.x) / (range.y - range.x);
  return texture(map, vec2((clamp(place, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb;
}
`;

export const LIGHT = /* glsl */ `
// One light over the viewer's left shoulder, a weak one from below, and the sky. In linear light.
vec3 lit(vec3 colour, vec3 normal, vec3 toEye) {
  vec3 base = pow(colour, vec3(2.2));
  float key = max(dot(normal, normalize(vec3(-0.35, 0.55, 0.8))), 0.0);
  float fill = max(dot(normal, normalize(vec3(0.6, -0.3, 0.5))), 0.0);
  float sky = 0.5 + 0.5 * normal.y;
  float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 3.0);
  vec3 light = vec3(0.7 * key) + vec3(0.16 * fill) + mix(vec3(0.2, 0.2, 0.22), vec3(0.38, 0.39, 0.41), sky);
  float shine = pow(max(dot(reflect(-normalize(vec3(-0.35, 0.55, 0.8)), normal), toEye), 0.0), 28.0);
  // Dark colours keep a shape: a little light comes back whatever the colour.
  vec3 result = base * light * (1.0 - 0.4 * rim) + vec3(0.05 * shine) + (0.012 + 0.05 * key * key) * vec3(0.9, 0.95, 1.0);
  return pow(clamp(result, 0.0, 1.0), vec3(1.0 / 2.2));
}
`;

export const CLIP = /* glsl */ `
// Points with dot(clip.xyz, p) > clip.w are cut away; view coordinates.
uniform vec4 clip;
uniform bool clipping;
bool isCut(vec3 p) { return clipping && dot(clip.xyz, p) > clip.w; }
`;

export const DITHER = /* glsl */ `
// Screen-door transparency: needs no order of drawing.
bool isThinned(float opacity) {
  if (opacity >= 0.999) return false;
  const mat4 bayer = mat4(0.5, 12.5, 3.5, 15.5, 8.5, 4.5, 11.5, 7.5, 2.5, 14.5, 1.5, 13.5, 10.5, 6.5, 9.5, 5.5);
  ivec2 p = ivec2(gl_FragCoord.xy) & 3;
  return opacity < bayer[p.x][p.y] / 16.0;
}
`;

/** The item under the cursor as a colour: 24 bits of its number from 1, and the layer. */
export const PICK = /* glsl */ `
uniform int picking;
vec4 pickColour(int item) {
  int n = item + 1;
  return vec4(float(n & 255), float((n >> 8) & 255), float((n >> 16) & 255), float(picking)) / 255.0;
}
`;

/** Uniforms that all layers share, by reference. */
export interface SharedUniforms {
  [name: string]: IUniform;
  clip: IUniform<Vector4>;
  clipping: IUniform<boolean>;
  categories: IUniform<DataTexture>;
}

export function sharedUniforms(): SharedUniforms {
  const bytes = new Uint8Array(CATEGORIES.flatMap((colour) => [...colour, 255]));
  const categories = new DataTexture(bytes, CATEGORIES.length, 1, RGBAFormat, UnsignedByteType);
  categories.needsUpdate = true;
  return {
    clip: { value: new Vector4() },
    clipping: { value: false },
    categories: { value: categories },
  };
}

export function mapTexture(name: AnyMap): DataTexture {
  const texture = new DataTexture(table(name), 256, 1, RGBAFormat, UnsignedByteType);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}
