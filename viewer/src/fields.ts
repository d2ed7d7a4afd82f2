/** Fields that one can colour by: what the frames carry, and what follows from it. */

import { fieldOf, type Field, type Part } from "./part";

/** A choice in the list of fields. */
export interface Choice {
  key: string;
  label: string;
  unit: string;
  /** Whether values are names without an order. */
  categories: boolean;
}

const UNITS: Record<string, string> = {
  speed: "m/s",
  velocity: "m/s",
  spin: "rad/s",
  radius: "m",
  force: "N",
  depth: "m",
  gap: "m",
  von_mises: "Pa",
  stress: "Pa",
  pressure: "Pa",
  displacement: "m",
  height: "m",
};

/** Names that are not the field's own with spaces. */
const NAMES: Record<string, string> = { von_mises: "von Mises stress" };

const CATEGORIES = new Set(["kind", "material", "id", "body", "solid", "wall", "position", "problem", "side", "part", "touched", "status"]);

const AXES = ["x", "y", "z"];
/** Components of a symmetric tensor, in the order of the frames. */
export const STRESS = ["xx", "yy", "zz", "xy", "yz", "xz"];

/** The fields that the parts carry or that can be derived, in the order of the list. */
export function choices(parts: readonly Part[], hasContacts: boolean): Choice[] {
  const found = new Map<string, Choice>();
  const add = (key: string, name: string, label: string, categories = false): void => {
    if (!found.has(key)) found.set(key, { key, label, unit: UNITS[name] ?? "", categories });
  };

  add("none", "none", "nothing: plain", true);
  add("kind", "kind", "kind", true);
  for (const { name, components, whole } of parts.flatMap((part) => part.fields)) {
    if (components === 1) add(name, name, spoken(name), whole && CATEGORIES.has(name));
    else if (components <= 3) add(name, name, name === "velocity" ? "speed" : `${spoken(name)}, magnitude`);
  }
  for (const { name, components } of parts.flatMap((part) => part.fields)) {
    const suffixes = components === 6 ? STRESS : components === 3 ? AXES : components === 2 ? ["x", "y"] : [];
    suffixes.forEach((suffix, i) => add(`${name}:${i}`, name, `${spoken(name)} ${suffix}`));
  }
  add("height", "height", "height");
  if (hasContacts) {
    add("#contacts", "", "number of contacts");
    add("#force", "force", "force of its contacts");
  }

  return [...found.values()];
}

export function spoken(name: string): string {
  return NAMES[name] ?? name.replaceAll("_", " ");
}

/** Unit of a field, or "". */
export function unitOf(name: string): string {
  return UNITS[name] ?? "";
}

/** Values to colour a part by, one for each point or triangle; null if it has no such field. */
export function values(part: Part, key: string, up: number, kind: number): { on: Field["on"]; values: ArrayLike<number> } | null {
  if (key === "kind") return { on: "points", values: new Float32Array(part.points).fill(kind) };
  if (key === "height") {
    const heights = new Float32Array(part.points);
    for (let i = 0; i < part.points; i++) heights[i] = part.position[3 * i + up] ?? 0;
    return { on: "points", values: heights };
  }

  const [name, component] = key.split(":") as [string, string | undefined];
  const field = fieldOf(part, name);
  if (!field) return null;
  if (component !== undefined) return { on: field.on, values: strided(field, Number(component)) };
  return { on: field.on, values: field.components === 1 ? field.values : magnitudes(field) };
}

function strided({ values, components }: Field, component: number): Float32Array {
  const out = new Float32Array(values.length / components);
  for (let i = 0; i < out.length; i++) out[i] = values[i * components + component] ?? NaN;
  return out;
}

export function magnitudes({ values, components }: Field): Float32Array {
  const out = new Float32Array(values.length / components);
  for (let i = 0; i < out.length; i++) {
    let sum = 0;
    for (let c = 0; c < components; c++) sum += (values[i * components + c] ?? NaN) ** 2;
    out[i] = Math.sqrt(sum);
  }
  return out;
}

/** The field that says which object a point or triangle belongs to. */
export function itemField(part: Part): Field | undefined {
  const names = ["id", "body", "solid", "wall", "side", "part"];
  return names.map((name) => fieldOf(part, name)).find((field) => field !== undefined);
}

/** Number of objects in a part: points, or neighbouring triangles of one number; null if they have no numbers. */
export function itemCount(part: Part): number | null {
  if (part.vertices) return part.points;
  const field = itemField(part);
  if (!field) return null;
  let count = 0;
  for (let i = 0; i < field.values.length; i++) if (i === 0 || field.values[i] !== field.values[i - 1]) count++;
  return count;
}

/** Smallest and largest finite value, or null if there is none. */
export function rangeOf(values: ArrayLike<number>): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < low) low = value;
    if (value > high && value < Infinity) high = value;
  }
  return low <= high ? [low, high] : null;
}
