// A bar plot with a logarithmic axis: the time of each peer relative to ours, by job.
import { bar, legend, line, peers, picture, text } from "./svg.mjs";

/** @typedef {import("../records.mjs").BenchRecord} BenchRecord */

const [left, plotWidth, right, top, barHeight, gap] = [210, 470, 60, 64, 11, 9];

/**
 * @param {string} title
 * @param {readonly BenchRecord[]} records
 * @returns {string | undefined} undefined if no job has a peer
 */
export function ratioBars(title, records) {
  const rows = records.map((record) => ({
    name: record.size === undefined ? record.job : `${record.job}, ${record.size}`,
    times: peers.flatMap((peer) => {
      const ratio = record.ratio[peer];
      return ratio === undefined || !(ratio > 0) ? [] : [{ peer, times: 1 / ratio }];
    }),
  }));
  const shown = rows.filter(({ times }) => times.length > 0);
  if (shown.length === 0) return undefined;
  const all = shown.flatMap(({ times }) => times.map((entry) => entry.times));
  const lowest = Math.floor(Math.log10(Math.min(0.5, ...all)));
  const highest = Math.ceil(Math.log10(Math.max(2, ...all)));
  /** @param {number} times */
  const x = (times) => left + (plotWidth * (Math.log10(times) - lowest)) / (highest - lowest);
  const used = peers.filter((peer) => shown.some(({ times }) => times.some((entry) => entry.peer === peer)));

  let y = top;
  const content = shown.flatMap(({ name, times }) => {
    const middle = y + (times.length * barHeight) / 2 + 4;
    const bars = times.map((entry, i) => {
      const from = Math.min(x(1), x(entry.times));
      const to = Math.max(x(1), x(entry.times));
      const row = y + i * barHeight;
      const value = `${Number(entry.times.toPrecision(2))}×`;
      return bar(from, row, Math.max(to - from, 1), barHeight - 1, entry.peer) + text(to + 4, row + 9, value, small);
    });
    y += times.length * barHeight + gap;
    return [text(left - 8, middle, name, { start: "end" }), ...bars];
  });
  const powers = Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
  const grid = powers.flatMap((power) => [
    line([x(10 ** power), top - 6], [x(10 ** power), y], power === 0 ? "one" : "grid"),
    text(x(10 ** power), top - 12, `${10 ** power}×`, { start: "middle", className: "small" }),
  ]);
  const heading = text(12, 20, `${title}: how many times as long the others take`, { className: "title" });
  const width = left + plotWidth + right;
  return picture(width, y + 8, title, [heading, legend(12, 40, used), ...grid, ...content]);
}

const small = { className: "small" };
