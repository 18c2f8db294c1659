// Pictures of panels in rows, each with a curve for each peer.
import { legend, peers, picture, text } from "./svg.mjs";

/** @typedef {import("./svg.mjs").Peer} Peer */
/** @typedef {{ peer: Peer, points: [number, number][] }} Series */
/** @typedef {{ title: string, series: readonly Series[] }} Panel */

/** Space above the panels. */
const top = 60;

/**
 * Returns a panel of the peers that have several points; none if there are no such peers.
 * @param {string} title
 * @param {(peer: Peer) => [number, number][]} pointsOf
 * @returns {Panel[]}
 */
export function panelOf(title, pointsOf) {
  const series = peers.map((peer) => ({ peer, points: pointsOf(peer) })).filter(({ points }) => points.length > 1);
  return series.length === 0 ? [] : [{ title, series }];
}

/**
 * @param {{ title: string, heading: string, names?: Partial<Record<Peer, string>> }} labels names of peers other than usual
 * @param {readonly Panel[]} panels
 * @param {{ width: number, height: number, columns: number }} layout size of a panel, and panels in a row
 * @param {(panel: Panel) => string} draw
 * @returns {string | undefined} undefined if there are no panels
 */
export function panelPicture({ title, heading, names }, panels, { width, height, columns }, draw) {
  if (panels.length === 0) return undefined;
  const used = peers.filter((peer) => panels.some(({ series }) => series.some((one) => one.peer === peer)));
  const drawn = panels.map((panel, i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    return `<g transform="translate(${column * width},${top + row * height})">${draw(panel)}</g>`;
  });
  return picture(columns * width, top + Math.ceil(panels.length / columns) * height, title, [
    text(12, 20, heading, { className: "title" }),
    legend(12, 42, used, names),
    ...drawn,
  ]);
}
