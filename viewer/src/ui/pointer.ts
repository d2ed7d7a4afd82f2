/** Mouse and fingers on the picture: orbit, pan, zoom, click. */

import type { App } from "../app";

/** A press that moves less than this many pixels is a click. */
const CLICK = 4;

export function pointer(app: App, canvas: HTMLCanvasElement): void {
  const fingers = new Map<number, { x: number; y: number }>();
  let moved = 0;
  let spread = 0;
  const { view } = app.stage;

  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (fingers.size === 1) moved = 0;
    spread = 0;
    canvas.focus({ preventScroll: true });
  });

  canvas.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.x, event.clientY - before.y];
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved < CLICK) return;
    const height = canvas.clientHeight;

    if (fingers.size >= 2) {
      // Each finger contributes half of the motion.
      view.pan(-dx / height / 2, dy / height / 2);
      pinch();
    } else if (event.shiftKey || event.buttons !== 1 || app.manifest?.dimension === 2) {
      view.pan(-dx / height, dy / height);
      app.state.follow = false;
    } else {
      view.orbit((dx / height) * Math.PI, (dy / height) * Math.PI);
    }
    app.moved();
  });

  const pinch = (): void => {
    const [a, b] = [...fingers.values()];
    if (!a || !b) return;
    const now = Math.hypot(a.x - b.x, a.y - b.y);
    if (spread > 0 && now > 0) view.zoom(spread / now);
    spread = now;
  };

  const release = (event: PointerEvent): void => {
    const wasOne = fingers.size === 1 && fingers.has(event.pointerId);
    fingers.delete(event.pointerId);
    spread = 0;
    if (event.type !== "pointerup" || !wasOne || moved >= CLICK || event.button !== 0) return;
    const box = canvas.getBoundingClientRect();
    app.click(event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const x = (2 * (event.clientX - box.left)) / box.width - 1;
      const y = 1 - (2 * (event.clientY - box.top)) / box.height;
      // Lines, pages and pixels; a pinch on a touchpad comes as a wheel with Ctrl.
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
      view.zoom(Math.exp(event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0015)), x, y, app.stage.aspect);
      app.moved();
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", () => app.fit());
}
