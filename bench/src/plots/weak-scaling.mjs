// Plots of the efficiency by the number of ranks: a panel for each job whose problem grows with the ranks.
import { panelOf, panelPicture } from "./panels.mjs";
import { curve, line, text } from "./svg.mjs";

/** @typedef {import("../records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./svg.mjs").Peer} Peer */

const [panelWidth, panelHeight] = [300, 200];
const inside = { left: 52, right: 16, top: 28, bottom: 28 };
const small = { className: "small" };

/**
 * @param {readonly BenchRecord[]} records
 * @returns {string | undefined} undefined if no job was measured on several numbers of ranks
 */
export function weakScaling(records) {
  const weak = records.filter(({ scaling }) => scaling === "weak");
  const panels = [...new Set(weak.map(titleOf))].flatMap((title) => {
    const its = weak.filter((record) => titleOf(record) === title);
    return panelOf(title, (peer) => pointsOf(its, peer));
  });
  const title = "Weak scaling of @cl/mpi: time on one rank / time on N ranks";
  const labels = { title, heading: title, names: { ours: "@cl/mpi", cpp: "C" } };
  return panelPicture(labels, panels, { width: panelWidth, height: panelHeight, columns: 2 }, draw);
}

/** @param {BenchRecord} record */
function titleOf({ job, size }) {
  return size === undefined ? job : `${job}, ${size}`;
}

/**
 * @param {readonly BenchRecord[]} records of one job
 * @param {Peer} peer
 * @returns {[ranks: number, efficiency: number][]}
 */
function pointsOf(records, peer) {
  return records
    .flatMap(({ ranks, efficiency }) => {
      const value = efficiency?.[peer];
      /** @type {[number, number][]} */
      const point = ranks === undefined || value === undefined ? [] : [[ranks, value]];
      return point;
    })
    .sort(([a], [b]) => a - b);
}

/** @param {import("./panels.mjs").Panel} panel */
function draw({ title, series }) {
  const all = series.flatMap(({ points }) => points);
  const most = Math.log2(Math.max(...all.map(([ranks]) => ranks)));
  const percents = [0, 25, 50, 75, 100];
  const largest = Math.max(1.1, ...all.map(([, efficiency]) => efficiency));
  const [left, right, bottom] = [inside.left, panelWidth - inside.right, panelHeight - inside.bottom];
  /** @param {number} ranks */
  const x = (ranks) => left + ((right - left - 8) * Math.log2(ranks)) / most;
  /** @param {number} efficiency */
  const y = (efficiency) => bottom + ((inside.top - bottom) * efficiency) / largest;
  return [
    text(left, 18, title, { className: "title" }),
    ...percents.flatMap((percent) => [
      line([left, y(percent / 100)], [right, y(percent / 100)], percent === 100 ? "one" : "grid"),
      text(left - 6, y(percent / 100) + 4, `${percent} %`, { ...small, start: "end" }),
    ]),
    ...[...new Set(all.map(([ranks]) => ranks))].map((ranks) =>
      text(x(ranks), bottom + 16, `${ranks}`, { ...small, start: "middle" }),
    ),
    ...series.map(({ peer, points }) =>
      curve(
        points.map(([ranks, efficiency]) => /** @type {const} */ ([x(ranks), y(efficiency)])),
        peer,
      ),
    ),
  ].join("");
}
