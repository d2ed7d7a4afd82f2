/** The panel: colours, what is shown, contacts, clip plane. */

import { plainColour, type App } from "../app";
import { MAPS, css, type MapName } from "../maps";
import { shown } from "../numbers";
import type { RangeMode } from "../state";
import { el, rebuild } from "./dom";
import { gradient } from "./legend";

/** Walls listed at most. */
const MOST_WALLS = 60;

export function panel(app: App): HTMLElement {
  const box = el("aside", { id: "panel", "aria-label": "What is shown" });
  box.append(colourSection(app), showSection(app), contactSection(app), clipSection(app));
  return box;
}

function section(title: string, ...children: HTMLElement[]): HTMLElement {
  return el("section", {}, el("h2", {}, title), ...children);
}

function row(label: string, ...controls: (HTMLElement | string)[]): HTMLElement {
  return el("label", { class: "row" }, el("span", {}, label), ...controls);
}

function check(label: string, act: (isOn: boolean) => void): { box: HTMLElement; input: HTMLInputElement } {
  const input = el("input", { type: "checkbox", onchange: () => act(input.checked) });
  return { box: el("label", { class: "check" }, input, label), input };
}

function colourSection(app: App): HTMLElement {
  const field = el("select", { id: "field", title: "Colour by ([ and ])", onchange: () => app.look({ colour: field.value }) });
  const map = el(
    "select",
    { id: "map", title: "Colour map (M)", onchange: () => app.look({ map: map.value as MapName }) },
    ...MAPS.map((name) => el("option", { value: name }, name)),
  );
  const swatch = el("div", { class: "swatch-bar" });
  const log = check("logarithmic", (isOn) => app.look({ log: isOn }));
  const range = el(
    "select",
    { id: "range", title: "Range (R)", onchange: () => setRange(app, range.value as RangeMode) },
    el("option", { value: "run" }, "of the whole run"),
    el("option", { value: "frame" }, "of this frame"),
    el("option", { value: "fixed" }, "fixed"),
  );
  const limit = (index: 0 | 1, label: string): HTMLInputElement => {
    const input: HTMLInputElement = el("input", {
      type: "number",
      step: "any",
      "aria-label": label,
      onchange: () => {
        const fixed: [number, number] = [...app.state.fixed];
        fixed[index] = Number(input.value);
        if (fixed[0] < fixed[1]) app.look({ fixed });
        else input.value = String(app.state.fixed[index]);
      },
    });
    return input;
  };
  const limits = [limit(0, "Least value"), limit(1, "Largest value")] as const;
  const fixedRow = el("div", { class: "row pair" }, limits[0], el("span", {}, "to"), limits[1]);

  app.changed(() => {
    const { state, choices, legend } = app;
    rebuild(field, JSON.stringify(choices), () => choices.map(({ key, label }) => el("option", { value: key }, label)));
    field.value = legend?.choice.key ?? state.colour;
    map.value = state.map;
    swatch.style.background = gradient(state.map);
    log.input.checked = state.log;
    range.value = state.range;
    fixedRow.hidden = state.range !== "fixed";
    const isNamed = legend?.choice.categories ?? false;
    for (const control of [log.box, range.parentElement, fixedRow]) control?.classList.toggle("off", isNamed);
    limits.forEach((input, i) => {
      const text = shown(state.fixed[i as 0 | 1], 6).replace("−", "-");
      if (document.activeElement !== input) input.value = text;
    });
  });

  return section("Colour", row("by", field), row("map", map), swatch, row("range", range), fixedRow, log.box);
}

function setRange(app: App, mode: RangeMode): void {
  const fixed = mode === "fixed" && app.legend ? app.legend.range : app.state.fixed;
  app.look({ range: mode, fixed });
}

function opacityRow(label: string, get: () => number, set: (value: number) => void): { box: HTMLElement; update: () => void } {
  let last = 1;
  const toggle: HTMLInputElement = el("input", {
    type: "checkbox",
    "aria-label": `Show ${label}`,
    onchange: () => set(toggle.checked ? last : 0),
  });
  const slider: HTMLInputElement = el("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.01,
    title: `Opacity of ${label}`,
    "aria-label": `Opacity of ${label}`,
    oninput: () => set(Number(slider.value)),
  });
  const update = (): void => {
    const value = get();
    if (value > 0) last = value;
    toggle.checked = value > 0;
    slider.value = String(value);
  };
  return { box: el("div", { class: "opacity" }, el("label", { class: "check" }, toggle, label), slider), update };
}

function showSection(app: App): HTMLElement {
  const kinds = el("div", {});
  const walls = el("details", {}, el("summary", {}, "Walls one by one"));
  const list = el("div", {});
  walls.append(list);
  let rows: (() => void)[] = [];

  app.changed(() => {
    const series = (app.manifest?.series ?? []).filter(({ role }) => role !== "contacts");
    const named = (app.manifest?.walls ?? []).slice(0, MOST_WALLS);
    walls.hidden = named.length === 0;
    const key = JSON.stringify([series.map(({ kind }) => kind), named.length]);
    if (kinds.dataset["key"] !== key) rows = [];
    rebuild(kinds, key, () =>
      series.map((one, i) => {
        const made = opacityRow(one.label, () => app.opacityOf(one), (value) => app.setOpacity(one.kind, value));
        rows.push(made.update);
        if (one.role === "marks") {
          made.box.querySelector("label")?.append(el("span", { class: "swatch", style: `background:${css(plainColour(one, i))}` }));
        }
        return made.box;
      }),
    );
    rebuild(list, key, () =>
      named.map(({ name }, i) => {
        const made = opacityRow(name, () => app.state.walls[i] ?? 1, (value) => app.setWall(i, value));
        rows.push(made.update);
        return made.box;
      }),
    );
    for (const update of rows) update();
  });
  return section("Show", kinds, walls);
}

function contactSection(app: App): HTMLElement {
  const show = check("network (C)", (isOn) => app.setContacts(isOn));
  const log = check("logarithmic colours", (isOn) => app.look({ contactsLog: isOn }));
  const thickness: HTMLInputElement = el("input", {
    type: "range",
    min: 0.1,
    max: 4,
    step: 0.1,
    "aria-label": "Thickness",
    oninput: () => app.look({ thickness: Number(thickness.value) }),
  });
  const more = el("div", {}, row("thickness", thickness), log.box);
  const box = section("Contacts", show.box, more);
  app.changed(() => {
    box.hidden = app.manifest?.state === "still" || !app.manifest?.series.some(({ role }) => role === "contacts");
    show.input.checked = app.state.contacts;
    log.input.checked = app.state.contactsLog;
    thickness.value = String(app.state.thickness);
    more.hidden = !app.state.contacts;
  });
  return box;
}

function clipSection(app: App): HTMLElement {
  const on = check("cut the scene open (X)", (isOn) => app.setClip({ isOn }));
  const axis = el(
    "select",
    { title: "Axis (Y)", onchange: () => app.setClip({ axis: Number(axis.value) as 0 | 1 | 2 }) },
    ...["x", "y", "z"].map((name, i) => el("option", { value: i }, `across ${name}`)),
  );
  const place: HTMLInputElement = el("input", {
    type: "range",
    min: 0,
    max: 1,
    step: 0.005,
    "aria-label": "Place of the clip plane",
    oninput: () => app.setClip({ place: Number(place.value) }),
  });
  const flip = check("other side (/)", (flipped) => app.setClip({ flipped }));
  const more = el("div", {}, row("plane", axis), row("place", place), flip.box);
  const box = section("Clip plane", on.box, more);
  app.changed(() => {
    const { clip } = app.state;
    box.hidden = app.manifest?.dimension === 2;
    on.input.checked = clip.isOn;
    axis.value = String(clip.axis);
    place.value = String(clip.place);
    flip.input.checked = clip.flipped;
    more.hidden = !clip.isOn;
  });
  return box;
}
