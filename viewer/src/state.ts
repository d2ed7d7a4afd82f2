/** What one chose to see; it is kept in the address, so that a link shows the same. */

import { MAPS, type MapName } from "./maps";
import type { ClipPlane } from "./scene/stage";
import type { Pose } from "./scene/camera";
import type { Vec3 } from "./types";

export type RangeMode = "run" | "frame" | "fixed";
export type Theme = "light" | "dark";

export interface State {
  time: number | null;
  colour: string;
  map: MapName;
  log: boolean;
  range: RangeMode;
  fixed: [number, number];
  /** Opacity by kind; 0 hides. */
  opacity: Record<string, number>;
  /** Opacity by wall. */
  walls: Record<number, number>;
  contacts: boolean;
  contactsLog: boolean;
  thickness: number;
  clip: ClipPlane;
  curves: string | null;
  theme: Theme;
  speed: number;
  selected: { kind: string; item: number } | null;
  follow: boolean;
  pose: Pose | null;
}

export function defaults(theme: Theme): State {
  return {
    time: null,
    colour: "velocity",
    map: "viridis",
    log: false,
    range: "run",
    fixed: [0, 1],
    opacity: {},
    walls: {},
    contacts: false,
    contactsLog: false,
    thickness: 1,
    clip: { isOn: false, axis: 1, place: 0.5, flipped: false },
    curves: "energy",
    theme,
    speed: 1,
    selected: null,
    follow: false,
    pose: null,
  };
}

const round = (value: number): string => String(Number(value.toPrecision(6)));

/** Writes what differs from the defaults. */
export function encode(state: State): string {
  const base = defaults(state.theme);
  const out = new URLSearchParams();
  const put = (key: string, value: string, standard?: string): void => {
    if (value !== standard) out.set(key, value);
  };

  if (state.time !== null) put("t", round(state.time));
  put("colour", state.colour, base.colour);
  put("map", state.map, base.map);
  if (state.log) put("log", "1");
  if (state.range === "frame") put("range", "frame");
  if (state.range === "fixed") put("range", state.fixed.map(round).join(","));
  put("opacity", pairs(state.opacity), "");
  put("walls", pairs(state.walls), "");
  if (state.contacts) put("contacts", state.contactsLog ? "log" : "1");
  if (state.thickness !== 1) put("thickness", round(state.thickness));
  const { isOn, axis, place, flipped } = state.clip;
  if (isOn) put("clip", `${"xyz"[axis]}${flipped ? "+" : "-"}${round(place)}`);
  put("curves", state.curves ?? "none", base.curves ?? "none");
  put("theme", state.theme);
  if (state.speed !== 1) put("speed", round(state.speed));
  if (state.selected) put("select", `${state.selected.kind}:${state.selected.item}`);
  if (state.follow) put("follow", "1");
  if (state.pose) {
    const { target, distance, azimuth, elevation, orthographic } = state.pose;
    const numbers = [...target, distance, azimuth, elevation].map(round);
    put("camera", `${numbers.join(",")}${orthographic ? ",o" : ""}`);
  }

  return out.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
}

function pairs(values: Record<string | number, number>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}:${round(value)}`)
    .join(",");
}

/** Reads an address; what it does not hold, or holds wrongly, keeps its default. */
export function decode(text: string, theme: Theme): State {
  const from = new URLSearchParams(text);
  const state = defaults(theme);
  const number = (key: string): number | null => {
    const value = Number(from.get(key) ?? NaN);
    return Number.isFinite(value) ? value : null;
  };

  state.time = number("t");
  state.colour = from.get("colour") ?? state.colour;
  state.map = MAPS.find((name) => name === from.get("map")) ?? state.map;
  state.log = from.get("log") === "1";
  const range = from.get("range");
  if (range === "frame") state.range = "frame";
  const [low, high] = (range ?? "").split(",").map(Number);
  if (low !== undefined && high !== undefined && low < high) {
    [state.range, state.fixed] = ["fixed", [low, high]];
  }
  state.opacity = unpaired(from.get("opacity"));
  state.walls = unpaired(from.get("walls"));
  state.contacts = from.has("contacts");
  state.contactsLog = from.get("contacts") === "log";
  state.thickness = number("thickness") ?? 1;
  const clip = /^([xyz])([+-])([\d.e-]+)$/.exec(from.get("clip") ?? "");
  if (clip) {
    const axis = "xyz".indexOf(clip[1] ?? "y") as 0 | 1 | 2;
    state.clip = { isOn: true, axis, place: Number(clip[3]), flipped: clip[2] === "+" };
  }
  const curves = from.get("curves");
  if (curves !== null) state.curves = curves === "none" ? null : curves;
  const asked = from.get("theme");
  if (asked === "light" || asked === "dark") state.theme = asked;
  state.speed = number("speed") ?? 1;
  const [kind, item] = (from.get("select") ?? "").split(":");
  if (kind && item !== undefined && Number.isFinite(Number(item))) state.selected = { kind, item: Number(item) };
  state.follow = from.get("follow") === "1";
  state.pose = readPose(from.get("camera"));
  return state;
}

function unpaired(text: string | null): Record<string, number> {
  const out: Record<string, number> = {};
  for (const pair of (text ?? "").split(",")) {
    const [key, value] = pair.split(":");
    if (key && Number.isFinite(Number(value))) out[key] = Math.min(1, Math.max(0, Number(value)));
  }
  return out;
}

function readPose(text: string | null): Pose | null {
  const words = (text ?? "").split(",");
  const numbers = words.slice(0, 6).map(Number);
  if (numbers.length < 6 || !numbers.every(Number.isFinite) || !((numbers[3] as number) > 0)) return null;
  return {
    target: numbers.slice(0, 3) as Vec3,
    distance: numbers[3] as number,
    azimuth: numbers[4] as number,
    elevation: numbers[5] as number,
    orthographic: words[6] === "o",
  };
}
