/** The benchmarks of OpenCL runtimes. Nothing is measured here. */
import { expect, test } from "vitest";

import { jobs as algorithms } from "../../../bench/src/jobs/algorithms/index.mjs";
import { jobs as array } from "../../../bench/src/jobs/array/index.mjs";
import { jobs } from "../../../bench/src/jobs/runtime/index.mjs";
import { environment } from "../../../bench/src/environments.mjs";
import { findPeers } from "../../../bench/src/peers.mjs";
import { table } from "../../../bench/src/report.mjs";

test("the jobs include those of array and algorithms on the default driver, up to 1e7 elements", () => {
  const names = jobs.map(({ name, size }) => `${name} ${size}`);
  expect(new Set(names).size).toBe(names.length);
  const withSize = (suffix: string): string[] => names.filter((name) => name.endsWith(suffix));
  const groups = { array, algorithms };
  for (const [group, all] of Object.entries(groups)) {
    for (const { name, size, environment: where, onRequest } of all) {
      const included = where === "default" && onRequest !== true;
      expect(names.includes(`${group}/${name} ${size}`), `${group}/${name} ${size}`).toBe(included);
    }
  }
  expect(withSize(" 1e7").length).toBeGreaterThan(10);
});

test("our jobs run on both runtimes under the same name", () => {
  for (const { sides } of jobs) expect(sides["system"]).toEqual({ peer: "system", job: sides["ours"]?.job });
});

test("a library that is not built is reported with the command that builds it", () => {
  const { present, absent } = findPeers(
    { name: "runtime", measures: "array", library: "/nonexistent/libpocl.so" },
    new Set(["ours"]),
  );
  expect(present.size).toBe(0);
  expect(absent.get("ours")).toMatch(/^\/nonexistent\/libpocl\.so is not built: .*`node scripts\/build-pocl\.mjs`/);
});

test("the null driver replaces a peer's library", () => {
  const library = { CL_LIBRARY_PATH: "libpocl.so" };
  expect(environment("default", "ours", "null.so", library)["CL_LIBRARY_PATH"]).toBe("libpocl.so");
  expect(environment("null", "ours", "null.so", library)["CL_LIBRARY_PATH"]).toBe("null.so");
});

test("the table has the system's runtime, its ratio and its target", () => {
  const times = { unit: "ms", ours: 9, system: 10, ratio: { system: 0.9 }, p10: {}, max: {}, rounds: 5 };
  const record = { package: "runtime", job: "gray-scott", ...times, device: "" };
  const cells = table([{ record, target: { times: 1, peer: "system" } }])
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells[0]).toEqual(["", "job", "unit", "ours", "system", "ours / system", "target", "met", ""]);
  expect(cells[2]).toEqual(["", "gray-scott", "ms", "9", "10", "0.9", "1 × system", "yes", ""]);
});
