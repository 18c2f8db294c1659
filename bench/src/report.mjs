// Tables of records in Markdown, aligned as oxfmt aligns them.
/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./clpeak/compare.mjs").Comparison} Comparison */
/** @typedef {import("./job.mjs").Target} Target */
/** @typedef {import("./job.mjs").Job["target"]} Targets */

const peerColumns = /** @type {const} */ (["system", "cpp", "pyopencl", "numpy", "cupy"]);
const titles = { system: "system", cpp: "C++", pyopencl: "PyOpenCL", numpy: "NumPy", cupy: "CuPy" };
const tolerance = 0.1;

/**
 * Returns the table of a run's records, with targets and whether they are met.
 * @param {readonly { record: BenchRecord, target: Targets }[]} results
 * @param {readonly string[]} [withoutRatio] peers whose ratio is omitted
 * @returns {string}
 */
export function table(results, withoutRatio = []) {
  const columns = peerColumns.filter((peer) => results.some(({ record }) => record[peer] !== undefined));
  const ratios = columns.filter((peer) => !withoutRatio.includes(peer));
  const head = ["job", "unit", "ours", ...columns.map((peer) => titles[peer])];
  head.push(...ratios.map((peer) => `ours / ${titles[peer]}`), "target", "met");
  const rows = results.map(({ record, target }) => [
    record.size === undefined ? record.job : `${record.job}, ${record.size}`,
    record.unit,
    show(record.ours),
    ...columns.map((peer) => show(record[peer])),
    ...ratios.map((peer) => show(record.ratio[peer])),
    describe(target),
    verdict(record, target),
  ]);
  return align([head, ...rows]);
}

/**
 * Returns the table of jobs on several ranks, with the times of a C program.
 * @param {readonly BenchRecord[]} records
 * @returns {string}
 */
export function ranksTable(records) {
  const head = [
    "job",
    "ranks",
    "ours [µs]",
    "C [µs]",
    "ours / C",
    "efficiency",
    "efficiency of C",
    "MB through the host",
  ];
  /** @param {number | undefined} value */
  const percent = (value) => (value === undefined ? "" : `${Math.round(100 * value)} %`);
  const rows = records.map(({ job, size, ranks, ours, cpp, ratio, efficiency = {}, hostBytes }) => [
    size === undefined ? job : `${job}, ${size}`,
    `${ranks}`,
    show(ours),
    show(cpp),
    show(ratio["cpp"]),
    percent(efficiency["ours"]),
    percent(efficiency["cpp"]),
    show(hostBytes === undefined ? undefined : hostBytes / 1e6),
  ]);
  return align([head, ...rows]);
}

/**
 * Returns the table of the values that clpeak measures, too.
 * @param {readonly Comparison[]} comparisons
 * @returns {string}
 */
export function comparisonTable(comparisons) {
  const head = ["figure", "unit", "ours", "clpeak", "ours / clpeak", "rounds", "within 10 %"];
  const rows = comparisons.map(({ figure, unit, ours, clpeak, ratio, ratios }) => [
    figure,
    unit,
    `${ours}`,
    `${clpeak}`,
    ratio.toFixed(2),
    ratios.map((one) => one.toFixed(2)).join(" "),
    Math.abs(ratio - 1) <= tolerance ? "yes" : "no",
  ]);
  return align([head, ...rows]);
}

/**
 * Formats the head and the rows of a table.
 * @param {readonly (readonly string[])[]} rows
 * @returns {string}
 */
function align([head = [], ...rows]) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const rule = widths.map((width) => "-".repeat(width));
  return [head, rule, ...rows]
    .map((cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`)
    .join("\n");
}

/** @param {number | undefined} value */
function show(value) {
  return value === undefined ? "" : `${Number(value.toPrecision(3))}`;
}

/** @param {Targets} targets */
function describe(targets) {
  return listOf(targets)
    .map((target) =>
      "ours" in target
        ? `${target.ours}`
        : `${Number(target.times.toPrecision(3))} × ${titles[/** @type {"cpp"} */ (target.peer)]}`,
    )
    .join(", ");
}

/**
 * Returns "" if there is no target, or if a target's peer was not measured and no other target is missed.
 * @param {BenchRecord} record
 * @param {Targets} targets
 */
function verdict(record, targets) {
  const met = listOf(targets).map((target) => {
    const [value, limit] = "ours" in target ? [record.ours, target.ours] : [record.ratio[target.peer], target.times];
    return value === undefined ? undefined : value <= limit;
  });
  if (met.includes(false)) return "no";
  return met.length === 0 || met.includes(undefined) ? "" : "yes";
}

/**
 * @param {Targets} targets
 * @returns {readonly Target[]}
 */
function listOf(targets) {
  return targets === undefined ? [] : [targets].flat();
}
