/** Curves of the run's table under the picture, with a cursor at the time shown; a click jumps there. */

import type { App } from "../app";
import { groupsOf, type CurveGroup } from "../history";
import { CATEGORIES, css } from "../maps";
import { seconds, shown, ticks } from "../numbers";
import { el, rebuild } from "./dom";

const MARGIN = { left: 62, right: 14, top: 8, bottom: 20 };

export function curves(app: App): HTMLElement {
  const canvas = el("canvas", { "aria-label": "Curves of the run's history" });
  const tabs = el("div", { class: "tabs", role: "tablist" });
  const keys = el("div", { class: "keys" });
  const box = el("div", { id: "curves" }, el("div", { class: "head" }, tabs, keys), canvas);

  const jump = (event: PointerEvent): void => {
    if (event.buttons === 0 && event.type !== "pointerdown") return;
    const { times } = app.history;
    const share = (event.offsetX - MARGIN.left) / (canvas.clientWidth - MARGIN.left - MARGIN.right);
    const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1];
    app.isPlaying = false;
    void app.show(app.frameAt(from + Math.min(1, Math.max(0, share)) * (to - from)));
  };
  canvas.addEventListener("pointerdown", jump);
  canvas.addEventListener("pointermove", jump);

  const update = (): void => {
    const groups = groupsOf(app.history);
    const wasHidden = box.hidden;
    box.hidden = groups.length === 0 || app.state.curves === null || app.history.times.length < 2;
    if (wasHidden !== box.hidden) app.stage.resize();
    if (box.hidden) return;
    const group = groups.find(({ key }) => key === app.state.curves) ?? groups[0];
    if (!group) return;

    rebuild(tabs, JSON.stringify([groups.map(({ key }) => key), group.key]), () =>
      groups.map(({ key, label }) =>
        el(
          "button",
          {
            type: "button",
            role: "tab",
            class: key === group.key ? "active" : "",
            "aria-selected": key === group.key ? "true" : "false",
            onclick: () => {
              app.state.curves = key;
              app.tell();
            },
          },
          label,
        ),
      ),
    );
    const values = valuesAt(app, group);
    rebuild(keys, JSON.stringify(values), () =>
      values.map(({ name, value }, i) =>
        el(
          "span",
          {},
          el("i", { style: `background:${colour(i)}` }),
          `${name.replaceAll("_", " ")} `,
          el("b", {}, `${shown(value)}${group.unit ? ` ${group.unit}` : ""}`),
        ),
      ),
    );
    draw(canvas, app, group);
  };
  app.changed(update);
  new ResizeObserver(update).observe(canvas);
  return box;
}

function colour(index: number): string {
  return css(CATEGORIES[index % CATEGORIES.length] ?? [0, 0, 0]);
}

function valuesAt(app: App, group: CurveGroup): { name: string; value: number }[] {
  const { times } = app.history;
  const time = app.time ?? 0;
  let row = times.findIndex((one) => one >= time - 1e-12);
  if (row < 0) row = times.length - 1;
  return group.columns.map((name) => ({ name, value: app.history.columns.get(name)?.[row] ?? NaN }));
}

function draw(canvas: HTMLCanvasElement, app: App, group: CurveGroup): void {
  const ratio = window.devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (width === 0 || height === 0) return;
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);

  const style = getComputedStyle(canvas);
  const [ink, faint] = [style.getPropertyValue("--muted"), style.getPropertyValue("--line")];
  const { times } = app.history;
  const columns = group.columns.map((name) => app.history.columns.get(name) ?? []);
  const [low, high] = spanOf(columns);
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 1];
  const x = (time: number): number =>
    MARGIN.left + ((time - from) / Math.max(1e-300, to - from)) * (width - MARGIN.left - MARGIN.right);
  const y = (value: number): number =>
    height - MARGIN.bottom - ((value - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);

  pen.font = "11px system-ui, sans-serif";
  pen.lineWidth = 1;
  pen.fillStyle = ink;
  pen.strokeStyle = faint;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const tick of ticks(low, high, Math.max(2, height / 36))) {
    line(pen, MARGIN.left, y(tick), width - MARGIN.right, y(tick));
    pen.fillText(shown(tick, 3), MARGIN.left - 6, y(tick));
  }
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  const step = to - from;
  for (const tick of ticks(from, to, Math.max(2, width / 110))) {
    line(pen, x(tick), MARGIN.top, x(tick), height - MARGIN.bottom);
    pen.fillText(seconds(tick, step / 10), Math.min(x(tick), width - 24), height - 5);
  }

  columns.forEach((values, i) => {
    pen.strokeStyle = colour(i);
    pen.lineWidth = 1.6;
    pen.beginPath();
    thinned(times, values, width).forEach(([time, value], k) => {
      if (k === 0) pen.moveTo(x(time), y(value));
      else pen.lineTo(x(time), y(value));
    });
    pen.stroke();
  });

  if (app.time !== undefined) {
    pen.strokeStyle = style.getPropertyValue("--accent");
    pen.lineWidth = 1.5;
    line(pen, x(app.time), MARGIN.top, x(app.time), height - MARGIN.bottom);
  }
}

function line(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function spanOf(columns: readonly (readonly number[])[]): [number, number] {
  let [low, high] = [0, 0];
  for (const values of columns) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high && value < Infinity) high = value;
    }
  }
  if (low === high) return [low, low + 1];
  const margin = 0.04 * (high - low);
  return [low < 0 ? low - margin : low, high + margin];
}

/** The least and the largest value of each pixel: peaks survive. */
function thinned(times: readonly number[], values: readonly number[], width: number): [number, number][] {
  const finite = values.map((value, i): [number, number] => [times[i] ?? 0, value]).filter(([, value]) => Number.isFinite(value));
  const size = Math.floor(finite.length / (2 * width)) || 1;
  if (size === 1) return finite;
  const out: [number, number][] = [];
  for (let i = 0; i < finite.length; i += size) {
    const some = finite.slice(i, i + size);
    const least = some.reduce((a, b) => (b[1] < a[1] ? b : a));
    const most = some.reduce((a, b) => (b[1] > a[1] ? b : a));
    out.push(...(least[0] < most[0] ? [least, most] : [most, least]));
  }
  return out;
}
