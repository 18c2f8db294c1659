// Log-log plots of the time per element by the number of elements: a panel for each job measured at several sizes.
import { panelOf, panelPicture } from "./panels.mjs";
import { curve, line, text } from "./svg.mjs";

/** @typedef {import("../records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./svg.mjs").Peer} Peer */

const [panelWidth, panelHeight] = [250, 200];
const inside = { left: 52, right: 12, top: 28, bottom: 28 };
const nanoseconds = /** @type {Record<string, number>} */ ({ ns: 1, us: 1e3, ms: 1e6 });

/**
 * @param {string} title
 * @param {readonly BenchRecord[]} records
 * @returns {string | undefined} undefined if no job was measured at several sizes
 */
export function scalingCurves(title, records) {
  const panels = [...groupByJob(records)].flatMap(([job, its]) => panelOf(job, (peer) => pointsOf(its, peer)));
  const heading = `${title}: nanoseconds for an element, by the number of elements`;
  return panelPicture({ title, heading }, panels, { width: panelWidth, height: panelHeight, columns: 3 }, draw);
}

/** @param {readonly BenchRecord[]} records */
function groupByJob(records) {
  /** @type {Map<string, BenchRecord[]>} */
  const jobs = new Map();
  for (const record of records) jobs.set(record.job, [...(jobs.get(record.job) ?? []), record]);
  return jobs;
}

/**
 * @param {readonly BenchRecord[]} records of one job
 * @param {Peer} peer
 * @returns {[size: number, nanoseconds: number][]}
 */
function pointsOf(records, peer) {
  return records
    .flatMap((record) => {
      const [size, unit, value] = [Number(record.size), nanoseconds[record.unit], record[peer]];
      /** @type {[number, number][]} */
      const point = value === undefined || unit === undefined || !(size > 0) ? [] : [[size, (value * unit) / size]];
      return point;
    })
    .sort(([a], [b]) => a - b);
}

/** @param {import("./panels.mjs").Panel} panel */
function draw({ title, series }) {
  const all = series.flatMap(({ points }) => points);
  const sizes = decades(all.map(([size]) => size));
  const times = decades(all.map(([, time]) => time));
  /** @param {number} size */
  const x = (size) => place(size, sizes, inside.left, panelWidth - inside.right);
  /** @param {number} time */
  const y = (time) => place(time, times, panelHeight - inside.bottom, inside.top);
  const small = { className: "small" };
  return [
    text(inside.left, 18, title, { className: "title" }),
    ...powersOf(times).flatMap((power) => [
      line([inside.left, y(10 ** power)], [panelWidth - inside.right, y(10 ** power)], "grid"),
      text(inside.left - 6, y(10 ** power) + 4, `${10 ** power}`, { ...small, start: "end" }),
    ]),
    ...powersOf(sizes).map((power) =>
      text(x(10 ** power), panelHeight - inside.bottom + 16, `1e${power}`, { ...small, start: "middle" }),
    ),
    ...series.map(({ peer, points }) =>
      curve(
        points.map(([size, time]) => /** @type {const} */ ([x(size), y(time)])),
        peer,
      ),
    ),
  ].join("");
}

/**
 * @param {readonly number[]} values
 * @returns {[lowest: number, highest: number]} the enclosing powers of ten, as exponents
 */
function decades(values) {
  const lowest = Math.floor(Math.log10(Math.min(...values)));
  return [lowest, Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

/** @param {[number, number]} decades */
function powersOf([lowest, highest]) {
  return Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
}

/**
 * @param {number} value
 * @param {[number, number]} decades
 * @param {number} from
 * @param {number} to
 */
function place(value, [lowest, highest], from, to) {
  return from + ((to - from) * (Math.log10(value) - lowest)) / (highest - lowest);
}
