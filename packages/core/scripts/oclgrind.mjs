// Runs tests on oclgrind, an OpenCL device that is a simulator and watches each work-item: reads and writes outside of
// buffers, and data races, are findings, and fail the run. It is also a second implementation (OpenCL 1.2).
//
//   node scripts/oclgrind.mjs            the tests of kernels, some minutes
//   node scripts/oclgrind.mjs --full     every test file that can run there
//   node scripts/oclgrind.mjs launch     the files whose names contain "launch"
//
// Debian and Ubuntu have it as the package oclgrind; OCLGRIND_LIBRARY names another liboclgrind-rt.so. Without it nothing
// is run, which is a failure in CI.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setup as bundle } from "./bundle.mjs";

const core = fileURLToPath(new URL("..", import.meta.url));
const [choice] = process.argv.slice(2);

/** Test files of the short run: every way in which kernels get arguments, sizes and memory. */
const quick = [
  "bound-kernel",
  "copy",
  "fill",
  "image-kernel",
  "kernel-argument-protocol",
  "kernel-arguments",
  "kernel-types",
  "launch-list",
  "launch-sizes",
  "local-memory",
  "read-write",
  "set-arg",
  "typed-kernel",
  "view-transfer",
];

/** Files that the full run leaves out. */
const leftOut = [
  [/^(faults|no-runtime|uncrashable|bad-input|staging)/, "about the fake driver, or about none"],
  [/^(exit|workers|event-loop|user-event|host-function|pace|wait-for|native-kernel)/, "about user events and threads"],
  [/^(svm|pipe|semaphore|command-buffer|external-memory)/, "for OpenCL 2 and extensions"],
  [/^(program-cache|capture)/, "runs programs again that others run"],
];

/** Failures of single tests that are oclgrind's, by the test's name or the error's words. */
const limits = [
  [/user events would hang/, "oclgrind runs all commands inside flush, so that user events would hang"],
  [/reqd_work_group_size\(8,2,1\)/, "oclgrind tells no attributes of kernels"],
  [/can be one of several, on parts that overlap/, "oclgrind does not count maps"],
  [/^unmapping (is made by garbage collection|does not happen while)/m, "oclgrind does not count maps"],
  [/runs all of a hundred thousand/, "too much for a simulator"],
  [
    /aborted wait no longer keeps|dropped without release is given back|memory migrates \(gated/,
    "oclgrind runs all commands inside flush, so that user events would hang, here in a process of their own",
  ],
  [/is unmapped when nobody has a view over it/, "oclgrind does not call back at the end of an image that was mapped"],
  [/a property that the driver does not know/, "oclgrind takes any property of a context"],
  [/program whose kernels were made elsewhere/, "oclgrind builds a program again under its kernels"],
  [/(compiling|linking) that fails is a BuildError/, "oclgrind's linker and its log are not complete"],
  [/^a sampler (is what its options say|comes out as an address)/, "oclgrind answers wrongly about samplers"],
];

/** Findings that are the simulator's compiler's. */
const knownFindings = [
  [
    /not aligned to the pointed type[^]* to->field\d+(\[\d+\])+ = from->field/,
    "its clang forgets that arrays of 3-vectors in packed structs are not aligned",
  ],
];

/** The first lines of what oclgrind has to say. */
const finding =
  /^(Invalid (read|write)|(Read|Write)-(write|read) data race|Uninitialized|Work-group divergence|Work-item .* memory access|Invalid memory)/;

const library = [
  process.env.OCLGRIND_LIBRARY,
  "/usr/lib/oclgrind/liboclgrind-rt.so",
  "/usr/local/lib/oclgrind/liboclgrind-rt.so",
  "/usr/local/lib/liboclgrind-rt.so",
].find((path) => path !== undefined && existsSync(path));

if (library === undefined) {
  console.log("left out: oclgrind is not installed (Debian and Ubuntu: apt-get install oclgrind)");
  process.exit(process.env.CI ? 1 : 0);
}

const env = {
  ...process.env,
  CL_LIBRARY_PATH: library,
  CL_DEVICE: "",
  CL_NO_CACHE: "1",
  OCLGRIND_DATA_RACES: "1",
  OCLGRIND_MAX_ERRORS: "20",
};
const folder = mkdtempSync(join(tmpdir(), "cl-oclgrind-"));
try {
  process.exitCode = (await instrumentWorks()) && (await run(chosenFiles())) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A simulator that sees nothing would pass everything. */
async function instrumentWorks() {
  await bundle();
  const source = `
    import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
    const context = Context.create();
    const queue = new CommandQueue(context);
    const program = new Program(context, "__kernel void beyond(__global int *x) { x[get_global_id(0)] = 1; } __kernel void race(__global int *x) { x[0] = get_global_id(0); }").buildSync();
    const x = DeviceBuffer.from(context, new Int32Array(4));
    for (const kernel of program.kernels()) kernel.launchAndFinishSync(queue, { global: kernel.name === "race" ? 2 : 5 }, x);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module"], {
    cwd: core,
    env,
    input: source,
    encoding: "utf8",
  });
  const seen = findings(stdout + stderr).join("\n");
  if (/^Invalid write/m.test(seen) && /^Write-write data race/m.test(seen)) return true;
  console.log(`oclgrind did not see an access out of bounds and a race that are there:\n${stdout}${stderr}`);
  return false;
}

function chosenFiles() {
  const names = readdirSync(join(core, "test"))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => name.slice(0, -".test.ts".length));
  if (choice === undefined) return quick.filter((name) => names.includes(name));
  if (choice !== "--full") return names.filter((name) => name.includes(choice));
  for (const [pattern, why] of leftOut) {
    console.log(`left out: ${names.filter((name) => pattern.test(name)).join(", ")}: ${why}`);
  }
  return names.filter((name) => !leftOut.some(([pattern]) => pattern.test(name)));
}

/** True if there is no finding, and no test failed but for what oclgrind cannot do. */
async function run(names) {
  const report = join(folder, "report.json");
  const files = names.map((name) => `test/${name}.test.ts`);
  const vitest = join(core, "node_modules", "vitest", "vitest.mjs");
  const output = await textOf(process.execPath, [
    vitest,
    "run",
    "--typecheck.enabled=false",
    "--testTimeout=60000",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...files,
  ]);
  if (!existsSync(report)) {
    console.log(`${output}\nvitest made no report`);
    return false;
  }
  const tests = JSON.parse(readFileSync(report, "utf8")).testResults.flatMap((file) => {
    // A file that could not be loaded has no tests.
    const broken = { status: "failed", fullName: file.name, failureMessages: [file.message] };
    return file.assertionResults.length === 0 ? [broken] : file.assertionResults;
  });
  const failures = tests.filter(({ status }) => status === "failed");
  const unexplained = failures.filter((test) => reasonOf(test) === undefined);
  const reasons = groupBy(failures, reasonOf);
  for (const [why, of] of reasons) if (why !== undefined) console.log(`left out: ${of.length} tests: ${why}`);
  for (const { fullName, failureMessages } of unexplained) {
    console.log(`FAILED ${fullName}\n${failureMessages.join("\n")}`);
  }
  const [known, found] = [true, false].map((isKnown) =>
    findings(output).filter((one) => knownFindings.some(([pattern]) => pattern.test(one)) === isKnown),
  );
  for (const [pattern, why] of knownFindings) {
    const count = known.filter((one) => pattern.test(one)).length;
    if (count > 0) console.log(`left out: ${count} findings: ${why}`);
  }
  for (const one of found) console.log(`FOUND ${one}\n`);
  const passed = tests.filter(({ status }) => status === "passed").length;
  console.log(`oclgrind: ${passed} tests passed, ${unexplained.length} failed, ${found.length} findings`);
  return passed > 0 && unexplained.length === 0 && found.length === 0;
}

function reasonOf({ fullName, failureMessages }) {
  return limits.find(([pattern]) => pattern.test([fullName, ...failureMessages].join("\n")))?.[1];
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}

/** Each finding: its first line and what is indented below. */
function findings(output) {
  // oxlint-disable-next-line no-control-regex -- colours
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

/** Both streams in their order. */
function textOf(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: core, env, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (text += part));
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}
