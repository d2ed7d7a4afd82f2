/** Keeps picture, data and choices together: every control calls a method here, and hears of every change. */

import { ContactEnds } from "./contacts";
import { choices, itemField, rangeOf, values, type Choice } from "./fields";
import { Frames } from "./frames";
import { History } from "./history";
import { colourAt, type AnyMap, type MapName, type Rgb } from "./maps";
import { fieldOf, pointOf, type Part } from "./part";
import type { Colouring, Pick } from "./scene/layer";
import { Mode, mapTexture } from "./scene/shading";
import { DEFAULT_AZIMUTH, DEFAULT_ELEVATION } from "./scene/camera";
import { Stage } from "./scene/stage";
import type { Source } from "./source";
import { decode, encode, type State, type Theme } from "./state";
import { FORMAT, type Manifest, type Series, type Vec3 } from "./types";

/** Pictures a second at speed 1. */
const RATE = 15;

/** Milliseconds between questions for new frames: of a run that computes, and of one that has ended. */
const POLL = { computing: 700, ended: 3000 };

/** Opacity of walls, and of bodies while the contact network is shown. */
const WALL_OPACITY = 0.22;
const GHOST_OPACITY = 0.12;

/** The maps of the contact network, apart from those of the bodies. */
const NETWORK_MAPS: Record<Theme, AnyMap> = { light: "lines-light", dark: "lines-dark" };

const PLAIN: Record<string, Rgb> = {
  particles: [122, 148, 178],
  bodies: [150, 170, 190],
  solids: [214, 138, 94],
  walls: [150, 163, 178],
  contacts: [200, 60, 40],
  mesh: [168, 182, 198],
  a: [110, 150, 190],
  b: [214, 160, 90],
  "open-edges": [220, 40, 60],
  "non-manifold-edges": [235, 140, 0],
  "inverted-edges": [190, 60, 200],
  "inverted-cells": [190, 60, 200],
};

/** Colour of a kind that is not coloured by a field. */
export function plainColour({ kind }: Series, index: number): Rgb {
  return PLAIN[kind] ?? colourAt("cividis", (index * 0.37) % 1);
}

export interface Selection {
  kind: string;
  item: number;
  /** Its row in the part: the sphere, or the first triangle and the one after the last. */
  rows: [number, number] | null;
  centre: Vec3 | null;
}

/** What the legend shows. */
export interface LegendInfo {
  choice: Choice;
  range: [number, number];
  isLog: boolean;
  categories: { label: string; index: number }[] | null;
  categoryCount: number;
  map: MapName;
}

export class App {
  readonly frames: Frames;
  readonly history = new History();
  readonly stage: Stage;
  manifest: Manifest | null = null;
  state: State;
  frame = 0;
  isPlaying = false;
  /** Whether the newest frame is shown as soon as it is there. */
  isAtEnd = false;
  /** A sentence about what is wrong, or null. */
  problem: string | null = null;
  choices: Choice[] = [];
  legend: LegendInfo | null = null;
  contactRange: [number, number] | null = null;
  selection: Selection | null = null;
  measured: { points: Vec3[]; isOn: boolean } = { points: [], isOn: false };
  /** Milliseconds from the page's start to the first picture. */
  firstPicture: number | null = null;
  /** Pictures a second while playing. */
  rate = 0;
  /** Milliseconds that the stages of the last frame took: waiting for its data, filling buffers, choosing colours. */
  readonly stages = { load: 0, fill: 0, colour: 0 };
  private readonly parts = new Map<string, Part>();
  private readonly listeners: (() => void)[] = [];
  private map: { name: MapName; texture: ReturnType<typeof mapTexture> };
  private readonly networkMaps = { light: mapTexture(NETWORK_MAPS.light), dark: mapTexture(NETWORK_MAPS.dark) };
  private request = 0;
  private lastFrameAt = 0;
  private isLocated = false;
  private ghostBefore: Record<string, number> | null = null;

  constructor(
    private readonly source: Source,
    canvas: HTMLCanvasElement,
    theme: Theme,
  ) {
    this.frames = new Frames(source);
    this.stage = new Stage(canvas);
    this.state = decode(location.hash.slice(1), theme);
    this.map = { name: this.state.map, texture: mapTexture(this.state.map) };
  }

  /** Calls back after every change. */
  changed(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Notifies all controls, and writes the address. */
  tell(): void {
    for (const listener of this.listeners) listener();
    this.writeAddress();
  }

  private addressTimer = 0;

  /** Browsers limit how often an address may change. */
  private writeAddress(): void {
    window.clearTimeout(this.addressTimer);
    this.addressTimer = window.setTimeout(() => {
      // Before the first picture, the address is still being followed.
      if (!this.isLocated || this.firstPicture === null) return;
      this.state.pose = this.stage.view.pose();
      this.state.time = this.isAtEnd && this.source.isLive && this.isComputing ? null : (this.time ?? null);
      history.replaceState(null, "", `#${encode(this.state)}`);
    }, 300);
  }

  get isComputing(): boolean {
    return this.manifest?.state === "computing";
  }

  get time(): number | undefined {
    return this.frames.times[this.frame];
  }

  /** Index of the axis that points up. */
  get up(): 0 | 1 | 2 {
    return this.manifest?.dimension === 2 ? 1 : 2;
  }

  /** Starts: reads the manifest, shows the first picture, and goes on asking if the run may grow. */
  async start(): Promise<void> {
    this.applyTheme();
    await this.refresh();
    if (this.source.isLive) void this.poll();
  }

  private async poll(): Promise<void> {
    for (;;) {
      const wait = this.isComputing || this.frames.times.length === 0 ? POLL.computing : POLL.ended;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!document.hidden) await this.refresh();
    }
  }

  /** Reads the manifest again and shows what is new. */
  async refresh(): Promise<void> {
    let manifest: Manifest;
    try {
      manifest = await this.source.manifest();
    } catch (error) {
      this.problem = this.manifest
        ? "The connection to impinge is lost: the command was ended. What is loaded can still be looked at."
        : `There is nothing to show: ${sentence(error)}`;
      this.tell();
      return;
    }

    if (manifest.format !== FORMAT) {
      this.problem = `This page reads format ${FORMAT}, but the data has format ${manifest.format}: use the page of the same version of impinge.`;
      this.tell();
      return;
    }
    await this.take(manifest);
  }

  private async take(manifest: Manifest): Promise<void> {
    const before = this.manifest;
    const count = this.frames.times.length;
    const wasAtEnd = this.isAtEnd;
    this.manifest = manifest;
    this.problem = manifest.problem;
    this.frames.update(manifest);
    document.title = `${manifest.title} – impinge`;

    const kinds = (one: Manifest | null): string => (one?.series ?? []).map((series) => series.kind).join();
    if (!before || kinds(before) !== kinds(manifest)) this.build(manifest);
    if (!this.isLocated && manifest.bounds) this.locate(manifest);
    await this.readHistory(manifest);

    const times = this.frames.times;
    if (times.length === 0) {
      this.problem ??= this.isComputing
        ? "The run has not written its first frame yet; this page shows it as soon as it is there."
        : "There are no frames in this folder.";
      this.tell();
      return;
    }
    if (!before || count === 0) {
      this.frame = this.state.time === null ? (this.isComputing ? times.length - 1 : 0) : this.frameAt(this.state.time);
      this.isAtEnd = this.isComputing && this.frame === times.length - 1;
      await this.show(this.frame);
    } else if (times.length !== count && wasAtEnd && !this.isPlaying) {
      await this.show(times.length - 1);
    } else if (this.frame >= times.length) {
      await this.show(times.length - 1);
    } else {
      this.tell();
    }
  }

  /** Makes a layer for each series. */
  private build(manifest: Manifest): void {
    this.stage.setLayers(manifest.series, plainColour);
    this.parts.clear();
    for (const layer of this.stage.layers) {
      layer.setOpacity(this.opacityOf(layer.series));
      if (layer.series.role === "walls") layer.setItemOpacities(this.wallOpacities());
    }
  }

  /** Sets the scene's box, the half-spaces and the first view. */
  private locate(manifest: Manifest): void {
    const { bounds, origin } = manifest;
    if (!bounds) return;
    const relative = (point: Vec3): Vec3 => point.map((x, i) => x - (origin[i] ?? 0)) as Vec3;
    const [min, max] = [relative(bounds.min), relative(bounds.max)];
    this.stage.setBounds(min, max);
    const up: Vec3 = manifest.dimension === 2 ? [0, 1, 0] : upOf(manifest.gravity);
    this.stage.planes.set(manifest.walls, min, max, origin, up);
    manifest.walls.forEach((_, i) => this.stage.planes.setVisible(i, (this.state.walls[i] ?? 1) > 0));
    this.isLocated = true;

    if (this.state.pose) this.stage.view.take(this.state.pose);
    else this.resetView();
  }

  private async readHistory({ history }: Manifest): Promise<void> {
    if (!history || history.bytes === this.history.read) return;
    // A shorter table is that of a run that was started over.
    if (history.bytes < this.history.read) this.history.clear();
    try {
      this.history.add(await this.source.table(history.path, this.history.read));
    } catch {
      // Curves are optional: they need the history table.
    }
  }

  frameAt(time: number): number {
    const { times } = this.frames;
    let best = 0;
    times.forEach((one, i) => {
      if (Math.abs(one - time) < Math.abs((times[best] ?? 0) - time)) best = i;
    });
    return best;
  }

  /** Kinds whose parts the picture needs now. */
  private neededKinds(): string[] {
    return (this.manifest?.series ?? [])
      .filter((series) => {
        if (series.role === "contacts") return this.state.contacts || this.state.colour.startsWith("#") || !!this.state.selected;
        return this.opacityOf(series) > 0;
      })
      .map(({ kind }) => kind);
  }

  /** Shows a frame; a later call overtakes an earlier one that still loads. */
  async show(frame: number): Promise<void> {
    const last = this.frames.times.length - 1;
    const wanted = Math.min(last, Math.max(0, frame));
    const time = this.frames.times[wanted];
    if (time === undefined) return;
    const request = ++this.request;
    const asked = performance.now();
    const kinds = this.neededKinds();
    const loaded = await Promise.all(
      kinds.map((kind) => this.frames.load(kind, time).then((part) => ({ kind, part }), (error: unknown) => ({ kind, error }))),
    );
    if (request !== this.request) return;
    this.stages.load = performance.now() - asked;

    const failures: string[] = [];
    for (const result of loaded) {
      if ("error" in result) {
        failures.push(sentence(result.error));
        this.parts.delete(result.kind);
      } else if (result.part) this.parts.set(result.kind, result.part);
      else this.parts.delete(result.kind);
    }
    this.problem = failures[0] ? `Frame ${wanted + 1}: ${failures[0]}` : (this.manifest?.problem ?? null);
    this.frame = wanted;
    this.isAtEnd = wanted === last;

    this.present();
    this.frames.focus(wanted, kinds);
    this.tell();
  }

  /** Hands the loaded parts to the layers, colours them and draws. */
  private present(): void {
    const start = performance.now();
    const radius = this.pointRadius();
    for (const layer of this.stage.layers) {
      const part = this.parts.get(layer.series.kind) ?? null;
      if (part !== layer.part) layer.set(part, radius);
    }
    this.stages.fill = performance.now() - start;
    const parts = this.stage.layers.filter(({ series }) => series.role !== "contacts").flatMap(({ part }) => part ?? []);
    const hasContacts = this.manifest?.series.some(({ role }) => role === "contacts") ?? false;
    this.choices = choices(parts, hasContacts && this.manifest?.state !== "still");
    this.recolour();
    this.locateSelection();

    if (this.firstPicture === null) {
      this.stage.draw();
      this.firstPicture = performance.now();
    }
  }

  /** Radius of points that have none, from how densely they fill the box. */
  private pointRadius(): number {
    const { min, max } = this.stage.bounds;
    const size = Math.hypot(...max.map((x, i) => x - (min[i] ?? 0)));
    const most = Math.max(1, ...[...this.parts.values()].map((part) => (part.vertices ? part.points : 0)));
    return size * Math.min(0.01, 0.25 / Math.cbrt(most));
  }

  /** Colours all layers by the chosen field. */
  recolour(): void {
    const { state } = this;
    const start = performance.now();
    if (this.map.name !== state.map) {
      this.map.texture.dispose();
      this.map = { name: state.map, texture: mapTexture(state.map) };
    }
    // Default fields for results of other commands, which have no velocities.
    const wanted = [state.colour, "velocity", "gap", "touched", "body", "none"];
    const choice = wanted.map((name) => this.choices.find(({ key }) => key === name)).find((one) => one !== undefined);
    if (!choice) return;

    const derived = this.derived(choice.key);
    const colouring: Colouring = {
      key: choice.key,
      mode: choice.categories ? Mode.Categories : state.log ? Mode.Log : Mode.Linear,
      range: choice.categories ? [0, 1] : this.rangeFor(choice.key, derived),
      categoryCount: choice.categories ? this.categoryCount(choice.key) : 0,
      map: this.map.texture,
      derived,
    };
    for (const layer of this.stage.layers) layer.colour(colouring, this.up);
    this.colourContacts();

    const categoryCount = colouring.categoryCount;
    this.legend = {
      choice,
      range: colouring.range,
      isLog: colouring.mode === Mode.Log,
      categories: choice.categories ? this.categoryNames(choice.key, categoryCount) : null,
      categoryCount,
      map: state.map,
    };
    this.stages.colour = performance.now() - start;
    this.stage.invalidate();
  }

  /** Values that follow from the contacts of a frame, by kind. */
  private derived(key: string): Map<string, ArrayLike<number>> {
    const out = new Map<string, ArrayLike<number>>();
    const ends = key.startsWith("#") ? this.contactEnds() : null;
    if (!ends) return out;
    for (const { series, part } of this.stage.layers) {
      if (!part || series.role !== "matter") continue;
      const items = itemField(part);
      const size = 1 + (rangeOf(items?.values ?? [part.points - 1])?.[1] ?? 0);
      const { counts, forces } = ends.totals(series.kind, size);
      const total = key === "#contacts" ? counts : forces;
      // Spheres have a value each, in the order of the part; other bodies by their number.
      const isById = part.vertices && items;
      out.set(series.kind, isById ? Float32Array.from(items.values, (id: number) => total[id] ?? 0) : total);
    }
    return out;
  }

  private endsOf: { contacts: Part; ends: ContactEnds } | null = null;

  contactEnds(): ContactEnds | null {
    const contacts = this.parts.get("contacts");
    if (!contacts) return null;
    if (this.endsOf?.contacts !== contacts) {
      this.endsOf = { contacts, ends: new ContactEnds(contacts, this.parts.get("particles") ?? null) };
    }
    return this.endsOf.ends;
  }

  private rangeFor(key: string, derived: ReadonlyMap<string, ArrayLike<number>>): [number, number] {
    const { state } = this;
    if (state.range === "fixed") return state.fixed;
    const known = state.range === "run" ? this.manifest?.ranges[key] : undefined;
    const found = known ?? this.frameRange(key, derived) ?? [0, 1];
    return widened(found, state.log);
  }

  /** Range of a field in the frame shown. */
  private frameRange(key: string, derived: ReadonlyMap<string, ArrayLike<number>>): [number, number] | null {
    const ranges = this.stage.layers.flatMap(({ series, part }) => {
      if (!part || series.role !== "matter") return [];
      const found = derived.get(series.kind) ?? values(part, key, this.up, 0)?.values;
      return found ? [rangeOf(found)].filter((range) => range !== null) : [];
    });
    if (ranges.length === 0) return null;
    return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  }

  private categoryCount(key: string): number {
    if (key === "kind") return this.stage.layers.length;
    if (key === "material") return Math.max(1, this.manifest?.materials.length ?? 1);
    const tops = this.stage.layers.flatMap(({ part }) => {
      const field = part && fieldOf(part, key);
      return field ? [rangeOf(field.values)?.[1] ?? 0] : [];
    });
    return Math.max(0, ...tops) + 1;
  }

  private categoryNames(key: string, count: number): { label: string; index: number }[] {
    const { manifest } = this;
    if (key === "kind") {
      return this.stage.layers
        .map(({ series }, index) => ({ label: series.label, index, role: series.role }))
        .filter(({ role }) => role === "matter");
    }
    const names = key === "material" ? manifest?.materials : key === "wall" ? manifest?.walls.map(({ name }) => name) : NAMES[key];
    if (count > 8) return [];
    return Array.from({ length: count }, (_, index) => ({ label: names?.[index] ?? `${key} ${index}`, index }));
  }

  /** Colours and thickness of the contact network, by force. */
  private colourContacts(): void {
    const { min, max } = this.stage.bounds;
    const size = Math.hypot(...max.map((x, i) => x - (min[i] ?? 0)));
    for (const one of this.stage.layers) {
      if (one.series.role !== "marks") continue;
      one.setLines({ mode: Mode.Plain, range: [0, 1], map: this.networkMaps[this.state.theme] }, 0.002 * size, 1.2 * this.stage.pixelSize);
    }
    const layer = this.stage.layers.find(({ series }) => series.role === "contacts");
    this.contactRange = null;
    if (!layer) return;
    layer.setOpacity(this.state.contacts || this.manifest?.state === "still" ? 1 : 0);
    const force = layer.part && fieldOf(layer.part, "force", "lines");
    if (!force) return;
    const known = this.state.range === "run" ? this.manifest?.ranges["force"] : undefined;
    const found = known ?? rangeOf(force.values) ?? [0, 1];
    const range = this.state.contactsLog ? widened(found, true) : ([0, found[1] > 0 ? found[1] : 1] as [number, number]);
    this.contactRange = range;
    const mode = this.state.contactsLog ? Mode.Log : Mode.Linear;
    const thickness = this.rodRadius() * this.state.thickness;
    layer.setLines({ mode, range, map: this.networkMaps[this.state.theme] }, thickness, 1.1 * this.stage.pixelSize);
  }

  /** Radius of the rod of the largest force: a fraction of a body's size. */
  private rodRadius(): number {
    const spheres = this.parts.get("particles");
    const radii = spheres && fieldOf(spheres, "radius")?.values;
    if (radii && radii.length > 0) return 0.4 * (radii[Math.floor(radii.length / 2)] ?? 1);
    const { min, max } = this.stage.bounds;
    return 0.006 * Math.hypot(...max.map((x, i) => x - (min[i] ?? 0)));
  }

  get networkMapName(): AnyMap {
    return NETWORK_MAPS[this.state.theme];
  }

  // ── time ──────────────────────────────────────────────────────────────────

  async play(isPlaying: boolean): Promise<void> {
    if (isPlaying === this.isPlaying) return;
    this.isPlaying = isPlaying;
    this.tell();
    if (!isPlaying) return;
    if (this.frame >= this.frames.times.length - 1 && !this.isComputing) await this.show(0);
    let shownAt = performance.now();

    while (this.isPlaying) {
      const wait = 1000 / (RATE * this.state.speed) - (performance.now() - shownAt);
      await new Promise<void>((resolve) => (wait > 4 ? setTimeout(resolve, wait) : requestAnimationFrame(() => resolve())));
      if (!this.isPlaying) break;
      const now = performance.now();
      this.rate = 0.8 * this.rate + (0.2 * 1000) / Math.max(1, now - this.lastFrameAt);
      this.lastFrameAt = shownAt = now;

      if (this.frame < this.frames.times.length - 1) await this.show(this.frame + 1);
      else if (!this.isComputing) this.isPlaying = false;
    }
    this.tell();
  }

  step(frames: number): void {
    this.isPlaying = false;
    void this.show(this.frame + frames);
  }

  setSpeed(speed: number): void {
    this.state.speed = Math.min(16, Math.max(0.0625, speed));
    this.tell();
  }

  // ── look ──────────────────────────────────────────────────────────────────

  /** Changes choices that only recolour what is loaded. */
  look(change: Partial<State>): void {
    Object.assign(this.state, change);
    // Numbers of contacts need the contacts.
    if (this.neededKinds().some((kind) => !this.parts.has(kind))) void this.show(this.frame);
    this.recolour();
    this.tell();
  }

  setContacts(isOn: boolean): void {
    const matter = this.stage.layers.filter(({ series }) => series.role === "matter");
    if (isOn && !this.state.contacts) {
      // Fades the bodies, so that the contact network is visible.
      this.ghostBefore = { ...this.state.opacity };
      for (const { series } of matter) {
        if (this.opacityOf(series) > GHOST_OPACITY) this.setOpacity(series.kind, GHOST_OPACITY);
      }
    } else if (!isOn && this.state.contacts) {
      for (const { series } of matter) this.setOpacity(series.kind, this.ghostBefore?.[series.kind] ?? 1);
    }
    this.look({ contacts: isOn });
  }

  opacityOf({ kind, role }: Series): number {
    if (role === "contacts") return this.state.contacts ? 1 : 0;
    const standard = kind === "outside-points" ? 0 : role === "walls" && this.hasMatter ? WALL_OPACITY : 1;
    return this.state.opacity[kind] ?? standard;
  }

  private get hasMatter(): boolean {
    return this.manifest?.series.some(({ role }) => role === "matter") ?? false;
  }

  setOpacity(kind: string, opacity: number): void {
    const layer = this.stage.layer(kind);
    if (!layer) return;
    this.state.opacity[kind] = opacity;
    layer.setOpacity(opacity);
    if (opacity > 0 && !this.parts.has(kind)) void this.show(this.frame);
    this.stage.invalidate();
    this.tell();
  }

  private wallOpacities(): number[] {
    return (this.manifest?.walls ?? []).map((_, i) => this.state.walls[i] ?? 1);
  }

  setWall(number: number, opacity: number): void {
    this.state.walls[number] = opacity;
    for (const layer of this.stage.layers) {
      if (layer.series.role === "walls") layer.setItemOpacities(this.wallOpacities());
    }
    this.stage.planes.setVisible(number, opacity > 0);
    this.stage.invalidate();
    this.tell();
  }

  setClip(change: Partial<State["clip"]>): void {
    this.state.clip = { ...this.state.clip, ...change };
    this.state.clip.place = Math.min(1, Math.max(0, this.state.clip.place));
    this.stage.setClip(this.state.clip);
    this.tell();
  }

  setTheme(theme: Theme): void {
    this.state.theme = theme;
    this.applyTheme();
    this.tell();
  }

  private applyTheme(): void {
    const isDark = this.state.theme === "dark";
    document.documentElement.dataset["theme"] = this.state.theme;
    this.stage.planes.setTheme(isDark);
    this.stage.setBackground(isDark ? "#12161c" : "#f4f6f8");
    this.stage.setClip(this.state.clip);
    this.colourContacts();
  }

  // ── camera ────────────────────────────────────────────────────────────────

  resetView(): void {
    const { view } = this.stage;
    const isFlat = this.manifest?.dimension === 2;
    view.azimuth = isFlat ? 0 : DEFAULT_AZIMUTH;
    view.elevation = isFlat ? Math.PI / 2 : DEFAULT_ELEVATION;
    view.isOrthographic = isFlat;
    this.fit();
  }

  fit(): void {
    this.stage.fit();
    this.moved();
  }

  /** Looks along an axis: "+x" looks in the direction of x. */
  viewAlong(axis: string): void {
    const { view } = this.stage;
    const angles: Record<string, [number, number]> = {
      "+x": [Math.PI / 2, 0],
      "-x": [-Math.PI / 2, 0],
      "+y": [0, 0],
      "-y": [Math.PI, 0],
      "+z": [0, -Math.PI / 2],
      "-z": [0, Math.PI / 2],
    };
    [view.azimuth, view.elevation] = angles[axis] ?? [0, 0];
    this.fit();
  }

  setOrthographic(isOn: boolean): void {
    this.stage.view.isOrthographic = isOn;
    this.moved();
  }

  /** The camera moved: rods keep their least width, the address its camera. */
  moved(): void {
    this.colourContacts();
    this.stage.invalidate();
    this.tell();
  }

  // ── bodies ────────────────────────────────────────────────────────────────

  click(x: number, y: number): void {
    const pick = this.stage.pick(x, y);
    if (this.measured.isOn) {
      const point = pick && this.stage.pointAt(pick, x, y);
      if (point) this.measure(point);
      return;
    }
    this.select(pick && pick.what !== "line" ? { kind: pick.kind, item: this.itemOf(pick) } : null);
  }

  /** Number of the object that a picked sphere or triangle belongs to. */
  itemOf(pick: Pick): number {
    const part = this.parts.get(pick.kind);
    const field = part && itemField(part);
    if (!part || !field) return pick.index;
    return field.values[pick.index] ?? pick.index;
  }

  select(selected: { kind: string; item: number } | null): void {
    this.state.selected = selected;
    if (!selected) this.state.follow = false;
    if (selected && this.neededKinds().some((kind) => !this.parts.has(kind))) void this.show(this.frame);
    this.locateSelection();
    this.tell();
  }

  /** Selects the next body of the same kind, or the first of all. */
  selectNext(by: number): void {
    const layer = this.stage.layer(this.state.selected?.kind ?? "") ?? this.stage.layers.find(({ series }) => series.role === "matter");
    if (!layer?.part) return;
    const items = [...new Set(itemField(layer.part)?.values ?? Array.from({ length: layer.part.points }, (_, i) => i))].sort((a, b) => a - b);
    const at = items.indexOf(this.state.selected?.item ?? -1);
    const next = items[at < 0 ? 0 : (at + by + items.length) % items.length];
    if (next !== undefined) this.select({ kind: layer.series.kind, item: next });
  }

  setFollow(isOn: boolean): void {
    this.state.follow = isOn && this.state.selected !== null;
    this.locateSelection();
    this.tell();
  }

  /** Finds the selected body in the frame shown, marks it, and moves the camera along if asked. */
  private locateSelection(): void {
    const { selected } = this.state;
    for (const layer of this.stage.layers) layer.select(-1, [-1, -1]);
    this.selection = null;
    this.stage.invalidate();
    if (!selected) return;
    this.selection = { ...selected, rows: null, centre: null };
    const layer = this.stage.layer(selected.kind);
    if (!layer?.part) return;

    const rows = rowsOf(layer.part, selected.item);
    if (!rows) return;
    this.selection.rows = rows;
    this.selection.centre = centreOf(layer.part, rows);
    layer.select(layer.part.vertices ? rows[0] : -1, layer.part.vertices ? [-1, -1] : rows);
    if (this.state.follow && this.selection.centre) this.stage.view.target.set(...this.selection.centre);
  }

  /** Number of parts in the picture. */
  get partCount(): number {
    return this.parts.size;
  }

  partOf(kind: string): Part | undefined {
    return this.parts.get(kind);
  }

  // ── measuring ─────────────────────────────────────────────────────────────

  setMeasuring(isOn: boolean): void {
    this.measured = { points: [], isOn };
    this.drawMeasure();
    this.tell();
  }

  private measure(point: Vec3): void {
    const points = this.measured.points.length >= 2 ? [point] : [...this.measured.points, point];
    this.measured = { points, isOn: true };
    this.drawMeasure();
    this.tell();
  }

  private drawMeasure(): void {
    const [a, b] = this.measured.points;
    const size = 8 * this.stage.pixelSize * (this.stage.view.isOrthographic ? 1 : this.stage.view.distance);
    const crosses = this.measured.points.flatMap((p) =>
      [0, 1, 2].map((axis): [Vec3, Vec3] => {
        const shifted = (by: number): Vec3 => p.map((x, i) => x + (i === axis ? by : 0)) as Vec3;
        return [shifted(-size), shifted(size)];
      }),
    );
    this.stage.setMarks([...crosses, ...(a && b ? [[a, b] as [Vec3, Vec3]] : [])], "#ff5a1f");
  }
}

const NAMES: Record<string, string[]> = {
  touched: ["not touched", "touched", "its face is in another", "both"],
  status: ["one closest point", "several", "unsure"],
};

/** The sphere, or the triangles, of an object; triangles of one object are neighbours in the frame. */
function rowsOf(part: Part, item: number): [number, number] | null {
  const field = itemField(part);
  if (!field) {
    const count = part.vertices ? part.points : (part.triangles?.length ?? 0) / 3;
    return item < count ? [item, item + 1] : null;
  }
  const first = field.values.indexOf(item);
  if (first < 0) return null;
  let end = first + 1;
  if (!part.vertices) while (field.values[end] === item) end++;
  return [first, end];
}

function centreOf(part: Part, [first, end]: [number, number]): Vec3 {
  if (part.vertices) return pointOf(part, first);
  const sum: Vec3 = [0, 0, 0];
  for (let i = 3 * first; i < 3 * end; i++) {
    pointOf(part, part.triangles?.[i] ?? 0).forEach((x, k) => (sum[k as 0 | 1 | 2] += x));
  }
  return sum.map((x) => x / Math.max(1, 3 * (end - first))) as Vec3;
}

/** A range that can be drawn: not empty, and above zero if logarithmic. */
function widened([low, high]: [number, number], isLog: boolean): [number, number] {
  if (isLog) {
    const top = high > 0 ? high : 1;
    return [low > 0 && low < top ? Math.max(low, top * 1e-6) : top * 1e-4, top];
  }
  // Equal up to rounding, such as the speeds of bodies that all fall: the range begins at zero.
  if (high - low > 1e-6 * Math.max(Math.abs(low), Math.abs(high))) return [low, high];
  return low === 0 && high === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
}

function upOf(gravity: Vec3 | null): Vec3 {
  const size = gravity ? Math.hypot(...gravity) : 0;
  return gravity && size > 0 ? (gravity.map((x) => -x / size) as Vec3) : [0, 0, 1];
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
