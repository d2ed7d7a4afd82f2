/** The help page: every key and gesture. */

import { button, el } from "./dom";

const SECTIONS: [string, [string, string][]][] = [
  [
    "Time",
    [
      ["space", "play, pause"],
      ["← →", "one frame back, on"],
      ["Ctrl + ← →", "ten frames"],
      ["Home, End", "first frame, newest frame"],
      ["+ −", "faster, slower"],
    ],
  ],
  [
    "Camera",
    [
      ["drag", "orbit"],
      ["Shift + drag", "pan; so does the right button, or two fingers"],
      ["wheel, pinch", "zoom to the cursor"],
      ["Shift + arrows", "orbit"],
      ["Alt + arrows", "pan"],
      ["Page up, Page down", "zoom"],
      ["F, 0", "fit, first view"],
      ["1 2 3", "along x, y, z"],
      ["4 5 6", "against x, y, z"],
      ["O", "orthographic or perspective"],
    ],
  ],
  [
    "Colours",
    [
      ["[ ]", "previous, next field"],
      ["M", "next colour map"],
      ["L", "logarithmic or linear"],
      ["R", "range of the run or of the frame"],
      ["T", "light or dark"],
    ],
  ],
  [
    "Show",
    [
      ["C", "contact network"],
      ["W", "walls"],
      ["X", "clip plane"],
      ["Y", "next axis of the clip plane"],
      [", .", "move the clip plane"],
      ["/", "flip the clip plane"],
      ["G", "curves"],
      ["H", "panel"],
    ],
  ],
  [
    "Bodies",
    [
      ["click", "select a body"],
      ["N, Shift + N", "select the next, the previous body"],
      ["U", "follow it"],
      ["D", "measure a distance: click two points"],
      ["Esc", "clear"],
    ],
  ],
  [
    "Save",
    [
      ["P", "picture as PNG"],
      ["V", "record a film as WebM; V ends it"],
      ["the address", "holds camera, time and colours: copy it"],
    ],
  ],
];

export function help(version: () => string): { box: HTMLElement; toggle: (isOpen?: boolean) => void } {
  const about = el("p", { class: "note" });
  const box = el(
    "div",
    { id: "help", role: "dialog", "aria-label": "Help", hidden: true },
    el("header", {}, el("strong", {}, "Keys and gestures"), button("close", "Close (Esc)", () => toggle(false))),
    el(
      "div",
      { class: "columns" },
      ...SECTIONS.map(([title, rows]) =>
        el(
          "section",
          {},
          el("h3", {}, title),
          el("dl", {}, ...rows.flatMap(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)])),
        ),
      ),
    ),
    about,
  );
  const toggle = (isOpen = box.hidden): void => {
    box.hidden = !isOpen;
    about.textContent = version();
  };
  return { box, toggle };
}
