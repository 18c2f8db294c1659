/** Runs the suites of test/fixtures/device-suites as a separate project. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Result of a test. */
export interface Outcome {
  readonly name: string;
  readonly status: string;
  readonly messages: readonly string[];
}

const folder = fileURLToPath(new URL("../fixtures/device-suites/", import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");

/** Runs test files. `said` is the output of the skip reporter. */
export async function runSuite(
  file: string | readonly string[],
  env: Record<string, string>,
): Promise<{ outcomes: Outcome[]; said: string }> {
  const { VITEST_JSON: _, CL_TEST_DEVICES: _devices, CL_DEVICE: _device, ...rest } = process.env;
  const child = spawn(process.execPath, [vitest, "run", "--root", folder, ...[file].flat()], {
    env: { ...rest, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const start = out.indexOf('{"numTotalTestSuites"');
  if (start < 0) throw new Error(`the suites did not run:\n${out}\n${errors}`);
  const end = out.indexOf("\n", start) + 1 || out.length;
  const report = JSON.parse(out.slice(start, end)) as {
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  };
  const outcomes = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages }) => ({
      name: fullName,
      status,
      messages: failureMessages,
    })),
  );
  return { outcomes, said: out.slice(0, start) + out.slice(end) };
}
