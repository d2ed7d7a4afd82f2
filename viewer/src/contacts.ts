/** Who touches whom: the ends of the contacts of a frame. */

import { fieldOf, pointOf, type Field, type Part } from "./part";

/** Kinds by their number in contact frames. */
const KINDS = ["particles", "bodies", "solids", "walls"];

/** One end of a contact: a body by kind and number, or unknown. */
export interface End {
  kind: string | null;
  item: number;
}

/** Reads the ends of contacts from the frame, or finds them among the centres of the spheres. */
export class ContactEnds {
  private readonly fields: { kind: Field | undefined; index: Field }[] | null;
  private readonly centres: CentreTable | null;

  constructor(
    private readonly contacts: Part,
    private readonly spheres: Part | null,
  ) {
    const sides = ["a", "b"].map((side) => ({
      kind: find(contacts, side, ["kind"]),
      index: find(contacts, side, ["index", "id", "body", ""]),
    }));
    const known = sides.filter((side): side is { kind: Field | undefined; index: Field } => !!side.index);
    this.fields = known.length === 2 ? known : null;
    this.centres = this.fields || !spheres ? null : new CentreTable(spheres);
  }

  get count(): number {
    return (this.contacts.lines?.length ?? 0) / 2;
  }

  /** The two bodies of a contact. */
  ends(contact: number): [End, End] {
    if (this.fields) {
      const [a, b] = this.fields.map(({ kind, index }) => {
        const item = index.values[contact] ?? -1;
        const named = kind ? (KINDS[kind.values[contact] ?? -1] ?? null) : "particles";
        return { kind: item < 0 ? null : named, item };
      });
      return [a as End, b as End];
    }

    const [a, b] = [0, 1].map((side) => this.byPlace(this.contacts.lines?.[2 * contact + side] ?? 0));
    return [a as End, b as End];
  }

  private byPlace(node: number): End {
    const row = this.centres?.find(pointOf(this.contacts, node)) ?? -1;
    if (row < 0 || !this.spheres) return { kind: null, item: -1 };
    return { kind: "particles", item: fieldOf(this.spheres, "id")?.values[row] ?? row };
  }

  /** Number and summed force of the contacts of each body of a kind. */
  totals(kind: string, size: number): { counts: Float32Array; forces: Float32Array } {
    const [counts, forces] = [new Float32Array(size), new Float32Array(size)];
    const force = fieldOf(this.contacts, "force")?.values;
    for (let contact = 0; contact < this.count; contact++) {
      for (const end of this.ends(contact)) {
        if (end.kind !== kind || end.item < 0 || end.item >= size) continue;
        counts[end.item] = (counts[end.item] ?? 0) + 1;
        forces[end.item] = (forces[end.item] ?? 0) + (force?.[contact] ?? 0);
      }
    }
    return { counts, forces };
  }

  /** The contacts of one body: the partner and the force of each, the strongest first. */
  of(kind: string, item: number): { partner: End; contact: number; force: number }[] {
    const force = fieldOf(this.contacts, "force")?.values;
    const found: { partner: End; contact: number; force: number }[] = [];
    for (let contact = 0; contact < this.count; contact++) {
      const [a, b] = this.ends(contact);
      const mine = (end: End): boolean => end.kind === kind && end.item === item;
      if (mine(a)) found.push({ partner: b, contact, force: force?.[contact] ?? NaN });
      else if (mine(b)) found.push({ partner: a, contact, force: force?.[contact] ?? NaN });
    }
    return found.sort((one, other) => other.force - one.force);
  }
}

function find(part: Part, side: string, words: string[]): Field | undefined {
  const names = words.flatMap((word) => (word === "" ? [side] : [`${word}_${side}`, `${side}_${word}`]));
  return names.map((name) => fieldOf(part, name, "lines")).find((field) => field !== undefined);
}

/** Finds a sphere by its exact centre: lines of the network end in the same numbers. */
class CentreTable {
  private readonly slots: Int32Array;
  private readonly mask: number;
  private readonly bits: Uint32Array;

  constructor(part: Part) {
    const { position, points } = part;
    this.bits = new Uint32Array(position.buffer, position.byteOffset, position.length);
    const size = 1 << Math.ceil(Math.log2(Math.max(4, 2 * points)));
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    for (let i = 0; i < points; i++) {
      let slot = this.slot(this.bits, 3 * i);
      while ((this.slots[slot] ?? -1) >= 0) slot = (slot + 1) & this.mask;
      this.slots[slot] = i;
    }
  }

  private slot(bits: Uint32Array, at: number): number {
    const mixed =
      Math.imul(bits[at] ?? 0, 0x9e3779b1) ^ Math.imul(bits[at + 1] ?? 0, 0x85ebca6b) ^ Math.imul(bits[at + 2] ?? 0, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 15)) & this.mask;
  }

  find(point: readonly number[]): number {
    const wanted = new Uint32Array(new Float32Array(point).buffer);
    let slot = this.slot(wanted, 0);
    for (;;) {
      const row = this.slots[slot] ?? -1;
      if (row < 0) return -1;
      if ([0, 1, 2].every((k) => this.bits[3 * row + k] === wanted[k])) return row;
      slot = (slot + 1) & this.mask;
    }
  }
}
