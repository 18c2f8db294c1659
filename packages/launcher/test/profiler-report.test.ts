import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CommandQueue } from "@cl/core";
import { KernelLauncher, ListLauncher, Profiler, runSteps } from "@cl/launcher";
import { errorLike } from "@cl/testing/error-like";
import { afterAll, beforeAll, expect, test } from "vitest";

import { context, ints, program } from "./support/device.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cl-profiler-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("a profiler's report has statistics of all commands, including those dropped from its trace", async () => {
  const profiler = new Profiler({ trace: { capacity: 10 } });
  const queue = new CommandQueue(context, { profiling: true });
  const add = new KernelLauncher("add", program.kernel("add"), { args: [ints(0), 1], global: 1 });
  await runSteps(new ListLauncher("step", { profiler }).push(add), { queue, steps: 25 });
  const [page, csv] = [join(folder, "report.html"), join(folder, "report.csv")];
  await profiler.writeReport(page, { title: "All of them" });
  const html = readFileSync(page, "utf8");
  // toContain would print the whole page.
  expect(html.includes("<h1>All of them</h1>")).toBe(true);
  expect(html.includes('"count":25')).toBe(true);
  await profiler.writeReport(csv);
  expect(readFileSync(csv, "utf8")).toMatch(/\n[^\n]*add[^\n]*,25,/);
  await expect(profiler.writeReport(page, 7 as never)).rejects.toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options"),
  );
});

test("the table of a profiler without commands says how to record them", () => {
  const profiler = new Profiler();
  new KernelLauncher("add", program.kernel("add"), { args: [ints(0), 1], global: 1, profiler }).launch(
    new CommandQueue(context),
  );
  expect(profiler.table()).toMatch(/^name.*\nadd .*\nNo commands were recorded.*profiling: true/);
});
