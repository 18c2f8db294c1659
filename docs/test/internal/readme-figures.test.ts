/** Checks the figures of the README against the benchmark records. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { readRecords } from "../../../bench/src/record-file.mjs";

const repository = new URL("../../../", import.meta.url);
const readme = readFileSync(new URL("README.md", repository), "utf8");
const rows = [
  ...readme.matchAll(/^\| .* \| (PoCL|H200) .*`npm run bench -- --only (\w+) --job (\S+)(?: --size (\S+))?` +\|$/gm),
];

/** The peers by the names that the README has for them. */
const peers = {
  "@cl": "ours",
  "C++": "cpp",
  clFFT: "cpp",
  PyOpenCL: "pyopencl",
  NumPy: "numpy",
  CuPy: "cupy",
} as const;
const nanoseconds = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6 } as const;

test("the README has three figures with the command that measures them", () => {
  expect(rows).toHaveLength(3);
});

test.for(rows.map(([row, ...parts]) => [parts.slice(1).join(" "), row, ...parts] as const))(
  "the figures of %s are those of the records",
  ([, row, device, file, job, size]) => {
    const path = `bench/results/${file}-${device === "H200" ? "h200" : "cpu"}.json`;
    const records = readRecords([new URL(path, repository).pathname]);
    const record = records.find((one) => one.job === job && (size === undefined || one.size === size));
    if (record === undefined) throw new Error(`${path} has no record of ${job} ${size ?? ""}`);
    const [, , , own = "", others = ""] = row.split("|");
    const shown = [...`@cl ${own}, ${others}`.matchAll(/([@\w+]+) +([\d.]+) (ns|µs|ms)/g)];
    expect(shown.length).toBeGreaterThanOrEqual(3);
    for (const [, name = "", value, unit] of shown) {
      const measured = record[peers[name as keyof typeof peers]] as number;
      const expected = measured * nanoseconds[record.unit as keyof typeof nanoseconds];
      const time = Number(value) * nanoseconds[unit as keyof typeof nanoseconds];
      expect(Number(expected.toPrecision(3)), name).toBeCloseTo(Number(time.toPrecision(3)), 3);
    }
  },
);
