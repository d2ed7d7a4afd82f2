/** The page in a real browser. Each test states a fact. */

import assert from "node:assert/strict";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { Place, Served, countBuffers, frame, impinge, launch, nearestSphere, open, pixel, show } from "./browser";

const SCENE = `
gravity = [0, 0, -9.81]
[run]
duration = 0.3
output = 0.03
[[material]]
name = "stone"
density = 2500
young = 1e6
restitution = 0.5
friction = 0.4
[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
[[wall]]
name = "dish"
shape = { lathe = { profile = [[0, 0.02], [0.15, 0.04], [0.3, 0.15]], sectors = 12 } }
hollow = true
[[particles]]
count = 40
radius = { uniform = [0.02, 0.03] }
region = { box = { min = [-0.12, -0.12, 0.1], max = [0.12, 0.12, 0.4] } }
[[body]]
shape = { box = [0.08, 0.06, 0.04] }
position = [0.35, 0, 0.1]
[[solid]]
name = "brick"
shape = { brick = { cells = [2, 2, 2], size = [0.1, 0.1, 0.1] } }
young = 1e5
density = 900
position = [-0.4, 0, 0.1]
`;

const FLAT = `
dimension = 2
gravity = [0, -9.81]
[run]
duration = 0.1
output = 0.05
[[wall]]
name = "floor"
point = [0, 0]
normal = [0, 1]
[[body]]
shape = { box = [0.4, 0.2] }
position = [0, 0.3]
`;

const place = new Place();
const served: Served[] = [];
let browser: Browser;

async function serve(...words: string[]): Promise<string> {
  const one = await Served.start(...words);
  served.push(one);
  return one.url;
}

before(async () => {
  writeFileSync(place.path("scene.toml"), SCENE);
  impinge("run", place.path("scene.toml"), "-o", place.path("run"), "--quiet");
  browser = await launch();
});

after(async () => {
  await browser?.close();
  for (const one of served) await one.end();
  place.remove();
});

test("a sphere is drawn where its centre is, and the background where there is none", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  const empty = await pixel(page, 5, 300);
  const { x, y } = await nearestSphere(page);
  const colour = await pixel(page, x, y);
  assert.ok(Math.max(...colour.map((c, i) => Math.abs(c - (empty[i] ?? 0)))) > 60, `${colour} and ${empty}`);
  await page.close();
});

test("a click selects the sphere under the cursor and shows its facts", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await frame(page, 10);
  const { x, y, id } = await nearestSphere(page);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.waitForSelector("#info:not([hidden])");
  assert.equal(await page.locator("#info strong").textContent(), `sphere ${id}`);
  const text = (await page.locator("#info").textContent()) ?? "";
  for (const word of ["centre", "velocity", "speed", "radius", "stone", "contact"]) assert.ok(text.includes(word), word);

  await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 300);
  assert.ok(await page.locator("#info").isHidden());
  await page.close();
});

test("a click on a rigid body or a solid names it, and its contacts name their partners", async () => {
  const resting = SCENE.replace("restitution = 0.5", "restitution = 0.05").replace("[0.35, 0, 0.1]", "[0.35, 0, 0.0205]");
  writeFileSync(place.path("resting.toml"), resting);
  impinge("run", place.path("resting.toml"), "-o", place.path("resting"), "--quiet");
  const page = await show(browser, await serve("view", place.path("resting")));
  await frame(page, 10);
  const box = await page.locator("#canvas").boundingBox();
  for (const [kind, name] of [["bodies", "rigid body 0"], ["solids", "elastic solid 0"]] as const) {
    const at = await page.evaluate((wanted) => {
      const app = window.impinge;
      const part = app?.partOf(wanted);
      if (!app || !part?.triangles) throw new Error("no triangles");
      // The middle of all corners is inside a convex body, and its image on the body's.
      const sum: [number, number, number] = [0, 0, 0];
      for (const node of part.triangles) {
        for (const axis of [0, 1, 2] as const) sum[axis] += part.position[3 * node + axis] ?? 0;
      }
      const count = part.triangles.length;
      return app.stage.project([sum[0] / count, sum[1] / count, sum[2] / count]);
    }, kind);
    await page.mouse.click((box?.x ?? 0) + at.x, (box?.y ?? 0) + at.y);
    await page.waitForFunction((wanted) => document.querySelector("#info strong")?.textContent === wanted, name);
    const text = (await page.locator("#info").textContent()) ?? "";
    for (const word of ["middle", "speed", "contact"]) assert.ok(text.includes(word), `${word} in ${text}`);

    // Each lies on the floor in some frame.
    const partners: string[] = [];
    for (let number = 0; number <= 10; number++) {
      await frame(page, number);
      partners.push(...(await page.locator("#info td").allTextContents()));
    }
    assert.ok(partners.includes("floor"), partners.join());
    await frame(page, 10);
  }
  await page.close();
});

test("a million spheres: one draw call, and at most 200 MB held, graphics buffers counted", async () => {
  const million = `
[run]
duration = 6e-4
output = 2e-4
[[material]]
name = "stone"
density = 2500
young = 1e6
[[particles]]
count = 1000000
radius = 0.005
placement = "lattice"
region = { box = { min = [0, 0, 0], max = [1.1, 1.1, 1.1] } }
`;
  writeFileSync(place.path("million.toml"), million);
  impinge("run", place.path("million.toml"), "-o", place.path("million"), "--quiet");
  const size = { width: 400, height: 300 };
  const page = await show(browser, await serve("view", place.path("million")), size, countBuffers);
  const session = await page.context().newCDPSession(page);
  let most = 0;
  for (const number of [0, 1, 2, 3, 1, 0]) {
    await frame(page, number);
    // What is loaded ahead counts too.
    await page.waitForFunction(() => window.impinge?.frames.isIdle, null, { timeout: 60_000 });
    await session.send("HeapProfiler.collectGarbage");
    const heap = (await session.send("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
    assert.ok(heap.backingStorageSize, "Chromium tells the size of arrays");
    const buffers = await page.evaluate(() => window.bufferBytes?.() ?? 0);
    assert.ok(buffers >= 20e6, `${buffers} bytes of buffers`);
    most = Math.max(most, heap.usedSize + heap.backingStorageSize + buffers);
  }
  assert.ok(most <= 200e6, `${(most / 1e6).toFixed(0)} MB`);
  const drawn = await page.evaluate(() => {
    window.drawn?.splice(0);
    window.impinge?.stage.draw();
    return window.drawn;
  });
  assert.equal(drawn?.filter((count) => count >= 1_000_000).length, 1, `${drawn}`);
  await page.close();
});

test("many small spheres are drawn as points, where they are, and picked by their id", async () => {
  const many = `
[run]
duration = 0.001
output = 0.001
[[material]]
name = "stone"
density = 2500
young = 1e6
[[particles]]
count = 25000
radius = 0.01
placement = "lattice"
region = { box = { min = [-0.5, -0.5, 0], max = [0.5, 0.5, 0.8] } }
`;
  writeFileSync(place.path("many.toml"), many);
  impinge("run", place.path("many.toml"), "-o", place.path("many"), "--quiet");
  const page = await show(browser, await serve("view", place.path("many")), { width: 900, height: 600 });
  const { x, y, id } = await nearestSphere(page);
  const [colour, empty] = [await pixel(page, x, y), await pixel(page, 4, 200)];
  assert.ok(Math.max(...colour.map((c, i) => Math.abs(c - (empty[i] ?? 0)))) > 60, `${colour} and ${empty}`);
  const picked = await page.evaluate(([px, py]) => {
    window.impinge?.click(px, py);
    return window.impinge?.selection?.item;
  }, [x, y] as const);
  assert.equal(picked, id);
  await page.close();
});

test("the slider, the keys and the curves move through the frames, whose times are shown", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  const time = async (): Promise<string | null> => page.locator("#time").textContent();
  assert.equal(await time(), "0.000 s");
  await page.locator("#slider").fill("4");
  await page.waitForFunction(() => window.impinge?.frame === 4);
  assert.equal(await time(), "0.120 s");

  await page.locator("#canvas").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => window.impinge?.frame === 5);
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.impinge?.frame === 10);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => window.impinge?.frame === 0);

  const curves = await page.locator("#curves canvas").boundingBox();
  assert.ok(curves);
  await page.mouse.click(curves.x + 62 + (curves.width - 76) * 0.5, curves.y + 40);
  await page.waitForFunction(() => window.impinge?.frame === 5);

  await page.locator("#canvas").focus();
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.impinge?.frame === 10 && !window.impinge.isPlaying, null, { timeout: 20_000 });
  await page.close();
});

test("another field changes colours and legend without loading a frame again", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await page.waitForTimeout(500);
  let requests = 0;
  page.on("request", (request) => (requests += Number(request.url().includes("/packed/"))));
  const { x, y } = await nearestSphere(page);
  const before = await pixel(page, x, y);
  await page.locator("#field").selectOption("radius");
  assert.match((await page.locator("#legend").textContent()) ?? "", /^radius, m/);
  assert.notDeepEqual(await pixel(page, x, y), before);
  await page.locator("#field").selectOption("material");
  assert.match((await page.locator("#legend").textContent()) ?? "", /stone/);
  assert.equal(requests, 0);

  const fields = await page.locator("#field option").allTextContents();
  for (const name of ["kind", "speed", "radius", "material", "id", "von Mises stress", "height", "number of contacts", "force of its contacts"]) {
    assert.ok(fields.includes(name), `${name} in ${fields.join()}`);
  }
  await page.close();
});

test("the contact network has lines and its own legend, and the clip plane cuts", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await frame(page, 10);
  await page.locator("#canvas").focus();
  await page.keyboard.press("c");
  await page.waitForFunction(() => (window.impinge?.partOf("contacts")?.lines?.length ?? 0) > 0);
  await page.waitForFunction(() => document.querySelectorAll(".legend").length === 2);
  assert.match((await page.locator("#legend").textContent()) ?? "", /contact force, N/);
  await page.keyboard.press("c");

  const { x, y } = await nearestSphere(page);
  const whole = await pixel(page, x, y);
  await page.evaluate(() => window.impinge?.setClip({ isOn: true, axis: 1, place: 1, flipped: false }));
  assert.notDeepEqual(await pixel(page, x, y), whole);
  await page.close();
});

test("the address holds camera, time, colours and selection", async () => {
  const url = await serve("view", place.path("run"));
  const page = await show(browser, url);
  await frame(page, 7);
  await page.evaluate(() => {
    const app = window.impinge;
    if (!app) return;
    app.viewAlong("+x");
    app.setOrthographic(true);
    app.look({ colour: "radius", map: "magma", log: true });
    app.setClip({ isOn: true, axis: 2, place: 0.25 });
    app.select({ kind: "particles", item: 3 });
  });
  await page.waitForFunction(() => location.hash.includes("select"));
  await page.waitForTimeout(500);
  const other = await show(browser, page.url());
  const read = (p: typeof page): Promise<unknown> =>
    p.evaluate(() => {
      const app = window.impinge;
      const pose = app?.stage.view.pose();
      return [app?.frame, app?.state.colour, app?.state.map, app?.state.log, app?.state.clip, app?.selection?.item, pose?.azimuth.toFixed(4), pose?.orthographic];
    });
  assert.deepEqual(await read(other), await read(page));
  await page.close();
  await other.close();
});

test("a run is followed while it computes, and the newest frame is shown", async () => {
  writeFileSync(place.path("long.toml"), SCENE.replace("duration = 0.3", "duration = 60"));
  const one = await Served.start("run", place.path("long.toml"), "-o", place.path("live"), "--view");
  served.push(one);
  const page = await open(browser, one.url);
  await page.waitForFunction(() => (window.impinge?.frames.times.length ?? 0) > 2, null, { timeout: 30_000 });
  assert.equal(await page.locator("#state").textContent(), "computing");
  const seen = await page.evaluate(() => ({ frame: window.impinge?.frame ?? 0, rows: window.impinge?.history.times.length ?? 0 }));
  await page.waitForFunction(({ frame: n }) => (window.impinge?.frame ?? 0) > n, seen, { timeout: 30_000 });
  await page.waitForFunction(({ rows }) => (window.impinge?.history.times.length ?? 0) > rows, seen, { timeout: 30_000 });

  await one.end();
  await page.waitForFunction(() => window.impinge?.problem?.includes("connection"), null, { timeout: 20_000 });
  await page.close();
});

test("one self-contained file shows the same from disk, without a network", async () => {
  const file = place.path("run.html");
  impinge("view", place.path("run"), "--html", file, "--quiet");
  const context = await browser.newContext({ offline: true, viewport: { width: 1000, height: 700 } });
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(`file://${file}`);
  await page.waitForFunction(() => (window.impinge?.firstPicture ?? null) !== null, null, { timeout: 30_000 });
  await frame(page, 10);
  assert.equal(await page.evaluate(() => window.impinge?.frames.times.length), 11);
  assert.ok((await page.evaluate(() => window.impinge?.history.times.length ?? 0)) > 2);
  assert.deepEqual(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);

  const { x, y, id } = await nearestSphere(page);
  const picked = await page.evaluate(([px, py]) => {
    window.impinge?.click(px, py);
    return window.impinge?.selection?.item;
  }, [x, y] as const);
  assert.equal(picked, id);
  await context.close();
});

test("a distance is measured between two clicked points", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await page.locator("#canvas").focus();
  await page.keyboard.press("d");
  const { x, y } = await nearestSphere(page);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.click((box?.x ?? 0) + x, (box?.y ?? 0) + y);
  await page.mouse.click((box?.x ?? 0) + x + 4, (box?.y ?? 0) + y + 2);
  assert.match((await page.locator("#ruler").textContent()) ?? "", /^distance 0\.0\d+ m/);
  await page.close();
});

test("a picture and a film are saved", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await page.locator("#canvas").focus();
  const [picture] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("p")]);
  const png = readFileSync(await picture.path());
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.match(picture.suggestedFilename(), /^run-000000\.png$/);

  await page.keyboard.press("v");
  await page.keyboard.press("Space");
  await page.waitForTimeout(1500);
  const [film] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("v")]);
  const webm = readFileSync(await film.path());
  assert.equal(webm.readUInt32BE(0), 0x1a45dfa3);
  assert.ok(webm.length > 2000);
  await page.close();
});

test("laptop, tablet and phone: nothing is wider than the screen, and the picture has room", async () => {
  const url = await serve("view", place.path("run"));
  for (const [width, height] of [[1440, 900], [820, 1180], [390, 844]] as const) {
    const page = await show(browser, url, { width, height });
    const scene = await page.locator("#scene").boundingBox();
    assert.ok(scene && scene.width >= 0.65 * Math.min(width, 1190) && scene.height >= 0.4 * height, `${width}: ${JSON.stringify(scene)}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const shot = await page.screenshot();
    assert.ok(shot.length > 10_000);
    await page.close();
  }
});

test("every key does what the help page says", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await frame(page, 5);
  await page.locator("#canvas").focus();
  const state = (): Promise<Record<string, unknown>> =>
    page.evaluate(() => {
      const app = window.impinge;
      if (!app) throw new Error("no app");
      const { view } = app.stage;
      const { colour, map, log, range, theme, contacts, clip, curves, speed, follow, walls, opacity, selected } = app.state;
      const camera = [view.azimuth, view.elevation, view.distance, ...view.target.toArray()].map((x) => x.toFixed(6)).join();
      const shown = { panel: !document.querySelector<HTMLElement>("#panel")?.hidden, help: !document.querySelector<HTMLElement>("#help")?.hidden };
      const look = { colour, map, log, range, theme, contacts, curves, speed, follow };
      const more = { clip: JSON.stringify(clip), walls: JSON.stringify([walls, opacity["walls"]]), selected: selected?.item };
      return { ...look, ...more, ...shown, frame: app.frame, camera, orthographic: view.isOrthographic, measuring: app.measured.isOn };
    });
  // What changes with a key, pressed one after the other.
  const keys: [string, string[]][] = [
    ["ArrowRight", ["frame"]],
    ["ArrowLeft", ["frame"]],
    ["Control+ArrowRight", ["frame"]],
    ["Home", ["frame"]],
    ["End", ["frame"]],
    ["+", ["speed"]],
    ["-", ["speed"]],
    ["Shift+ArrowLeft", ["camera"]],
    ["Shift+ArrowUp", ["camera"]],
    ["Alt+ArrowDown", ["camera"]],
    ["PageUp", ["camera"]],
    ["PageDown", ["camera"]],
    ["0", ["camera"]],
    ["1", ["camera"]],
    ["2", ["camera"]],
    ["3", ["camera"]],
    ["4", ["camera"]],
    ["5", ["camera"]],
    ["6", ["camera"]],
    ["PageUp", ["camera"]],
    ["f", ["camera"]],
    ["o", ["orthographic"]],
    ["]", ["colour"]],
    ["[", ["colour"]],
    ["m", ["map"]],
    ["l", ["log"]],
    ["r", ["range"]],
    ["t", ["theme"]],
    ["c", ["contacts"]],
    ["c", ["contacts"]],
    ["w", ["walls"]],
    ["w", ["walls"]],
    ["x", ["clip"]],
    ["y", ["clip"]],
    [",", ["clip"]],
    [".", ["clip"]],
    ["/", ["clip"]],
    ["g", ["curves"]],
    ["h", ["panel"]],
    ["h", ["panel"]],
    ["n", ["selected"]],
    ["n", ["selected"]],
    ["Shift+N", ["selected"]],
    ["u", ["follow", "camera"]],
    ["d", ["measuring"]],
    ["?", ["help"]],
    ["Escape", ["help", "measuring", "selected", "follow"]],
  ];
  for (const [key, changed] of keys) {
    const before = await state();
    await page.keyboard.press(key);
    await page.waitForTimeout(120);
    const after = await state();
    const found = Object.keys(after).filter((name) => after[name] !== before[name]);
    assert.deepEqual(new Set(found), new Set(changed), key);
  }

  const listed = (await page.locator("#help dt").allTextContents()).join(" ");
  for (const key of "F 0 1 2 3 4 5 6 O [ ] M L R T C W X Y , . / G H N U D P V Esc space Home End".split(" ")) {
    assert.ok(listed.includes(key), `${key} in ${listed}`);
  }
  await page.close();
});

test("help lists the keys, and Escape closes it", async () => {
  const page = await show(browser, await serve("view", place.path("run")));
  await page.locator("#canvas").focus();
  await page.keyboard.press("?");
  assert.match((await page.locator("#help").textContent()) ?? "", /contact network/);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#help").isHidden());
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.documentElement.dataset["theme"] === "dark");
  await page.close();
});

// ── folders that are not as they should be: a sentence, not a blank page ─────

/** What the page says about a folder, once it says what is expected or ten seconds have passed. */
async function sentence(folder: string, expected: RegExp): Promise<string> {
  const page = await open(browser, await serve("view", folder));
  const says = (source: string): boolean => new RegExp(source).test(document.querySelector("#message:not([hidden])")?.textContent ?? "");
  await page.waitForFunction(says, expected.source, { timeout: 10_000 }).catch(() => undefined);
  const text = (await page.locator("#message").textContent()) ?? "";
  await page.close();
  return text;
}

function copyOfRun(name: string): string {
  cpSync(place.path("run"), place.path(name), { recursive: true });
  return place.path(name);
}

test("an empty folder is said to have no run", async () => {
  mkdirSync(place.path("empty"));
  const expected = /There is no run in/;
  assert.match(await sentence(place.path("empty"), expected), expected);
});

test("a half-written frame is named, and the others are shown", async () => {
  const folder = copyOfRun("half");
  truncateSync(`${folder}/frames/particles_000000.vtp`, 900);
  const expected = /Frame 1: .*particles_000000\.vtp/;
  assert.match(await sentence(folder, expected), expected);
  const page = await show(browser, await serve("view", folder));
  await frame(page, 1);
  assert.equal(await page.evaluate(() => window.impinge?.problem), null);
  await page.close();
});

test("a missing frame and a broken series are named", async () => {
  const folder = copyOfRun("missing");
  rmSync(`${folder}/frames/particles_000000.vtp`);
  writeFileSync(`${folder}/solids.pvd`, "<VTKFile type=");
  const expected = /particles_000000\.vtp: there is no such file/;
  const text = await sentence(folder, expected);
  assert.match(text, expected);
  assert.match(text, /Left out: .*solids\.pvd/);
});

test("a run without particles and one of the plane are shown", async () => {
  const folder = copyOfRun("bodies-only");
  for (const name of readdirSync(`${folder}/frames`)) if (name.startsWith("particles")) rmSync(`${folder}/frames/${name}`);
  rmSync(`${folder}/particles.pvd`);
  let page = await show(browser, await serve("view", folder));
  assert.equal(await page.evaluate(() => window.impinge?.problem), null);
  await page.close();

  writeFileSync(place.path("flat.toml"), FLAT);
  impinge("run", place.path("flat.toml"), "-o", place.path("flat"), "--quiet");
  page = await show(browser, await serve("view", place.path("flat")));
  assert.ok(await page.evaluate(() => window.impinge?.stage.view.isOrthographic));
  const { x, y } = await page.evaluate(() => window.impinge?.stage.project([0, 0.3, 0]) ?? { x: 0, y: 0 });
  assert.notDeepEqual(await pixel(page, x, y), await pixel(page, 5, 300));
  await page.close();
});

test("a coordinate that is no number is named", async () => {
  const folder = copyOfRun("nan");
  const points = "0 0 0.1 nan 0 0.2";
  writeFileSync(
    `${folder}/frames/particles_000000.vtp`,
    `<?xml version="1.0"?><VTKFile type="PolyData" version="1.0" byte_order="LittleEndian" header_type="UInt64"><PolyData>
<Piece NumberOfPoints="2" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="0"><Points>
<DataArray type="Float64" Name="Points" NumberOfComponents="3" format="ascii">${points}</DataArray></Points></Piece></PolyData></VTKFile>`,
  );
  const expected = /not finite|nan/;
  assert.match(await sentence(folder, expected), expected);
});

test("a run of another version is shown with a note", async () => {
  const folder = copyOfRun("future");
  const summary = JSON.parse(readFileSync(`${folder}/summary.json`, "utf8")) as { version: string };
  summary.version = "99.0.0";
  writeFileSync(`${folder}/summary.json`, JSON.stringify(summary));
  const expected = /written by impinge 99\.0\.0/;
  assert.match(await sentence(folder, expected), expected);
});

test("data of another format is refused in a sentence", async () => {
  const file = place.path("other.html");
  const text = readFileSync(place.path("run.html"), "utf8");
  writeFileSync(file, text.replace('"manifest":{"format":1,', '"manifest":{"format":2,'));
  const page = await open(browser, `file://${file}`);
  await page.waitForSelector("#message:not([hidden])");
  assert.match((await page.locator("#message").textContent()) ?? "", /format 2/);
  await page.close();
});

// ── other results ────────────────────────────────────────────────────────────

test("a mesh is shown with its open edges marked", async () => {
  impinge("mesh", "sphere", "--level", "2", "-o", place.path("ball.obj"), "--quiet");
  const lines = readFileSync(place.path("ball.obj"), "utf8").split("\n");
  const last = lines.map((line, i) => (line.startsWith("f ") ? i : -1)).filter((i) => i >= 0).at(-1) ?? 0;
  lines.splice(last, 1);
  writeFileSync(place.path("open.obj"), lines.join("\n"));
  const page = await show(browser, await serve("view", place.path("open.obj")));
  const kinds = await page.evaluate(() => window.impinge?.manifest?.series.map(({ kind, label }) => `${kind}: ${label}`));
  assert.ok(kinds?.includes("open-edges: 3 open edges"), kinds?.join());
  assert.match((await page.locator("#message").textContent()) ?? "", /breaks the surface/);
  await page.close();
});

test("inside, collide, contacts and predict show their results", async () => {
  impinge("mesh", "sphere", "--level", "2", "-o", place.path("a.stl"), "--quiet");
  copyFileSync(place.path("a.stl"), place.path("b.stl"));
  writeFileSync(
    place.path("paths.toml"),
    `gravity = [0, 0, 0]\n[run]\nduration = 5\n` +
      `[[body]]\nname = "left"\nshape = { mesh = "a.stl" }\nposition = [0, 0, 0]\nvelocity = [1, 0, 0]\n` +
      `[[body]]\nname = "right"\nshape = { mesh = "b.stl" }\nposition = [5, 0, 0]\n`,
  );
  const commands: [string[], string[]][] = [
    [["inside", place.path("a.stl"), "grid:12"], ["mesh", "points", "outside-points"]],
    [["collide", place.path("a.stl"), place.path("b.stl")], ["mesh"]],
    [["contacts", place.path("a.stl"), place.path("b.stl")], ["a", "b", "points"]],
    [["predict", place.path("paths.toml")], ["bodies"]],
  ];

  for (const [words, expected] of commands) {
    const file = place.path(`${words[0]}.html`);
    impinge(...words, `--view=${file}`, "--quiet");
    assert.ok(existsSync(file));
    const page = await show(browser, `file://${file}`);
    const kinds = await page.evaluate(() => window.impinge?.manifest?.series.map(({ kind }) => kind));
    assert.deepEqual(kinds, expected);
    assert.equal(await page.evaluate(() => window.impinge?.problem), null);
    if (words[0] === "predict") {
      assert.ok((await page.locator(".event").count()) >= 1);
      await page.locator(".event").last().click();
      await page.waitForFunction(() => (window.impinge?.time ?? 0) > 1);
    }
    await page.close();
  }
});

test("a served page ends with its command and asks nobody else", async () => {
  const one = await Served.start("view", place.path("run"));
  const page = await open(browser, one.url);
  const origins = new Set<string>();
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  await page.waitForFunction(() => (window.impinge?.firstPicture ?? null) !== null);
  await one.end();
  assert.ok([...origins].every((origin) => origin === new URL(one.url).origin || origin === "null"), [...origins].join());
  await page.close();
});
