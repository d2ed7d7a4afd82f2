/** Elements in one expression. */

type Child = Node | string | null | undefined;
type Properties = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** Makes an element; `on…` are listeners, everything else is an attribute. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key.slice(2), value as EventListener);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Replaces the contents of an element if its key changed; keeps controls alive while they are used. */
export function rebuild(element: HTMLElement, key: string, make: () => Child[]): void {
  if (element.dataset["key"] === key) return;
  element.dataset["key"] = key;
  element.replaceChildren(...make().filter((child) => child !== null && child !== undefined));
}

/** Sets a text if it differs. */
export function say(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const ICONS: Record<string, string> = {
  play: "M5 3.5v13l11-6.5z",
  pause: "M5 3.5h3.5v13H5zM11.5 3.5H15v13h-3.5z",
  first: "M4 4h2v12H4zM16 4v12l-9-6z",
  last: "M14 4h2v12h-2zM4 4v12l9-6z",
  back: "M13 4v12l-8-6z",
  forward: "M7 4v12l8-6z",
  fit: "M3 8V3h5v2H5v3zM12 3h5v5h-2V5h-3zM3 12h2v3h3v2H3zM15 12h2v5h-5v-2h3z",
  camera: "M7 4l1-1.5h4L13 4h4v12H3V4zM10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zm0 1.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4z",
  record: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12z",
  theme: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zm0 1.8v11.4a5.7 5.7 0 0 1 0-11.4z",
  panel: "M3 4h14v2H3zM3 9h14v2H3zM3 14h14v2H3z",
  ruler: "M13.5 2.5l4 4-11 11-4-4zM12 6l1.5 1.5M9.5 8.5L11 10M7 11l1.5 1.5",
  close: "M5 4l5 5 5-5 1 1-5 5 5 5-1 1-5-5-5 5-1-1 5-5-5-5z",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name] ?? "");
  if (name === "ruler") svg.classList.add("stroked");
  path.setAttribute("fill-rule", "evenodd");
  if (name === "record") path.setAttribute("fill", "#d9303a");
  svg.append(path);
  return svg;
}

export function button(name: string, title: string, act: () => void): HTMLButtonElement {
  return el("button", { class: "tool", type: "button", title, "aria-label": title, onclick: () => act() }, icon(name));
}
