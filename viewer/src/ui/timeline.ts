/** The time line: play, step, speed, the slider over the frames, and marks of events. */

import type { App } from "../app";
import { seconds } from "../numbers";
import { button, el, icon, rebuild, say } from "./dom";

const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4, 8];

export function timeline(app: App): HTMLElement {
  const play = button("play", "Play or pause (space)", () => void app.play(!app.isPlaying));
  const slider = el("input", {
    id: "slider",
    type: "range",
    min: 0,
    max: 0,
    step: 1,
    value: 0,
    "aria-label": "Frame",
    oninput: () => {
      app.isPlaying = false;
      void app.show(Number(slider.value));
    },
  });
  const marks = el("div", { class: "events" });
  const time = el("output", { id: "time", for: "slider" });
  const count = el("span", { id: "count" });
  const speed = el(
    "select",
    { class: "wide", title: "Speed (+ and −)", "aria-label": "Speed", onchange: () => app.setSpeed(Number(speed.value)) },
    ...SPEEDS.map((value) => el("option", { value }, `${value < 1 ? `1/${1 / value}` : value}×`)),
  );
  const live = button("last", "Follow the run: show the newest frame (End)", () => void app.show(Infinity));
  const first = button("first", "First frame (Home)", () => app.step(-Infinity));
  first.classList.add("wide");
  const bar = el(
    "div",
    { id: "timeline" },
    first,
    button("back", "One frame back (←)", () => app.step(-1)),
    play,
    button("forward", "One frame on (→)", () => app.step(1)),
    live,
    el("div", { class: "track" }, slider, marks),
    time,
    count,
    speed,
  );

  app.changed(() => {
    const { times } = app.frames;
    bar.hidden = times.length < 2 && !app.isComputing;
    slider.max = String(Math.max(0, times.length - 1));
    if (document.activeElement !== slider || Number(slider.value) !== app.frame) slider.value = String(app.frame);
    const step = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1);
    const text = app.time === undefined ? "" : seconds(app.time, step);
    say(time, text);
    slider.setAttribute("aria-valuetext", text);
    say(count, times.length > 0 ? `${app.frame + 1} / ${times.length}` : "");
    rebuild(play, String(app.isPlaying), () => [icon(app.isPlaying ? "pause" : "play")]);
    if (Number(speed.value) !== app.state.speed) speed.value = String(app.state.speed);
    live.classList.toggle("active", app.isAtEnd && app.isComputing);

    const events = app.manifest?.events ?? [];
    rebuild(marks, JSON.stringify([events.length, times.length, times[0], times.at(-1)]), () =>
      events.map(({ time: at, text: label }) =>
        el("button", {
          class: "event",
          type: "button",
          title: `${seconds(at, step)}: ${label}`,
          "aria-label": label,
          style: `left:${100 * placeOf(at, times)}%`,
          onclick: () => void app.show(app.frameAt(at)),
        }),
      ),
    );
  });
  return bar;
}

/** Place of a time on the slider, which counts frames: 0 to 1. */
function placeOf(time: number, times: readonly number[]): number {
  const next = times.findIndex((one) => one > time);
  if (next < 0) return 1;
  if (next === 0) return 0;
  const [a, b] = [times[next - 1] ?? 0, times[next] ?? 1];
  return (next - 1 + (time - a) / (b - a)) / Math.max(1, times.length - 1);
}
