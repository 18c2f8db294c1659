/** Color maps: evenly spaced color stops, interpolated linearly. */
import { rangeError, typeError, wrongValue } from "@cl/base";

/** Color maps by their names; those of matplotlib are theirs up to a few parts of 256. */
const maps = {
  gray: "000000 ffffff",
  viridis:
    "440154 481567 482677 453781 404788 39568c 33638d 2d708e 287d8e 238a8d 1f968b 20a387 29af7f 3cbb75 55c667 73d055 95d840 b8de29 dce319 fde725",
  magma: "000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf",
  inferno: "000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4",
  plasma: "0d0887 47039f 7301a8 9c179e bd3786 d8576b ed7953 fa9e3b fdc926 f0f921",
  coolwarm: "3b4cc0 5d7ce6 82a6fb a7c5fe c9d7f0 dddddd edd1c2 f7b89c f18d6f d65244 b40426",
} as const;

/** Name of a color map. */
export type ColorMapName = keyof typeof maps;

/** A color map: a name, or color stops as `"#rrggbb"`, from the smallest to the largest number. */
export type ColorMap = ColorMapName | readonly string[];

/** Returns `count` colors as bytes of red, green and blue. */
export function colorsOf(map: unknown, count: number): Uint8Array {
  const stops = stopsOf(map);
  const colors = new Uint8Array(3 * count);
  for (let i = 0; i < count; i++) {
    const place = (i / (count - 1)) * (stops.length - 1);
    const first = Math.min(Math.floor(place), Math.max(stops.length - 2, 0));
    const a = stops[first] as readonly number[];
    const b = stops[first + 1] ?? a;
    for (let part = 0; part < 3; part++) {
      const [from, to] = [a[part] as number, b[part] as number];
      colors[3 * i + part] = Math.round(from + (to - from) * (place - first));
    }
  }
  return colors;
}

function stopsOf(map: unknown): readonly (readonly number[])[] {
  if (Array.isArray(map) && map.length === 0) throw wrongValue("options.colormap must have at least one color");
  if (Array.isArray(map)) return map.map((one: unknown, i) => parsed(one, `options.colormap[${i}]`));
  const known = Object.keys(maps).join(", ");
  if (typeof map !== "string") throw typeError("options.colormap", `a list of colors, or one of ${known}`, map);
  if (!Object.hasOwn(maps, map)) throw rangeError("options.colormap", `one of ${known}`, map);
  return maps[map as ColorMapName].split(" ").map((one) => parsed(`#${one}`, "options.colormap"));
}

function parsed(color: unknown, name: string): readonly number[] {
  if (typeof color === "string" && /^#[\dA-Fa-f]{6}$/u.test(color)) {
    return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  }
  throw typeError(name, 'a color as "#rrggbb"', color);
}
