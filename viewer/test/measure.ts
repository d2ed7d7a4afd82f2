/**
 * Measures the page in headless Chromium with WebGL in software: `npm run measure`, with IMPINGE naming a release build.
 *
 * Stages of a frame: waiting for its data, filling buffers, choosing colours, drawing until the pixels are there.
 */

import { writeFileSync } from "node:fs";
import type { CDPSession, Page } from "playwright-core";
import { Place, Served, countBuffers, impinge, launch, show } from "./browser";

const SIZES = [
  { count: 50_000, frames: 20 },
  { count: 1_000_000, frames: 4 },
];

interface Measured {
  load: number;
  fill: number;
  colour: number;
  draw: number;
}

function scene(count: number, frames: number): string {
  const side = 0.0105 * Math.cbrt(count / 4);
  return `
gravity = [0, 0, -9.81]
[run]
duration = ${2e-3 * frames}
output = 2e-3
[[material]]
name = "stone"
density = 2500
young = 1e6
[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
[[particles]]
count = ${count}
radius = 0.005
placement = "lattice"
region = { box = { min = [0, 0, 0.01], max = [${2 * side}, ${side}, ${4 * side}] } }
`;
}

/** Milliseconds from the page's start until the first picture's pixels are there: drawing goes on after its call. */
async function pixels(page: Page): Promise<number> {
  return page.evaluate(() => {
    const gl = window.impinge?.stage.canvas.getContext("webgl2");
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now();
  });
}

/** Shows each frame and waits for its pixels. */
async function stages(page: Page): Promise<Measured[]> {
  return page.evaluate(async () => {
    const app = window.impinge;
    if (!app) throw new Error("no app");
    const out: { load: number; fill: number; colour: number; draw: number }[] = [];
    for (let frame = 1; frame < app.frames.times.length; frame++) {
      await app.show(frame);
      const start = performance.now();
      app.stage.draw();
      const gl = app.stage.canvas.getContext("webgl2");
      gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      out.push({ ...app.stages, draw: performance.now() - start });
    }
    return out;
  });
}

/** Pictures a second from the first frame to the last at the highest speed. */
async function playback(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const app = window.impinge;
    if (!app) throw new Error("no app");
    await app.show(0);
    app.setSpeed(16);
    const start = performance.now();
    await app.play(true);
    const gl = app.stage.canvas.getContext("webgl2");
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return (1000 * (app.frames.times.length - 1)) / (performance.now() - start);
  });
}

/** Milliseconds to change the field until the pixels are there. */
async function recolouring(page: Page): Promise<number> {
  return page.evaluate(() => {
    const app = window.impinge;
    if (!app) throw new Error("no app");
    const start = performance.now();
    app.look({ colour: "height" });
    return performance.now() - start;
  });
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

/** Bytes that the page holds: objects and arrays of its script, and buffers in the graphics memory. */
async function held(session: CDPSession, page: Page): Promise<string> {
  await session.send("HeapProfiler.collectGarbage");
  const heap = (await session.send("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
  const buffers = await page.evaluate(() => window.bufferBytes?.() ?? 0);
  const [script, arrays] = [heap.usedSize, heap.backingStorageSize ?? NaN].map((x) => (x / 1e6).toFixed(0));
  return `script ${script} MB, arrays ${arrays} MB, graphics buffers ${(buffers / 1e6).toFixed(0)} MB`;
}

const place = new Place();
const browser = await launch();
try {
  for (const { count, frames } of SIZES) {
    writeFileSync(place.path(`${count}.toml`), scene(count, frames));
    impinge("run", place.path(`${count}.toml`), "-o", place.path(`${count}`), "--quiet");
    const served = await Served.start("view", place.path(`${count}`));
    const page = await show(browser, served.url, { width: 1440, height: 900 }, countBuffers);
    const session = await page.context().newCDPSession(page);
    const first = await pixels(page);
    const measured = await stages(page);
    const of = (name: keyof Measured): string => median(measured.map((one) => one[name])).toFixed(1);

    console.log(`${count} spheres, ${measured.length} frames, 1440 x 900`);
    console.log(`  first picture ${(first / 1000).toFixed(2)} s after the page's start`);
    console.log(`  stages, median: data ${of("load")} ms, buffers ${of("fill")} ms, colours ${of("colour")} ms, drawing ${of("draw")} ms`);
    console.log(`  playback ${(await playback(page)).toFixed(1)} pictures/s`);
    console.log(`  another field: ${(await recolouring(page)).toFixed(1)} ms without drawing`);
    console.log(`  held: ${await held(session, page)}`);
    await page.close();
    await served.end();
  }
} finally {
  await browser.close();
  place.remove();
}
