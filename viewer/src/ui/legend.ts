/** Legends: the colours of the bodies, and those of the contact network. */

import type { App, LegendInfo } from "../app";
import { category, css, gradientStops, type AnyMap } from "../maps";
import { logTicks, shown, ticks } from "../numbers";
import { el, rebuild } from "./dom";

export function legend(app: App): HTMLElement {
  const box = el("div", { id: "legend" });
  app.changed(() => {
    const info = legends(app);
    rebuild(box, JSON.stringify(info), () => info.map(draw));
  });
  return box;
}

/** One legend: a bar with ticks, or names with their colours. */
export interface LegendData {
  title: string;
  bar: { map: AnyMap; range: [number, number]; isLog: boolean; ticks: number[] } | null;
  names: { label: string; colour: string }[];
}

/** The legends of what is shown now. */
export function legends(app: App): LegendData[] {
  const out: LegendData[] = [];
  if (app.legend && app.legend.choice.key !== "none" && app.partCount > 0) out.push(ofField(app.legend, app.manifest?.state === "still"));
  if (app.state.contacts && app.contactRange) {
    const range = app.contactRange;
    out.push({
      title: "contact force, N",
      bar: { map: app.networkMapName, range, isLog: app.state.contactsLog, ticks: places(range, app.state.contactsLog) },
      names: [],
    });
  }
  return out;
}

function ofField(info: LegendInfo, isStill: boolean): LegendData {
  const { choice, range, isLog, categories, categoryCount, map } = info;
  const title = choice.unit && !isStill ? `${choice.label}, ${choice.unit}` : choice.label;
  if (categories) {
    const names = categories.map(({ label, index }) => ({ label, colour: css(category(index, categoryCount, map)) }));
    return { title: names.length > 0 ? title : `${title} (${categoryCount} different)`, bar: null, names };
  }
  return { title, bar: { map, range, isLog, ticks: places(range, isLog) }, names: [] };
}

function places([low, high]: [number, number], isLog: boolean): number[] {
  return isLog ? logTicks(low, high) : ticks(low, high, 4);
}

/** Place of a value on a bar, 0 to 1. */
export function placeOn([low, high]: [number, number], isLog: boolean, value: number): number {
  return isLog ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** A gradient of a map for style sheets. */
export function gradient(map: AnyMap): string {
  const stops = gradientStops(map).map(([, colour]) => colour);
  return `linear-gradient(to right, ${stops.join(", ")})`;
}

function draw({ title, bar, names }: LegendData): HTMLElement {
  const rows = names.map(({ label, colour }) =>
    el("div", { class: "name" }, el("span", { class: "swatch", style: `background:${colour}` }), label),
  );
  const scale = bar && [
    el("div", { class: "bar", style: `background:${gradient(bar.map)}` }),
    el(
      "div",
      { class: "ticks" },
      ...bar.ticks.map((tick) =>
        el("span", { style: `left:${100 * placeOn(bar.range, bar.isLog, tick)}%` }, shown(tick, 3)),
      ),
    ),
  ];
  return el("div", { class: "legend" }, el("div", { class: "title" }, title), ...(scale ?? []), ...rows);
}
