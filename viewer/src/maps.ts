/** Colour maps: perceptually uniform, readable in print and with colour blindness. */

/** The maps of matplotlib by S. van der Walt, N. Smith and E. Firing, and cividis by J. Nuñez et al. (CC0). */
const TABLES = {
  viridis:
    "44015446075a470d6047136548186a481d6f482374482878472d7b46327e453781443b844240864045883e49893d4e8a" +
    "3a538b38588c365c8d34608d32648e31688e2f6c8e2d708e2c738e2a778e297b8e277f8e26828e24868e238a8d218e8d" +
    "20928c1f968b1f9a8a1f9e891fa18721a58523a98326ad812ab07f2fb47c35b7793bbb7542be714ac16d52c5695ac864" +
    "65cb5e6ece5877d15381d34d8bd64695d840a0da39aadc32b5de2bc0df25cae11fd5e21adfe318eae51af4e61efde725",
  magma:
    "00000402010903031206051a0a08220e0b2b130d34180f3d1d114722115029115a2f116336106b3d0f71440f764a1079" +
    "52137c59157e5f187f651a806b1d81721f817822817e24828426818b2981912b81982d809e2f7fa5317eab337cb2357b" +
    "ba3878c03a76c73d73cd4071d3436ed9466bdf4a68e44f64e95462ed5a5ff1605df4675cf66e5cf8765cfa7d5efb8560" +
    "fc8e64fd9668fe9d6cfea571feac76feb47bfebb81fec287feca8dfed194fed89afde0a1fde7a9fceeb0fcf6b8fcfdbf",
  inferno:
    "00000402010a04031207051b0b072410092d150b371b0c41210c4a280b532f0a5b3609613d0965440a684a0c6b510e6c" +
    "59106e5f136e65156e6c186e721a6e781c6d7f1e6c85216b8c23699225689827669f2a63a52c60ab2f5eb1325ab73557" +
    "bf3952c43c4eca404acf4446d44842d94d3dde5238e25734e65d2fea632aed6925f06f20f3761bf57d15f78410f98b0b" +
    "fa9407fb9b06fca309fcaa0ffcb216fbba1ffac228f9c932f7d13df5d949f4e156f2e865f1ef75f3f586f6fa96fcffa4",
  plasma:
    "0d088719068c2206902a059331059738049a3f049c46039f4c02a15302a35901a56001a66600a76c00a87201a87801a8" +
    "8004a88606a68b0aa5910ea39613a19c179ea11b9ba62098ab2494b02991b42e8db83289bd3786c13b82c5407ec9447a" +
    "cd4a76d14e72d5536fd8576bdb5c68de6164e26561e56a5de76f5aea7457ed7953ef7e50f1834cf48849f68d45f79342" +
    "f99a3efb9f3afca537fdab33fdb130feb72dfebd2afdc328fdca26fcd025fbd724f9dd25f7e425f5eb27f2f227f0f921",
  cividis:
    "00205100235800265d002961012c65052e6809316a0d346b12376c173a6d1c3d6e223f6e27426e2d456e33486e384b6e" +
    "3e4e6e43516d48546d4d566d52596e575c6e5b5f6e60626f64656f6868706c6b70706e717371727774737a77737e7a74" +
    "817d758480768783778b86778e8978928d789590789993789c9678a09a78a49d78a8a077aca476b1a775b5aa73baae71" +
    "bfb16fc3b56dc8b86bcdbc68d3c065d8c362ddc75fe2cb5ce6cf59ebd255efd652f3da4ff7de4cfae249fce647fdea45",
};

export type MapName = keyof typeof TABLES;
export const MAPS = Object.keys(TABLES) as MapName[];

/** Parts of maps for thin lines: no colour is near that of the background. */
const PARTS = {
  "lines-light": { map: "inferno", from: 0.1, to: 0.78 },
  "lines-dark": { map: "inferno", from: 0.34, to: 1 },
} as const;

/** A map that can be chosen, or a part of one. */
export type AnyMap = MapName | keyof typeof PARTS;

export type Rgb = [number, number, number];

/** A colour map as bytes, interpolated to `size` RGBA entries. */
export function table(name: AnyMap, size = 256): Uint8Array {
  const out = new Uint8Array(4 * size);
  for (let i = 0; i < size; i++) {
    const [r, g, b] = colourAt(name, i / (size - 1));
    out.set([Math.round(r), Math.round(g), Math.round(b), 255], 4 * i);
  }
  return out;
}

/** Colour at a place from 0 to 1. */
export function colourAt(name: AnyMap, place: number): Rgb {
  if (name in PARTS) {
    const { map, from, to } = PARTS[name as keyof typeof PARTS];
    return colourAt(map, from + (to - from) * Math.min(1, Math.max(0, place)));
  }
  const text = TABLES[name as MapName];
  const last = text.length / 6 - 1;
  const at = Math.min(1, Math.max(0, place)) * last;
  const below = Math.min(last - 1, Math.floor(at));
  const stop = (index: number): Rgb => {
    const packed = parseInt(text.slice(6 * index, 6 * index + 6), 16);
    return [packed >> 16, (packed >> 8) & 255, packed & 255];
  };
  const [low, high] = [stop(below), stop(below + 1)];
  const mix = (i: 0 | 1 | 2): number => low[i] + (high[i] - low[i]) * (at - below);
  return [mix(0), mix(1), mix(2)];
}

/** Colours of names that have no order, after Okabe and Ito. */
export const CATEGORIES: readonly Rgb[] = [
  [0, 114, 178],
  [230, 159, 0],
  [0, 158, 115],
  [204, 121, 167],
  [86, 180, 233],
  [213, 94, 0],
  [240, 228, 66],
  [136, 136, 136],
];

/** Colour of a category; with many of them, a place on the map by the golden ratio keeps neighbours apart. */
export function category(index: number, count: number, name: MapName): Rgb {
  const few = CATEGORIES[index % CATEGORIES.length] as Rgb;
  return count <= CATEGORIES.length ? few : colourAt(name, (index * 0.6180339887498949 + 0.25) % 1);
}

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;
}

/** Places and colours of a gradient that looks like a map. */
export function gradientStops(name: AnyMap): [number, string][] {
  return Array.from({ length: 17 }, (_, i) => [i / 16, css(colourAt(name, i / 16))]);
}
