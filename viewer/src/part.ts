/**
 * Decodes a part: one kind of object at one time.
 *
 * A part is a header and typed arrays. From the server it is one file: "IMPV", the length of the header as a 32-bit
 * integer, the header as JSON, the arrays. In a self-contained page the arrays lie apart, because frames share them.
 */

import type { Vec3 } from "./types";

export interface ArrayInfo {
  type: "f32" | "u32" | "i32" | "u16";
  /** Numbers in the array. */
  length: number;
  /** Offset in bytes behind the header, or the number of a shared array. */
  at: number;
  /** For u16: value = low + step · number, by component. */
  low?: number[];
  step?: number[];
}

export interface FieldInfo {
  name: string;
  on: "points" | "triangles" | "lines";
  components: number;
  /** Whole numbers: names or counts, not measurements. */
  whole: boolean;
  array: number;
}

export interface PartHeader {
  points: number;
  arrays: ArrayInfo[];
  position: number;
  triangles: number | null;
  lines: number | null;
  /** Whether the points are drawn: as spheres if there is a radius. */
  vertices: boolean;
  fields: FieldInfo[];
}

export type Numbers = Float32Array | Uint32Array | Int32Array;

export interface Field {
  name: string;
  on: FieldInfo["on"];
  components: number;
  whole: boolean;
  values: Numbers;
}

/** One kind of object at one time. Coordinates are relative to the manifest's origin. */
export interface Part {
  points: number;
  position: Float32Array;
  triangles: Uint32Array | null;
  lines: Uint32Array | null;
  vertices: boolean;
  fields: Field[];
  /** Size in memory. */
  bytes: number;
}

const MAGIC = 0x56504d49; // "IMPV", little-endian

/** Decodes a file from the server. */
export function decode(file: ArrayBuffer): Part {
  const view = new DataView(file);
  if (file.byteLength < 8 || view.getUint32(0, true) !== MAGIC) {
    throw new Error("the server sent something that is not a frame");
  }

  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 8, length))) as PartHeader;
  return assemble(header, (info) => typed(info, file, 8 + length + info.at));
}

/** Builds a part from its header, given its arrays. */
export function assemble(header: PartHeader, array: (info: ArrayInfo) => Numbers): Part {
  const arrays = header.arrays.map(array);
  const of = (index: number): Numbers => {
    const found = arrays[index];
    if (!found) throw new Error(`a frame refers to array ${index}, which it does not have`);
    return found;
  };
  const maybe = (index: number | null): Uint32Array | null =>
    index === null ? null : (of(index) as Uint32Array);

  return {
    points: header.points,
    position: of(header.position) as Float32Array,
    triangles: maybe(header.triangles),
    lines: maybe(header.lines),
    vertices: header.vertices,
    fields: header.fields.map(({ array: index, ...field }) => ({ ...field, values: of(index) })),
    bytes: arrays.reduce((sum, one) => sum + one.byteLength, 0),
  };
}

/** Reads an array from bytes. The offset is a multiple of 4. */
export function typed(info: ArrayInfo, bytes: ArrayBuffer, offset: number): Numbers {
  switch (info.type) {
    case "f32":
      return new Float32Array(bytes, offset, info.length);
    case "u32":
      return new Uint32Array(bytes, offset, info.length);
    case "i32":
      return new Int32Array(bytes, offset, info.length);
    case "u16":
      return dequantised(info, new Uint16Array(bytes, offset, info.length));
  }
}

function dequantised(info: ArrayInfo, numbers: Uint16Array): Float32Array {
  const low = info.low ?? [0];
  const step = info.step ?? [1];
  const components = low.length;
  const values = new Float32Array(numbers.length);
  for (let c = 0; c < components; c++) {
    const [l, s] = [low[c] ?? 0, step[c] ?? 0];
    for (let i = c; i < numbers.length; i += components) values[i] = l + s * (numbers[i] ?? 0);
  }

  return values;
}

/** Size of a part on its own, without the arrays that it shares with another. */
export function bytesBeyond(part: Part, other: Part | undefined): number {
  if (!other) return part.bytes;
  const held = new Set<Numbers>([other.position, ...other.fields.map((field) => field.values)]);
  if (other.triangles) held.add(other.triangles);
  if (other.lines) held.add(other.lines);
  const all: Numbers[] = [part.position, ...part.fields.map((field) => field.values)];
  if (part.triangles) all.push(part.triangles);
  if (part.lines) all.push(part.lines);

  return all.reduce((sum, array) => sum + (held.has(array) ? 0 : array.byteLength), 0);
}

/** Replaces arrays that are equal to those of another part: ids, radii and triangles rarely change. */
export function share(part: Part, other: Part | undefined): Part {
  if (!other) return part;
  const same = <T extends Numbers>(mine: T, theirs: Numbers | null | undefined): T =>
    theirs && theirs.constructor === mine.constructor && equal(mine, theirs) ? (theirs as T) : mine;
  const fields = part.fields.map((field) => {
    const twin = other.fields.find((one) => one.name === field.name && one.on === field.on);
    return { ...field, values: same(field.values, twin?.values) };
  });

  // Views keep the whole file in memory: copy arrays that differ when others are shared.
  const shared = fields.some((field, i) => field.values !== part.fields[i]?.values);
  const triangles = part.triangles && same(part.triangles, other.triangles);
  if (!shared && triangles === part.triangles) return part;
  const own = <T extends Numbers>(array: T, before: Numbers | null): T =>
    array === before && array.byteLength < array.buffer.byteLength ? (array.slice() as T) : array;

  return {
    ...part,
    position: own(part.position, part.position),
    triangles: triangles && own(triangles, part.triangles),
    lines: part.lines && own(part.lines, part.lines),
    fields: fields.map((field, i) => ({
      ...field,
      values: own(field.values, part.fields[i]?.values ?? null),
    })),
  };
}

function equal(a: Numbers, b: Numbers): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A point of a part in the scene's coordinates. */
export function pointOf(part: Part, index: number): Vec3 {
  const at = 3 * index;
  return [part.position[at] ?? NaN, part.position[at + 1] ?? NaN, part.position[at + 2] ?? NaN];
}

export function fieldOf(part: Part, name: string, on?: FieldInfo["on"]): Field | undefined {
  return part.fields.find((field) => field.name === name && (on === undefined || field.on === on));
}
