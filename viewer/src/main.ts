/** The page: puts the controls around the picture and starts. */

import { App } from "./app";
import { itemCount } from "./fields";
import { bytes, grouped, shown } from "./numbers";
import { open } from "./source";
import { Recorder, savePng } from "./ui/capture";
import { curves } from "./ui/curves";
import { button, el, rebuild, say } from "./ui/dom";
import { help } from "./ui/help";
import { info } from "./ui/info";
import { keys } from "./ui/keys";
import { legend } from "./ui/legend";
import { panel } from "./ui/panel";
import { pointer } from "./ui/pointer";
import { timeline } from "./ui/timeline";

declare global {
  interface Window {
    /** The application, for tests and for the browser's console. */
    impinge?: App;
  }
}

const VIEWS = [
  ["+x", "x"],
  ["+y", "y"],
  ["-z", "z"],
] as const;

function main(): void {
  const root = document.getElementById("app");
  if (!root) return;
  const canvas = el("canvas", { id: "canvas", tabindex: 0, "aria-label": "The scene" });
  const theme = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  let app: App;
  try {
    app = new App(open(), canvas, theme);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    root.append(el("p", { id: "message" }, `This browser cannot draw the scene: ${reason}. The viewer needs WebGL 2.`));
    return;
  }
  window.impinge = app;

  const recorder = new Recorder(app);
  const guide = help(() => about(app));
  const side = panel(app);
  side.hidden = window.innerWidth < 720;
  const toggles = { help: guide.toggle, panel: () => (side.hidden = !side.hidden) };
  const scene = el("main", { id: "scene" }, canvas, legend(app), status(app), message(app), info(app), ruler(app));
  root.append(top(app, recorder, toggles), el("div", { id: "middle" }, scene, side), curves(app), timeline(app), guide.box);

  pointer(app, canvas);
  keys(app, recorder, toggles);
  new ResizeObserver(() => {
    app.stage.resize();
    app.stage.draw();
  }).observe(scene);
  void app.start();
}

/** The bar above: title, state, views, saving. */
function top(app: App, recorder: Recorder, toggles: { help: () => void; panel: () => void }): HTMLElement {
  const title = el("h1", {});
  const state = el("span", { id: "state" });
  const ortho = el("button", { type: "button", class: "text wide", title: "Orthographic or perspective (O)", onclick: () => app.setOrthographic(!app.stage.view.isOrthographic) });
  const record = button("record", "Record a film (V)", () => recorder.toggle());
  const measure = button("ruler", "Measure a distance (D)", () => app.setMeasuring(!app.measured.isOn));
  app.changed(() => {
    say(title, app.manifest?.title ?? "impinge");
    const words = { computing: "computing", stopped: "stopped", finished: "", still: "" }[app.manifest?.state ?? "still"];
    say(state, words);
    state.className = app.manifest?.state ?? "";
    say(ortho, app.stage.view.isOrthographic ? "orthographic" : "perspective");
    record.classList.toggle("active", recorder.isOn);
    measure.classList.toggle("active", app.measured.isOn);
  });

  return el(
    "header",
    { id: "top" },
    title,
    state,
    el("span", { class: "gap" }),
    button("fit", "Fit the scene (F)", () => app.fit()),
    ...VIEWS.map(([axis, name], i) =>
      el("button", { type: "button", class: "text wide", title: `Look along ${name} (${i + 1})`, onclick: () => app.viewAlong(axis) }, name),
    ),
    ortho,
    measure,
    button("camera", "Save a picture (P)", () => savePng(app)),
    record,
    button("theme", "Light or dark (T)", () => app.setTheme(app.state.theme === "dark" ? "light" : "dark")),
    button("panel", "Panel (H)", toggles.panel),
    el("button", { type: "button", class: "text", title: "Help (?)", onclick: () => toggles.help() }, "?"),
  );
}

/** Numbers in the corner: what is shown, and how fast. */
function status(app: App): HTMLElement {
  const box = el("div", { id: "status" });
  app.changed(() => {
    const counts = app.stage.layers.flatMap(({ series, part }) => {
      if (!part || (series.role === "contacts" ? !app.state.contacts : series.role !== "matter")) return [];
      const count = series.role === "contacts" ? (part.lines?.length ?? 0) / 2 : itemCount(part);
      if (count === null) return part.triangles ? [`${grouped(part.triangles.length / 3)} triangles`] : [];
      return [`${grouped(count)} ${count === 1 ? singular(series.label) : series.label}`];
    });
    const rate = app.isPlaying ? [`${app.rate.toFixed(0)} pictures/s`] : [];
    say(box, [...counts, ...rate].join(" · "));
  });
  return box;
}

/** Labels are plural: "rigid bodies", "spheres". */
function singular(label: string): string {
  return label.endsWith("ies") ? `${label.slice(0, -3)}y` : label.replace(/s$/, "");
}

/** Problems and notes, as sentences. */
function message(app: App): HTMLElement {
  const box = el("div", { id: "message", role: "status" });
  let closed = "";
  app.changed(() => {
    const { manifest } = app;
    const other = manifest?.written_by && manifest.written_by !== manifest.program
      ? [`The run was written by impinge ${manifest.written_by}; this is ${manifest.program}.`]
      : [];
    const lines = [app.problem, ...other, ...(manifest?.notes ?? [])].filter((line) => line !== null);
    const text = lines.join("\n");
    box.hidden = lines.length === 0 || text === closed;
    box.classList.toggle("problem", app.problem !== null);
    rebuild(box, text, () => [
      ...lines.map((line) => el("p", {}, line)),
      button("close", "Close", () => {
        closed = text;
        box.hidden = true;
      }),
    ]);
  });
  return box;
}

/** The measured distance. */
function ruler(app: App): HTMLElement {
  const box = el("div", { id: "ruler" });
  app.changed(() => {
    const { points, isOn } = app.measured;
    box.hidden = !isOn;
    const [a, b] = points;
    const unit = app.manifest?.state === "still" ? "" : " m";
    if (a && b) {
      const difference = b.map((x, i) => x - (a[i] ?? 0));
      say(box, `distance ${shown(Math.hypot(...difference), 5)}${unit}  (${difference.map((x) => shown(x)).join(", ")})`);
    } else say(box, a ? "click the second point" : "click two points of bodies");
  });
  return box;
}

function about(app: App): string {
  const first = app.firstPicture === null ? "" : `First picture after ${(app.firstPicture / 1000).toFixed(2)} s. `;
  return `impinge ${app.manifest?.program ?? ""}. ${first}Last picture: ${stages(app)}. Frames in memory: ${bytes(app.frames.bytes)}. Drawn with three.js.`;
}

/** Times of the last picture, stage by stage. */
function stages({ stages: { load, fill, colour }, stage: { lastDraw } }: App): string {
  const times = { data: load, buffers: fill, colours: colour, drawing: lastDraw };
  return Object.entries(times)
    .map(([name, time]) => `${name} ${time.toFixed(1)} ms`)
    .join(", ");
}

main();
