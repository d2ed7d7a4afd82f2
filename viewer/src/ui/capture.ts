/** Pictures as PNG and films as WebM: the canvas with legends and time drawn over it. */

import type { App } from "../app";
import { seconds, shown } from "../numbers";
import { gradientStops } from "../maps";
import { legends, placeOn, type LegendData } from "./legend";

const FONT = "system-ui, sans-serif";

/** Draws the picture with title, time and legends on a canvas of the same size. */
export function compose(app: App, target: HTMLCanvasElement): void {
  const { canvas } = app.stage;
  if (target.width !== canvas.width) target.width = canvas.width;
  if (target.height !== canvas.height) target.height = canvas.height;
  const pen = target.getContext("2d");
  if (!pen) return;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(canvas, 0, 0);
  const ratio = canvas.width / Math.max(1, canvas.clientWidth);
  pen.scale(ratio, ratio);

  const style = getComputedStyle(document.documentElement);
  pen.fillStyle = style.getPropertyValue("--text");
  pen.font = `600 15px ${FONT}`;
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  pen.fillText(app.manifest?.title ?? "", 16, 28);
  if (app.time !== undefined && app.frames.times.length > 1) {
    const { times } = app.frames;
    const step = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1);
    pen.textAlign = "right";
    pen.fillText(seconds(app.time, step), canvas.clientWidth - 16, 28);
  }
  let bottom = canvas.clientHeight - 16;
  for (const legend of legends(app)) bottom -= drawLegend(pen, legend, 16, bottom) + 14;
}

/** Draws a legend upwards from a place; returns its height. */
function drawLegend(pen: CanvasRenderingContext2D, { title, bar, names }: LegendData, x: number, bottom: number): number {
  const width = 220;
  const height = bar ? 46 : 20 + 18 * names.length;
  const top = bottom - height;
  pen.textAlign = "left";
  pen.font = `12px ${FONT}`;
  pen.fillText(title, x, top + 11);
  if (bar) {
    const fill = pen.createLinearGradient(x, 0, x + width, 0);
    gradientStops(bar.map).forEach(([place, colour]) => fill.addColorStop(place, colour));
    const ink = pen.fillStyle;
    pen.fillStyle = fill;
    pen.fillRect(x, top + 18, width, 11);
    pen.fillStyle = ink;
    pen.textAlign = "center";
    for (const tick of bar.ticks) pen.fillText(shown(tick, 3), x + width * placeOn(bar.range, bar.isLog, tick), top + 43);
  }
  names.forEach(({ label, colour }, i) => {
    const ink = pen.fillStyle;
    pen.fillStyle = colour;
    pen.fillRect(x, top + 20 + 18 * i, 12, 12);
    pen.fillStyle = ink;
    pen.fillText(label, x + 18, top + 31 + 18 * i);
  });
  return height;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function fileName(app: App, extension: string): string {
  const title = (app.manifest?.title ?? "impinge").replaceAll(/[^\w.-]+/g, "-");
  return `${title}-${String(app.frame).padStart(6, "0")}.${extension}`;
}

/** Saves the picture as PNG. */
export function savePng(app: App): void {
  app.stage.draw();
  const target = document.createElement("canvas");
  compose(app, target);
  target.toBlob((blob) => {
    if (blob) save(blob, fileName(app, "png"));
  }, "image/png");
}

/** Records what is shown as WebM until it is stopped. */
export class Recorder {
  private recorder: MediaRecorder | null = null;
  private readonly target = document.createElement("canvas");

  constructor(private readonly app: App) {}

  get isOn(): boolean {
    return this.recorder !== null;
  }

  toggle(): void {
    if (this.recorder) this.recorder.stop();
    else this.start();
    this.app.tell();
  }

  private start(): void {
    const { app, target } = this;
    compose(app, target);
    const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((one) => MediaRecorder.isTypeSupported(one));
    if (!type) {
      app.problem = "This browser cannot record WebM.";
      return;
    }
    const pieces: Blob[] = [];
    const recorder = new MediaRecorder(target.captureStream(30), { mimeType: type, videoBitsPerSecond: 12e6 });
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      app.stage.drawn(() => undefined);
      save(new Blob(pieces, { type: "video/webm" }), fileName(app, "webm"));
      app.tell();
    };
    app.stage.drawn(() => compose(app, target));
    recorder.start(500);
    this.recorder = recorder;
    app.stage.invalidate();
  }
}
