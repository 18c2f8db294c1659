/** Runs scripts on the fake driver that must end without an error or an invalid driver call. */
import * as core from "@cl/core";
import { expect } from "vitest";

import { type FakeReport, type RunOptions, runWithFake } from "@cl/testing/fake-opencl/run";

/** The package's exports, `assert`, a context, a queue, and the code of the error that a call throws. */
const prelude = `
  import assert from "node:assert/strict";
  import { ${Object.keys(core).join(", ")} } from "@cl/core";
  const context = Context.create();
  const queue = new CommandQueue(context);
  const codeOf = (run) => { try { run(); return "nothing"; } catch (error) { return error.code; } };
`;

/** Returns the lines that a script prints, and the driver's report. */
export async function onFake(
  script: string,
  options: RunOptions = {},
): Promise<{ readonly lines: readonly string[]; readonly report: FakeReport }> {
  const end = await runWithFake(prelude + script, options);
  expect(end).toMatchObject({ code: 0, stderr: "", report: { notes: [], misuse: 0 } });
  const text = end.stdout.trimEnd();
  return { lines: text === "" ? [] : text.split("\n"), report: end.report as FakeReport };
}
