// The printed table, in Markdown.
/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./job.mjs").Target} Target */
/** @typedef {import("./job.mjs").Job["target"]} Targets */

const peerColumns = /** @type {const} */ (["cpp", "pyopencl", "numpy", "cupy"]);
const titles = { cpp: "C++", pyopencl: "PyOpenCL", numpy: "NumPy", cupy: "CuPy" };

/**
 * @param {readonly { record: BenchRecord, target: Targets }[]} results
 * @returns {string}
 */
export function table(results) {
  const columns = peerColumns.filter((peer) => results.some(({ record }) => record[peer] !== undefined));
  const head = ["job", "unit", "ours", ...columns.map((peer) => titles[peer])];
  head.push(...columns.map((peer) => `ours / ${titles[peer]}`), "target", "met");
  const rows = results.map(({ record, target }) => [
    record.size === undefined ? record.job : `${record.job}, ${record.size}`,
    record.unit,
    show(record.ours),
    ...columns.map((peer) => show(record[peer])),
    ...columns.map((peer) => show(record.ratio[peer])),
    describe(target),
    verdict(record, target),
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
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
 * Returns "yes" or "no", or an empty text without targets or if a peer of a target is missing.
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
