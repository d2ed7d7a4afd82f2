/** The keyboard. */

import type { App } from "../app";
import { MAPS } from "../maps";
import { savePng, type Recorder } from "./capture";

const SPEED_STEP = 2;

export interface Toggles {
  help: (isOpen?: boolean) => void;
  panel: () => void;
}

export function keys(app: App, recorder: Recorder, toggles: Toggles): void {
  const { view } = app.stage;
  const plain: Record<string, () => void> = {
    " ": () => void app.play(!app.isPlaying),
    ArrowLeft: () => app.step(-1),
    ArrowRight: () => app.step(1),
    Home: () => app.step(-Infinity),
    End: () => app.step(Infinity),
    "+": () => app.setSpeed(app.state.speed * SPEED_STEP),
    "=": () => app.setSpeed(app.state.speed * SPEED_STEP),
    "-": () => app.setSpeed(app.state.speed / SPEED_STEP),
    PageUp: () => zoom(1 / 1.15),
    PageDown: () => zoom(1.15),
    f: () => app.fit(),
    "0": () => app.resetView(),
    "1": () => app.viewAlong("+x"),
    "2": () => app.viewAlong("+y"),
    "3": () => app.viewAlong("-z"),
    "4": () => app.viewAlong("-x"),
    "5": () => app.viewAlong("-y"),
    "6": () => app.viewAlong("+z"),
    o: () => app.setOrthographic(!view.isOrthographic),
    "[": () => nextField(-1),
    "]": () => nextField(1),
    m: () => app.look({ map: MAPS[(MAPS.indexOf(app.state.map) + 1) % MAPS.length] ?? "viridis" }),
    l: () => app.look({ log: !app.state.log }),
    r: () => app.look({ range: app.state.range === "run" ? "frame" : "run" }),
    t: () => app.setTheme(app.state.theme === "dark" ? "light" : "dark"),
    c: () => app.setContacts(!app.state.contacts),
    w: () => toggleWalls(app),
    x: () => app.setClip({ isOn: !app.state.clip.isOn }),
    y: () => app.setClip({ axis: ((app.state.clip.axis + 1) % 3) as 0 | 1 | 2 }),
    ",": () => app.setClip({ place: app.state.clip.place - 0.02 }),
    ".": () => app.setClip({ place: app.state.clip.place + 0.02 }),
    "/": () => app.setClip({ flipped: !app.state.clip.flipped }),
    g: () => {
      app.state.curves = app.state.curves === null ? "energy" : null;
      app.tell();
    },
    h: toggles.panel,
    n: () => app.selectNext(1),
    u: () => app.setFollow(!app.state.follow),
    d: () => app.setMeasuring(!app.measured.isOn),
    p: () => savePng(app),
    v: () => recorder.toggle(),
    "?": () => toggles.help(),
    Escape: () => {
      toggles.help(false);
      app.setMeasuring(false);
      app.select(null);
    },
  };
  const zoom = (factor: number): void => {
    view.zoom(factor);
    app.moved();
  };
  const nextField = (by: number): void => {
    const at = app.choices.findIndex(({ key }) => key === app.legend?.choice.key);
    const next = app.choices[(at + by + app.choices.length) % Math.max(1, app.choices.length)];
    if (next) app.look({ colour: next.key });
  };
  const arrows: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

  window.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("input[type=number], input[type=text], select") || event.metaKey) return;
    // A focused slider handles the arrow keys itself, a focused button the space bar.
    const isOwn = target.matches("input[type=range]") ? event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End" : false;
    if (isOwn || (target.matches("button, input[type=checkbox]") && event.key === " ")) return;

    const arrow = arrows[event.key];
    let act: (() => void) | undefined;
    if (arrow && event.shiftKey) act = () => (view.orbit(0.1 * arrow[0], 0.1 * arrow[1]), app.moved());
    else if (arrow && event.altKey) act = () => (view.pan(0.05 * arrow[0], 0.05 * arrow[1]), app.moved());
    else if (arrow && event.ctrlKey && arrow[0] !== 0) act = () => app.step(10 * arrow[0]);
    else if (event.key === "N") act = () => app.selectNext(-1);
    else if (!event.ctrlKey && !event.altKey) act = plain[event.key] ?? plain[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function toggleWalls(app: App): void {
  const walls = app.stage.layers.find(({ series }) => series.role === "walls");
  const planes = (app.manifest?.walls ?? []).map((_, i) => i).filter((i) => app.stage.planes.has(i));
  const isShown = walls ? app.opacityOf(walls.series) > 0 : planes.some((i) => (app.state.walls[i] ?? 1) > 0);
  if (walls) app.setOpacity(walls.series.kind, isShown ? 0 : 0.22);
  for (const number of planes) app.setWall(number, isShown ? 0 : 1);
}
