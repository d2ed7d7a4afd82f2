/** What the command sends to the page about a run or another result. */

export type Vec3 = [number, number, number];

/** Everything about a run except its frames. */
export interface Manifest {
  /** Version of this format; see FORMAT. */
  format: number;
  /** Version of the program that serves the page. */
  program: string;
  /** Version of the program that wrote the run, if known. */
  written_by: string | null;
  title: string;
  state: "computing" | "stopped" | "finished" | "still";
  /** Reason why there is nothing to show, for the reader. */
  problem: string | null;
  /** Remarks, such as frames that were left out. */
  notes: string[];
  dimension: 2 | 3;
  /** Subtracted from all coordinates, so that 32 bits resolve them. */
  origin: Vec3;
  /** The box that the first view shows: a far runaway does not count. */
  bounds: { min: Vec3; max: Vec3 } | null;
  gravity: Vec3 | null;
  duration: number | null;
  series: Series[];
  /** Ranges of the fields over a sample of the frames, without outliers. */
  ranges: Record<string, [number, number]>;
  walls: Wall[];
  materials: string[];
  /** The table of energies and counts. */
  history: { path: string; bytes: number } | null;
  events: TimelineEvent[];
}

/** One kind of object over time. */
export interface Series {
  kind: string;
  label: string;
  role: "matter" | "walls" | "contacts" | "marks";
  frames: { time: number; path: string }[];
}

/** A wall by its number; half-spaces have a point and a normal. */
export interface Wall {
  name: string;
  point?: Vec3;
  normal?: Vec3;
}

export interface TimelineEvent {
  time: number;
  text: string;
}

export const FORMAT = 1;
