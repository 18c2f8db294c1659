// Runs test files on oclgrind, an OpenCL device simulator that checks each work-item. Out-of-bounds accesses, data races and
// uninitialized values are findings and fail the run.
//
// Install the package oclgrind (Debian, Ubuntu) or set OCLGRIND_LIBRARY to the path of liboclgrind-rt.so. Without oclgrind
// no test runs, which fails in CI.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./environment.mjs";

/** Matches the first line of a finding in oclgrind's output. */
const finding =
  /^(Invalid (read|write)|(Read|Write)-(write|read) data race|Uninitialized|\w+ depends on uninitialized|Work-group divergence|Work-item .* memory access|Invalid memory)/;

const library = [
  process.env.OCLGRIND_LIBRARY,
  "/usr/lib/oclgrind/liboclgrind-rt.so",
  "/usr/local/lib/oclgrind/liboclgrind-rt.so",
  "/usr/local/lib/liboclgrind-rt.so",
].find((path) => path !== undefined && existsSync(path));

/**
 * Runs test files of a package, given as filters of their paths, and returns whether they passed without findings. `limits` lists test failures caused by
 * oclgrind, `known` findings caused by its compiler: pairs of a pattern and a reason. `uninitialized` also checks for
 * uninitialized values, which is slower.
 */
export async function runOnOclgrind(name, files, { limits = [], known = [], uninitialized = false } = {}) {
  if (library === undefined) {
    console.log("oclgrind is not installed (Debian and Ubuntu: apt-get install oclgrind)");
    return false;
  }
  const env = {
    CL_TEST_LEVEL: "full",
    ...process.env,
    CL_LIBRARY_PATH: library,
    CL_DEVICE: "",
    CL_NO_CACHE: "1",
    OCLGRIND_DATA_RACES: "1",
    OCLGRIND_MAX_ERRORS: "20",
    ...(uninitialized ? { OCLGRIND_UNINITIALIZED: "1" } : {}),
  };
  const place = mkdtempSync(join(tmpdir(), "cl-oclgrind-"));
  try {
    return (
      instrumentWorks(join(root, "packages", name), env, uninitialized) &&
      (await run(name, files, env, join(place, "report.json"), limits, known))
    );
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Checks that oclgrind reports the errors of broken kernels: if it missed them, every test would pass. */
function instrumentWorks(cwd, env, uninitialized) {
  const source = `
    import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context);
    const program = new Program(context, "__kernel void beyond(__global int *x) { x[get_global_id(0)] = 1; } __kernel void race(__global int *x) { x[0] = get_global_id(0); } __kernel void nothing(__global int *x) { int y[2]; y[x[0] & 1] = 3; if (y[1 - (x[0] & 1)]) x[1] = 2; }").buildSync();
    const x = DeviceBuffer.from(context, new Int32Array(4));
    for (const kernel of program.kernels()) kernel.launchAndFinishSync(queue, { global: { beyond: 5, race: 2, nothing: 1 }[kernel.name] }, x);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module"], {
    cwd,
    env,
    input: source,
    encoding: "utf8",
  });
  const reported = findings(stdout + stderr).join("\n");
  const expected = [/^Invalid write/m, /^Write-write data race/m, ...(uninitialized ? [/uninitialized value/im] : [])];
  if (expected.every((pattern) => pattern.test(reported))) return true;
  console.log(`oclgrind did not report the errors of broken kernels:\n${stdout}${stderr}`);
  return false;
}

/** Returns whether at least one test passed, none failed except for `limits`, and no finding is outside of `known`. */
async function run(name, files, env, report, limits, known) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const reasonOf = ({ fullName, failureMessages }) =>
    limits.find(([pattern]) => pattern.test([fullName, ...failureMessages].join("\n")))?.[1];
  const { code, text: output } = await outputOf(root, env, [
    vitest,
    "run",
    `--project=${name}`,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...files,
  ]);
  if (!existsSync(report)) {
    console.log(`${output}\nvitest wrote no report`);
    return false;
  }
  const { testResults } = JSON.parse(readFileSync(report, "utf8"));
  const tests = testResults.flatMap((file) => {
    // A file that could not be loaded has no tests.
    const broken = { status: "failed", fullName: file.name, failureMessages: [file.message] };
    return file.assertionResults.length === 0 ? [broken] : file.assertionResults;
  });
  const failures = tests.filter(({ status }) => status === "failed");
  const unexplained = failures.filter((test) => reasonOf(test) === undefined);
  const reasons = groupBy(failures, reasonOf);
  for (const [why, skipped] of reasons) if (why !== undefined) console.log(`ignored: ${skipped.length} tests: ${why}`);
  for (const { fullName, failureMessages } of unexplained) {
    console.log(`FAILED ${fullName}\n${failureMessages.join("\n")}`);
  }
  const [ignored, found] = [true, false].map((isKnown) =>
    findings(output).filter((text) => known.some(([pattern]) => pattern.test(text)) === isKnown),
  );
  for (const [pattern, why] of known) {
    const count = ignored.filter((text) => pattern.test(text)).length;
    if (count > 0) console.log(`ignored: ${count} findings: ${why}`);
  }
  for (const text of found) console.log(`FOUND ${text}\n`);
  const passed = tests.filter(({ status }) => status === "passed").length;
  console.log(`oclgrind: ${passed} tests passed, ${unexplained.length} failed, ${found.length} findings`);
  // A process that crashed leaves no failed test; vitest then lacks tests and ends with an error.
  const isComplete = code === 0 || failures.length > 0;
  if (!isComplete) console.log(`${output}\nvitest ended with ${code} though no test failed`);
  return passed > 0 && unexplained.length === 0 && found.length === 0 && isComplete;
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Returns the findings in the output: each is a first line and the indented lines below it. */
function findings(output) {
  // oxlint-disable-next-line no-control-regex -- colors
  const lines = output.replaceAll(/\u001B\[[0-9;]*m/g, "").split("\n");
  return lines.flatMap((line, i) => {
    if (!finding.test(line)) return [];
    const end = lines.findIndex((next, k) => k > i && next !== "" && !/^\s/.test(next));
    return [
      lines
        .slice(i, end < 0 ? undefined : end)
        .join("\n")
        .trimEnd(),
    ];
  });
}

/** Runs Node and returns its exit code, and its stdout and stderr, interleaved. */
function outputOf(cwd, env, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}
