// SVG elements for the plots, with light and dark colors and an accessible title.

/** @typedef {{ start?: "start" | "middle" | "end", className?: string }} TextOptions */

/** Colors of each peer on light and dark pages, ours first. */
const colors = {
  ours: ["#2563c9", "#7db0ff"],
  system: ["#be185d", "#f472b6"],
  cpp: ["#475569", "#a8b5c8"],
  pyopencl: ["#c2410c", "#fb923c"],
  numpy: ["#15803d", "#4ade80"],
  cupy: ["#9333ea", "#c79bff"],
};
/** @typedef {keyof typeof colors} Peer */

export const peers = /** @type {readonly Peer[]} */ (Object.keys(colors));
const titles = {
  ours: "@cl",
  system: "system",
  cpp: "C++",
  pyopencl: "PyOpenCL",
  numpy: "NumPy",
  cupy: "CuPy",
};

/** @param {0 | 1} shade */
const inks = (shade) =>
  peers.map((peer) => `.f-${peer}{fill:${colors[peer][shade]}}.s-${peer}{stroke:${colors[peer][shade]}}`).join("");

const style = [
  "text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}.small{font-size:11px}",
  ".back{fill:#fff}.grid{stroke:#d8dee4}.one{stroke:#1f2328}.line{fill:none;stroke-width:2}",
  inks(0),
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.back{fill:#0d1117}.grid{stroke:#30363d}.one{stroke:#e6edf3}",
  inks(1),
  "}",
].join("");

/**
 * @param {number} width
 * @param {number} height
 * @param {string} title
 * @param {readonly string[]} content
 */
export function picture(width, height, title, content) {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img"><title>${escape(title)}</title><style>${style}</style>
<rect class="back" width="${width}" height="${height}"/>
${content.join("\n")}
</svg>
`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} content
 * @param {TextOptions} [options]
 */
export function text(x, y, content, { start = "start", className = "" } = {}) {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${start}" class="${className}">${escape(content)}</text>`;
}

/**
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 * @param {string} className
 */
export function line([x1, y1], [x2, y2], className) {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" class="${className}"/>`;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {Peer} peer
 */
export function bar(x, y, width, height, peer) {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${height}" class="f-${peer}"/>`;
}

/**
 * Draws a line through points, with a dot at each.
 * @param {readonly (readonly [number, number])[]} points
 * @param {Peer} peer
 */
export function curve(points, peer) {
  const path = points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
  const dots = points.map(([x, y]) => `<circle cx="${round(x)}" cy="${round(y)}" r="3" class="f-${peer}"/>`);
  return `<path d="${path}" class="line s-${peer}"/>${dots.join("")}`;
}

/**
 * Draws the names of peers with their colors, in one row.
 * @param {number} x
 * @param {number} y
 * @param {readonly Peer[]} shown
 * @param {Partial<Record<Peer, string>>} [names] other names than the usual ones
 */
export function legend(x, y, shown, names = {}) {
  return shown
    .map((peer, i) => bar(x + 90 * i, y - 10, 12, 12, peer) + text(x + 90 * i + 18, y, names[peer] ?? titles[peer]))
    .join("");
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
