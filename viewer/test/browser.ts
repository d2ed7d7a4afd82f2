/** Starts `impinge view` and a headless browser for the tests. */

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import type { App } from "../src/app";

declare global {
  interface Window {
    impinge?: App;
    /** Bytes in graphics buffers; see countBuffers. */
    bufferBytes?: () => number;
    /** Vertices or instances of each draw call. */
    drawn?: number[];
  }
}

const IMPINGE = process.env["IMPINGE"] ?? new URL("../../target/debug/impinge", import.meta.url).pathname;
const CHROMIUM = process.env["CHROMIUM"] ?? "chromium";

/** WebGL 2 in software, as machines without a screen have it. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--use-gl=angle",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

export function impinge(...words: string[]): string {
  const done = spawnSync(IMPINGE, words, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`impinge ${words.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** A folder that is removed at the end. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "impinge-viewer-"));

  path(name: string): string {
    return join(this.folder, name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A command that serves a page until it is ended. */
export class Served {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  /** Starts a command with the given words and waits for the address that it prints. */
  static async start(...words: string[]): Promise<Served> {
    const child = spawn(IMPINGE, [...words, "--no-open"], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr.on("data", (piece: Buffer) => {
        said += piece.toString();
        const found = /http:\/\/\S+/.exec(said);
        if (found) resolve(found[0]);
      });
      child.on("exit", (code) => reject(new Error(`impinge ended with ${code}: ${said}`)));
    });
    return new Served(url, child);
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }
}

export async function launch(): Promise<Browser> {
  // Debian's name is a script in the path; Playwright wants a file.
  const path = spawnSync("which", [CHROMIUM], { encoding: "utf8" }).stdout.trim() || CHROMIUM;
  return chromium.launch({ executablePath: path, args: FLAGS });
}

/** Opens a page and waits for its first picture. Errors of the page fail the test. */
export async function show(
  browser: Browser,
  url: string,
  size = { width: 1200, height: 800 },
  before: () => void = () => undefined,
): Promise<Page> {
  const page = await open(browser, url, size, before);
  await page.waitForFunction(() => (window.impinge?.firstPicture ?? null) !== null, null, { timeout: 60_000 });
  return page;
}

/** Opens a page without waiting for a picture. */
export async function open(
  browser: Browser,
  url: string,
  size = { width: 1200, height: 800 },
  before: () => void = () => undefined,
): Promise<Page> {
  const page = await browser.newPage({ viewport: size, acceptDownloads: true });
  await page.addInitScript(before);
  page.on("pageerror", (error) => {
    throw error;
  });
  await page.goto(url);
  return page;
}

/** Runs in the page before its script: counts the bytes of the buffers that WebGL holds, and its draw calls. */
export function countBuffers(): void {
  const sizes = new Map<WebGLBuffer, number>();
  const bound = new Map<number, WebGLBuffer | null>();
  const drawn: number[] = [];
  const { bindBuffer, bufferData, deleteBuffer, drawArrays, drawElementsInstanced } = WebGL2RenderingContext.prototype;
  Object.assign(WebGL2RenderingContext.prototype, {
    bindBuffer(this: WebGL2RenderingContext, target: number, buffer: WebGLBuffer | null) {
      bound.set(target, buffer);
      bindBuffer.call(this, target, buffer);
    },
    bufferData(this: WebGL2RenderingContext, target: number, data: ArrayBufferView | number, usage: number) {
      const buffer = bound.get(target);
      if (buffer) sizes.set(buffer, typeof data === "number" ? data : data.byteLength);
      (bufferData as (target: number, data: ArrayBufferView | number, usage: number) => void).call(this, target, data, usage);
    },
    deleteBuffer(this: WebGL2RenderingContext, buffer: WebGLBuffer | null) {
      if (buffer) sizes.delete(buffer);
      deleteBuffer.call(this, buffer);
    },
  });
  Object.assign(WebGL2RenderingContext.prototype, {
    drawArrays(this: WebGL2RenderingContext, mode: number, first: number, count: number) {
      drawn.push(count);
      drawArrays.call(this, mode, first, count);
    },
    drawElementsInstanced(this: WebGL2RenderingContext, mode: number, count: number, type: number, at: number, instances: number) {
      drawn.push(instances);
      drawElementsInstanced.call(this, mode, count, type, at, instances);
    },
  });
  window.drawn = drawn;
  window.bufferBytes = () => [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

/** Shows a frame and draws it. */
export async function frame(page: Page, number: number): Promise<void> {
  await page.evaluate(async (n) => {
    await window.impinge?.show(n);
    window.impinge?.stage.draw();
  }, number);
}

/** The colour at a place of the canvas, in CSS pixels. */
export async function pixel(page: Page, x: number, y: number): Promise<[number, number, number]> {
  return page.evaluate(
    ([px, py]) => {
      const app = window.impinge;
      if (!app) throw new Error("no app");
      app.stage.draw();
      const copy = document.createElement("canvas");
      const { canvas } = app.stage;
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const pen = copy.getContext("2d");
      if (!pen) throw new Error("no context");
      pen.drawImage(canvas, 0, 0);
      const ratio = canvas.width / canvas.clientWidth;
      const { data } = pen.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1);
      return [data[0], data[1], data[2]] as [number, number, number];
    },
    [x, y] as const,
  );
}

/** Where a sphere of the shown frame is on the canvas, and which id it has: the one nearest to the eye. */
export async function nearestSphere(page: Page): Promise<{ x: number; y: number; id: number }> {
  return page.evaluate(() => {
    const app = window.impinge;
    const part = app?.partOf("particles");
    if (!app || !part) throw new Error("no spheres");
    app.stage.draw();
    const eye = app.stage.view.camera.position;
    let best = { distance: Infinity, row: 0 };
    for (let row = 0; row < part.points; row++) {
      const [x, y, z] = part.position.subarray(3 * row, 3 * row + 3) as unknown as [number, number, number];
      const distance = Math.hypot(x - eye.x, y - eye.y, z - eye.z);
      if (distance < best.distance) best = { distance, row };
    }
    const centre = Array.from(part.position.subarray(3 * best.row, 3 * best.row + 3)) as [number, number, number];
    const ids = part.fields.find((field) => field.name === "id")?.values;
    return { ...app.stage.project(centre), id: ids?.[best.row] ?? -1 };
  });
}
