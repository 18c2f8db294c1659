// The printed table, in Markdown, so that it can go into the README as it is.
/** @typedef {import("./records.mjs").BenchRecord} BenchRecord */
/** @typedef {import("./job.mjs").Target} Target */

const peerColumns = /** @type {const} */ (["cpp", "pyopencl", "numpy", "cupy"]);
const titles = { cpp: "C++", pyopencl: "PyOpenCL", numpy: "NumPy", cupy: "CuPy" };

/**
 * @param {readonly { record: BenchRecord, target: Target | undefined }[]} results
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

/** @param {Target | undefined} target */
function describe(target) {
  if (target === undefined) return "";
  return "ours" in target ? `${target.ours}` : `${target.times} × ${titles[/** @type {"cpp"} */ (target.peer)]}`;
}

/**
 * @param {BenchRecord} record
 * @param {Target | undefined} target
 */
function verdict(record, target) {
  if (target === undefined) return "";
  const [value, limit] = "ours" in target ? [record.ours, target.ours] : [record.ratio[target.peer], target.times];
  if (value === undefined) return "";
  return value <= limit ? "yes" : "no";
}
