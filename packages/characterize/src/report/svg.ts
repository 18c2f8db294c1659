/** Builds SVG text for plots. Text content is escaped. */

/** Attributes of an element. Numbers are rounded to hundredths. */
export type Attributes = Readonly<Record<string, string | number>>;

/** Returns an element. `content` must be SVG. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const inside = content.join("");
  return inside === "" ? `<${name}${head.join("")}/>` : `<${name}${head.join("")}>${inside}</${name}>`;
}

/** Returns a text element. */
export function textAt(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element("text", { x, y, ...attributes }, escapeText(text));
}

/** Returns a line through points. */
export function polyline(points: readonly (readonly [x: number, y: number])[], attributes: Attributes): string {
  return element("polyline", { points: points.map(([x, y]) => `${round(x)},${round(y)}`).join(" "), ...attributes });
}

/** Returns an SVG document with a title for screen readers and colors for light and dark mode. */
export function picture(width: number, height: number, title: string, ...content: readonly string[]): string {
  const attributes = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
  };
  return `${element("svg", attributes, element("title", {}, escapeText(title)), `<style>${style}</style>`, ...content)}\n`;
}

/** Number of line colors; their classes are `c0`, `c1`, … */
export const lineColors = 8;

const light = ["#2563c9", "#c2410c", "#15803d", "#9333ea", "#b91c5c", "#0e7490", "#a16207", "#475569"];
const dark = ["#7db0ff", "#fb923c", "#4ade80", "#c79bff", "#fb7fb2", "#40d3ea", "#f2c14a", "#a8b5c8"];

const colors = (list: readonly string[]): string =>
  list.map((color, i) => `.c${i}{stroke:${color}}.f${i}{fill:${color}}`).join("");

const style = [
  "text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-size:15px;font-weight:600}.small{font-size:11px}",
  ".back{fill:#fff}.grid{stroke:#d8dee4;stroke-width:1}.fine{stroke:#eef1f4;stroke-width:1}",
  ".axis{stroke:#59636e;stroke-width:1}.line{fill:none;stroke-width:2;stroke-linejoin:round}.faint{fill:#59636e}",
  ".dashed{stroke-dasharray:6 4}",
  colors(light),
  "@media(prefers-color-scheme:dark){",
  "text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}.fine{stroke:#1c222a}.axis{stroke:#9198a1}.faint{fill:#9198a1}",
  colors(dark),
  "}",
].join("");

/** Escapes text for XML and removes characters that XML does not allow. */
function escapeText(text: string): string {
  return Array.from(text)
    .filter((character) => isAllowed(character.codePointAt(0) ?? 0))
    .map((character) => entities[character] ?? character)
    .join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

function attribute(value: string | number): string {
  return typeof value === "number" ? round(value) : escapeText(value);
}

function round(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`SVG coordinates must be finite numbers, received ${value}`);
  return String(Math.round(value * 100) / 100);
}
