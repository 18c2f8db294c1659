// Measures which lines of the sources the full tests run: TypeScript with V8's counters, the addons with gcov. Prints a table, and
// writes the lines that do not run to coverage/missing.txt. Takes an hour.
//   npm run coverage [-- ARGUMENT…]   with arguments of vitest, such as `--project core` or `pool`
// Lines that only child processes run count as missing in TypeScript, and as run in the addons.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root, runEnvironment } from "./lib/environment.mjs";

const output = "build-coverage";
const addons = ["core", "mpi"].map((name) => join(root, "packages", name));
for (const cwd of addons) {
  const args = [join(root, "scripts/compile-addon.mjs"), "--out", output, "--CDCL_COVERAGE=ON"];
  execFileSync(process.execPath, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  for (const file of filesIn(join(cwd, output), ".gcda")) rmSync(file);
}
const [coreBinary, mpiBinary] = ["core", "mpi"].map((name, i) => join(addons[i], output, `Release/cl_${name}.node`));
const folder = join(root, "coverage");
const args = [
  "vitest",
  "run",
  "--coverage.enabled",
  "--coverage.provider=v8",
  "--coverage.include=packages/*/src/**/*.ts",
];
args.push("--coverage.reporter=json", "--coverage.reportOnFailure", ...process.argv.slice(2));
const { status } = spawnSync("npx", args, {
  cwd: root,
  stdio: "inherit",
  env: {
    CL_TEST_LEVEL: "full",
    ...runEnvironment(),
    CL_TEST_SOURCES: "1",
    CL_CORE_BINARY: coreBinary,
    CL_MPI_BINARY: mpiBinary,
  },
});
report(new Map([...linesOfTypeScript(), ...linesOfAddons()]));
process.exitCode = status ?? 1;

/** Returns whether each line with code runs, by file and line. */
function linesOfTypeScript() {
  const files = JSON.parse(readFileSync(join(folder, "coverage-final.json"), "utf8"));
  return Object.values(files).map(({ path, statementMap, s }) => {
    const lines = new Map();
    for (const [id, { start }] of Object.entries(statementMap)) {
      lines.set(start.line, (lines.get(start.line) ?? false) || s[id] > 0);
    }
    return [relative(root, path), lines];
  });
}

function linesOfAddons() {
  const result = new Map();
  for (const cwd of addons) {
    for (const counters of filesIn(join(cwd, output), ".gcda")) {
      const text = execFileSync("gcov", ["--json-format", "--stdout", counters], {
        encoding: "utf8",
        maxBuffer: 1 << 28,
      });
      for (const { file, lines } of JSON.parse(text).files) {
        const path = relative(root, file);
        if (!/^packages\/\w+\/native\//.test(path)) continue;
        const known = result.get(path) ?? new Map();
        for (const { line_number: line, count } of lines) known.set(line, (known.get(line) ?? false) || count > 0);
        result.set(path, known);
      }
    }
  }
  return result;
}

function report(files) {
  const totals = new Map();
  const missing = [];
  for (const [path, lines] of [...files].toSorted(([a], [b]) => a.localeCompare(b))) {
    const name = path.split("/").slice(0, 3).join("/");
    const total = totals.get(name) ?? { run: 0, all: 0 };
    total.all += lines.size;
    total.run += [...lines.values()].filter(Boolean).length;
    totals.set(name, total);
    for (const [line, runs] of [...lines].toSorted(([a], [b]) => a - b)) if (!runs) missing.push(`${path}:${line}`);
  }
  for (const [name, { run, all }] of totals) {
    console.log(
      `${name.padEnd(30)} ${String(run).padStart(6)} of ${String(all).padStart(6)} lines  ${((100 * run) / all).toFixed(2)} %`,
    );
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "missing.txt"), `${missing.join("\n")}\n`);
}

function filesIn(folder, ending) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
}
