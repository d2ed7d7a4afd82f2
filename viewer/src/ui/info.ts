/** The selected body: its id, place, velocity, contacts with their forces and partners. */

import type { App, Selection } from "../app";
import type { End } from "../contacts";
import { STRESS, spoken, unitOf } from "../fields";
import { shown } from "../numbers";
import type { Field, Part } from "../part";
import { button, el, rebuild } from "./dom";

/** Contacts listed at most. */
const MOST = 40;

const NOUNS: Record<string, string> = {
  particles: "sphere",
  bodies: "rigid body",
  solids: "elastic solid",
  walls: "wall",
  points: "point",
  mesh: "triangle",
};

const HIDDEN = new Set(["id", "body", "solid", "wall", "side"]);

export function info(app: App): HTMLElement {
  const box = el("aside", { id: "info", "aria-label": "Selected body" });
  app.changed(() => {
    const { selection } = app;
    box.hidden = !selection;
    if (!selection) return;
    const part = app.partOf(selection.kind);
    const rows = part && selection.rows ? facts(app, selection, part) : [["", "not in this frame"] as Fact];
    const touching = contacts(app, selection);
    rebuild(box, JSON.stringify([selection, rows, touching, app.state.follow]), () => [
      el("header", {}, el("strong", {}, name(app, selection)), button("close", "Clear the selection (Esc)", () => app.select(null))),
      el("dl", {}, ...rows.flatMap(([term, text]) => [el("dt", {}, term), el("dd", {}, text)])),
      el(
        "label",
        { class: "check" },
        el("input", {
          type: "checkbox",
          checked: app.state.follow,
          onchange: (event: Event) => app.setFollow((event.target as HTMLInputElement).checked),
        }),
        "follow it (U)",
      ),
      touching && list(app, touching),
    ]);
  });
  return box;
}

type Fact = [string, string];

/** Name of a body: "sphere 12", or a wall by its own name. */
export function name(app: App, { kind, item }: { kind: string | null; item: number }): string {
  if (kind === null) return "wall or other kind";
  const series = app.manifest?.series.find((one) => one.kind === kind);
  const wall = kind === "walls" ? app.manifest?.walls[item]?.name : undefined;
  return wall ?? `${NOUNS[kind] ?? series?.label ?? kind} ${item}`;
}

function facts(app: App, selection: Selection, part: Part): Fact[] {
  const { manifest } = app;
  const rows = selection.rows ?? [0, 0];
  const isStill = manifest?.state === "still";
  const unit = isStill ? "" : " m";
  const origin = manifest?.origin ?? [0, 0, 0];
  const centre = selection.centre?.map((x, i) => x + (origin[i] ?? 0));
  const out: Fact[] = [];
  if (centre) out.push([part.vertices ? "centre" : "middle", `${centre.map((x) => shown(x)).join(", ")}${unit}`]);

  for (const field of part.fields) {
    if (HIDDEN.has(field.name) || field.on === "lines") continue;
    const value = meanOf(field, part, rows);
    if (field.name === "material") out.push(["material", manifest?.materials[value[0] ?? -1] ?? String(value[0])]);
    else if (field.name === "velocity") {
      out.push(["velocity", `${value.map((x) => shown(x)).join(", ")} m/s`]);
      out.push(["speed", `${shown(Math.hypot(...value))} m/s`]);
    } else {
      const unit = isStill ? "" : unitOf(field.name);
      const components = field.components === STRESS.length ? ` ${STRESS.join(" ")}` : "";
      out.push([spoken(field.name) + components, `${value.map((x) => shown(x)).join(", ")} ${unit}`.trimEnd()]);
    }
  }
  return out;
}

/** Value of a sphere, or the mean over a body's triangles. */
function meanOf(field: Field, part: Part, [first, end]: [number, number]): number[] {
  const rows: number[] = [];
  if (part.vertices || field.on === "triangles") for (let i = first; i < end; i++) rows.push(i);
  else for (let i = 3 * first; i < 3 * end; i++) rows.push(part.triangles?.[i] ?? 0);
  const sum = new Array<number>(field.components).fill(0);
  for (const row of rows) {
    for (let c = 0; c < field.components; c++) sum[c] = (sum[c] ?? 0) + (field.values[row * field.components + c] ?? NaN);
  }
  return sum.map((x) => x / Math.max(1, rows.length));
}

interface Touching {
  partners: { end: End; label: string; force: number }[];
  more: number;
}

function contacts(app: App, { kind, item, rows }: Selection): Touching | null {
  const ends = app.contactEnds();
  if (!ends || !rows || app.manifest?.state === "still") return null;
  const all = ends.of(kind, item);
  const partners = all.slice(0, MOST).map(({ partner, force }) => ({ end: partner, label: name(app, partner), force }));
  return { partners, more: Math.max(0, all.length - MOST) };
}

function list(app: App, { partners, more }: Touching): HTMLElement {
  const rows = partners.map(({ end, label, force }) => {
    const isKnown = end.kind !== null;
    const who = isKnown
      ? el("button", { class: "link", type: "button", onclick: () => app.select({ kind: end.kind ?? "", item: end.item }) }, label)
      : el("span", {}, label);
    return el("tr", {}, el("td", {}, who), el("td", { class: "number" }, `${shown(force)} N`));
  });
  const count = partners.length + more;
  return el(
    "section",
    {},
    el("h3", {}, count === 0 ? "no contacts" : count === 1 ? "1 contact" : `${count} contacts`),
    el("table", {}, ...rows),
    more > 0 ? el("p", { class: "note" }, `and ${more} more`) : null,
  );
}
