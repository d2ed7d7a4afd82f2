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
  /** Size in memory, before it shares anything with another. */
  bytes: number;
}

const MAGIC = 0x56504d49; // "IMPV", little-endian

/**
 * Reads a file from the server as it arrives, each array into memory of its own: views of one buffer would keep all of
 * it for as long as another frame shares one of them.
 */
export async function read(body: ReadableStream<Uint8Array>): Promise<Part> {
  const file = new Arriving(body.getReader());
  const start = new DataView(await file.take(8));
  if (start.getUint32(0, true) !== MAGIC) throw new Error("the server sent something that is not a frame");
  const header = JSON.parse(new TextDecoder().decode(await file.take(start.getUint32(4, true)))) as PartHeader;
  const arrays = new Map<ArrayInfo, Numbers>();
  for (const info of header.arrays) arrays.set(info, typed(info, await file.take(paddedSize(info)), 0));
  return assemble(header, (info) => arrays.get(info) as Numbers);
}

/** Bytes of an array in a file: arrays begin at multiples of four. */
function paddedSize({ type, length }: ArrayInfo): number {
  return type === "u16" ? 4 * Math.ceil(length / 2) : 4 * length;
}

/** Bytes on their way. */
class Arriving {
  private piece: Uint8Array = new Uint8Array(0);

  constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {}

  /** The next bytes, in memory of their own. */
  async take(count: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      if (this.piece.length === 0) {
        const { done, value } = await this.reader.read();
        if (done) throw new Error("the server's answer ends in the middle of a frame");
        this.piece = value;
      }
      const here = this.piece.subarray(0, count - filled);
      bytes.set(here, filled);
      filled += here.length;
      this.piece = this.piece.subarray(here.length);
    }
    return bytes.buffer;
  }
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

/** All arrays of a part. */
export function arraysOf({ position, triangles, lines, fields }: Part): Numbers[] {
  const all: Numbers[] = [position, ...fields.map(({ values }) => values)];
  if (triangles) all.push(triangles);
  if (lines) all.push(lines);
  return all;
}

/** Replaces arrays that are equal to those of another part: ids, radii and triangles rarely change. */
export function share(part: Part, other: Part | undefined): Part {
  if (!other) return part;
  const same = <T extends Numbers>(mine: T, theirs: Numbers | null | undefined): T =>
    theirs && theirs.constructor === mine.constructor && equal(mine, theirs) ? (theirs as T) : mine;

  return {
    ...part,
    position: same(part.position, other.position),
    triangles: part.triangles && same(part.triangles, other.triangles),
    lines: part.lines && same(part.lines, other.lines),
    fields: part.fields.map((field) => {
      const twin = other.fields.find((one) => one.name === field.name && one.on === field.on);
      return { ...field, values: same(field.values, twin?.values) };
    }),
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
