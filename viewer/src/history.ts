/** The table of energies and counts, as columns that grow. */

export class History {
  readonly columns = new Map<string, number[]>();
  private names: string[] = [];
  private rest = "";
  /** Bytes read so far. */
  read = 0;

  /** Takes the next piece of the file; an unfinished last line waits for its rest. */
  add(text: string): void {
    this.read += new TextEncoder().encode(text).length;
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) this.addLine(line.trimEnd());
  }

  private addLine(line: string): void {
    if (line === "") return;
    const words = line.split(",");
    if (this.names.length === 0) {
      this.names = words;
      for (const name of words) this.columns.set(name, []);
      return;
    }
    this.names.forEach((name, i) => this.columns.get(name)?.push(Number(words[i])));
  }

  clear(): void {
    this.columns.clear();
    this.names = [];
    this.rest = "";
    this.read = 0;
  }

  get times(): readonly number[] {
    return this.columns.get("time") ?? [];
  }
}

/** Columns that are drawn together, with their unit. */
export interface CurveGroup {
  key: string;
  label: string;
  unit: string;
  columns: string[];
}

const GROUPS: CurveGroup[] = [
  { key: "energy", label: "energies", unit: "J", columns: ["kinetic", "potential", "elastic", "dissipated", "work", "total"] },
  { key: "contacts", label: "contacts", unit: "", columns: ["contacts"] },
  { key: "momentum", label: "momentum", unit: "kg m/s", columns: ["momentum_x", "momentum_y", "momentum_z"] },
  {
    key: "angular_momentum",
    label: "angular momentum",
    unit: "kg m²/s",
    columns: ["angular_momentum_x", "angular_momentum_y", "angular_momentum_z"],
  },
  { key: "outlet_mass", label: "outlet mass", unit: "kg", columns: ["outlet_mass"] },
  { key: "counts", label: "bodies", unit: "", columns: ["particles", "bodies", "solids"] },
  { key: "overlap", label: "largest overlap", unit: "", columns: ["overlap"] },
];

/** The groups that a table has, and the columns that no group has, each on its own; without those that are always zero. */
export function groupsOf(history: History): CurveGroup[] {
  const known = new Set(["step", "time", ...GROUPS.flatMap((group) => group.columns)]);
  const others = [...history.columns.keys()].filter((name) => !known.has(name));
  const single = others.map((name) => ({ key: name, label: name.replaceAll("_", " "), unit: "", columns: [name] }));
  const isUsed = (name: string): boolean => history.columns.get(name)?.some((value) => value !== 0) ?? false;
  return [...GROUPS, ...single]
    .map((group) => ({ ...group, columns: group.columns.filter(isUsed) }))
    .filter((group) => group.columns.length > 0);
}
