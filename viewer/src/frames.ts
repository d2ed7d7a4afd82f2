/**
 * Frames in memory: loaded ahead of the time shown, dropped behind it.
 *
 * The unit is a part, one kind at one time. Parts within the budget are kept nearest to the shown frame first.
 */

import { arraysOf, share, type Numbers, type Part } from "./part";
import type { Source } from "./source";
import type { Manifest, Series } from "./types";

/**
 * Memory for parts, those on their way included. A million spheres with all their fields take some 50 MB a frame; the
 * arrays and buffers that they are drawn from take another 42 MB, and the page must stay below 200 MB.
 */
export const BUDGET = 120e6;

/** Parts loaded ahead while playing. */
const AHEAD = 4;

/** Size of a frame above which fewer are loaded ahead. */
const LARGE = 20e6;

interface Held {
  kind: string;
  index: number;
  part: Part;
}

export class Frames {
  /** Sorted times at which anything was written. */
  times: number[] = [];
  private series = new Map<string, Series>();
  private readonly held = new Map<string, Held>();
  private readonly loading = new Map<string, Promise<Part>>();
  private readonly failed = new Map<string, string>();

  constructor(private readonly source: Source) {}

  /** Takes the series of a new manifest; parts of files that are gone or rewritten are dropped. */
  update(manifest: Manifest): void {
    this.series = new Map(manifest.series.map((series) => [series.kind, series]));
    const times = new Set<number>();
    for (const { role, frames } of manifest.series) {
      if (role !== "walls" || manifest.series.every((one) => one.role === "walls")) {
        for (const { time } of frames) times.add(time);
      }
    }

    const sorted = [...times].sort((a, b) => a - b);
    // A restarted run has other frames under the same names.
    if (this.times.some((time, i) => sorted[i] !== time)) this.clear();
    this.times = sorted;
    this.failed.clear();
  }

  clear(): void {
    this.held.clear();
    this.loading.clear();
    this.failed.clear();
  }

  /** The newest part of a kind that is not later than a time: walls that never move are written once. */
  private indexAt(kind: string, time: number): number {
    const frames = this.series.get(kind)?.frames ?? [];
    let [low, high] = [0, frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((frames[middle]?.time ?? Infinity) <= time) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Path of the file of a kind at a time. */
  path(kind: string, time: number): string | undefined {
    return this.series.get(kind)?.frames[this.indexAt(kind, time)]?.path;
  }

  /** Loads the part of a kind at a time; null if there is none yet. */
  async load(kind: string, time: number): Promise<Part | null> {
    const index = this.indexAt(kind, time);
    const path = this.series.get(kind)?.frames[index]?.path;
    if (path === undefined) return null;
    const held = this.held.get(path);
    if (held) return held.part;
    const failed = this.failed.get(path);
    if (failed !== undefined) throw new Error(failed);

    let loading = this.loading.get(path);
    if (!loading) {
      loading = this.fetch(kind, index, path);
      this.loading.set(path, loading);
    }
    return loading;
  }

  private async fetch(kind: string, index: number, path: string): Promise<Part> {
    try {
      const loaded = await this.source.part(path);
      const part = share(loaded, this.nearest(kind, index));
      if (this.loading.has(path)) this.held.set(path, { kind, index, part });
      return part;
    } catch (error) {
      this.failed.set(path, error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      this.loading.delete(path);
    }
  }

  /** A held part of the same kind, nearest in time. */
  private nearest(kind: string, index: number): Part | undefined {
    let best: Held | undefined;
    for (const held of this.held.values()) {
      const distance = Math.abs(held.index - index);
      if (held.kind === kind && (!best || distance < Math.abs(best.index - index))) best = held;
    }
    return best?.part;
  }

  /** Whether nothing is on its way. */
  get isIdle(): boolean {
    return this.loading.size === 0;
  }

  /** Bytes of all parts held; an array that several share counts once. */
  get bytes(): number {
    return sizeOf(this.holders().keys());
  }

  /** The number of parts that hold each array. */
  private holders(): Map<Numbers, number> {
    const holders = new Map<Numbers, number>();
    for (const { part } of this.held.values()) {
      for (const array of arraysOf(part)) holders.set(array, (holders.get(array) ?? 0) + 1);
    }
    return holders;
  }

  /** Bytes of a part of a kind when it arrives: before it shares anything with others. */
  private arriving(kind: string): number {
    let most = 0;
    for (const held of this.held.values()) if (held.kind === kind) most = Math.max(most, held.part.bytes);
    return most;
  }

  /** Drops what is far from a frame, and loads the frames after it: as many as make sense for their size. */
  focus(frame: number, kinds: readonly string[]): void {
    const sizes = kinds.map((kind) => ({ kind, size: this.arriving(kind) }));
    const count = sizes.reduce((sum, { size }) => sum + size, 0) > LARGE ? 1 : AHEAD;
    const next = this.times.slice(frame + 1, frame + 1 + count);
    let expected = 0;
    for (const { kind, size } of sizes) {
      const paths = new Set(next.map((time) => this.path(kind, time)));
      for (const path of paths) if (path !== undefined && !this.held.has(path)) expected += size;
    }
    this.trim(frame, kinds, BUDGET - expected);
    for (const time of next) {
      for (const kind of kinds) this.load(kind, time).catch(() => undefined);
    }
  }

  /** Drops what is far from a frame until the rest fits; what lies behind goes first. */
  private trim(frame: number, kinds: readonly string[], most: number): void {
    const time = this.times[frame] ?? 0;
    const needed = new Set(kinds.map((kind) => this.path(kind, time)));
    const distance = ({ kind, index }: Held): number => {
      const ahead = index - this.indexAt(kind, time);
      return ahead >= 0 ? ahead : -2 * ahead;
    };
    const droppable = [...this.held].filter(([path]) => !needed.has(path));
    droppable.sort(([, a], [, b]) => distance(b) - distance(a));
    const holders = this.holders();
    let bytes = sizeOf(holders.keys());

    for (const [path, { part }] of droppable) {
      if (bytes <= most) break;
      this.held.delete(path);
      for (const array of arraysOf(part)) {
        const others = (holders.get(array) ?? 0) - 1;
        holders.set(array, others);
        if (others === 0) bytes -= array.byteLength;
      }
    }
  }
}

function sizeOf(arrays: Iterable<Numbers>): number {
  let bytes = 0;
  for (const { byteLength } of arrays) bytes += byteLength;
  return bytes;
}
