/** Where the data comes from: the command's server, or the page itself. */

import { assemble, read, typed, type ArrayInfo, type Numbers, type Part, type PartHeader } from "./part";
import type { Manifest } from "./types";

export interface Source {
  /** Whether the data can still grow. */
  readonly isLive: boolean;
  manifest(): Promise<Manifest>;
  part(path: string): Promise<Part>;
  /** The rest of a table from a byte on. */
  table(path: string, from: number): Promise<string>;
}

/** The server refused a request; the message is its reason. */
export class Refused extends Error {}

class Server implements Source {
  readonly isLive = true;

  async manifest(): Promise<Manifest> {
    const response = await fetch("run.json", { cache: "no-store" });
    if (!response.ok) throw new Refused(await response.text());
    return (await response.json()) as Manifest;
  }

  async part(path: string): Promise<Part> {
    const response = await fetch(`packed/${escapePath(path)}`);
    if (!response.ok || !response.body) throw new Refused(await response.text());
    return read(response.body);
  }

  async table(path: string, from: number): Promise<string> {
    const headers: HeadersInit = from > 0 ? { Range: `bytes=${from}-` } : {};
    const response = await fetch(`files/${escapePath(path)}`, { headers, cache: "no-store" });
    if (!response.ok) throw new Refused(await response.text());
    return await response.text();
  }
}

function escapePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** The contents of a self-contained page. */
interface Embedded {
  manifest: Manifest;
  parts: Record<string, PartHeader>;
  tables: Record<string, string>;
}

class Page implements Source {
  readonly isLive = false;
  private readonly arrays = new Map<number, WeakRef<Numbers>>();

  constructor(private readonly data: Embedded) {}

  async manifest(): Promise<Manifest> {
    return this.data.manifest;
  }

  async part(path: string): Promise<Part> {
    const header = this.data.parts[path];
    if (!header) throw new Refused(`this file has no frame ${path}`);
    const arrays = await Promise.all(header.arrays.map((info) => this.array(info)));
    const byInfo = new Map(header.arrays.map((info, i) => [info, arrays[i] as Numbers]));
    return assemble(header, (info) => byInfo.get(info) as Numbers);
  }

  /** Arrays are shared between frames; one that was garbage-collected is inflated again. */
  private async array(info: ArrayInfo): Promise<Numbers> {
    const held = this.arrays.get(info.at)?.deref();
    if (held) return held;
    const text = document.getElementById(`array-${info.at}`)?.textContent ?? "";
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const numbers = typed(info, await new Response(stream).arrayBuffer(), 0);
    this.arrays.set(info.at, new WeakRef(numbers));
    return numbers;
  }

  async table(path: string, from: number): Promise<string> {
    return from > 0 ? "" : (this.data.tables[path] ?? "");
  }
}

/** Opens the data in the page if there is any, otherwise the server's. */
export function open(): Source {
  const element = document.getElementById("embedded");
  return element ? new Page(JSON.parse(element.textContent ?? "null") as Embedded) : new Server();
}
