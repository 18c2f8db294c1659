// Runs the tests against the packed tarballs, installed by npm in a separate folder.
//   node scripts/test-built.mjs [--dir FOLDER] [--node BINARY] [vitest arguments]
// --dir keeps the folder and reuses it if it is complete; --node selects another Node binary.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { root, runEnvironment } from "./lib/environment.mjs";
import { installTarballs } from "./lib/install.mjs";
import { packAll, publishedPackages } from "./lib/pack.mjs";

const vitestArguments = process.argv.slice(2);
const keptFolder = takeOption("--dir");
const node = takeOption("--node") ?? process.execPath;
const folder = keptFolder === undefined ? mkdtempSync(join(tmpdir(), "cl-built-")) : resolve(keptFolder);
try {
  if (!existsSync(join(folder, "ready"))) prepare();
  process.exitCode = run();
} finally {
  if (keptFolder === undefined) rmSync(folder, { recursive: true, force: true });
}

function takeOption(name) {
  const index = vitestArguments.indexOf(name);
  return index < 0 ? undefined : vitestArguments.splice(index, 2)[1];
}

function prepare() {
  installTarballs(folder, packAll(folder));
  const shared = ["tsconfig.base.json", "tsconfig.test.json", "tsconfig.types.json", "vitest.config.ts"];
  // Imported by the configuration.
  shared.push("packages/tools/src/testing/skip-summary.ts");
  shared.push("packages/trace/scripts/report-page.mjs", "packages/trace/scripts/report-page.d.mts");
  shared.push("scripts/lib/opencl-files.mjs", "scripts/lib/opencl-files.d.mts");
  shared.push("packages/testing");
  for (const path of ["README.md", "docs", "examples", ...shared]) copy(path);
  // Resolve the packages from node_modules instead.
  withoutSources("tsconfig.test.json");
  withoutSources("docs/tsconfig.test.json");
  for (const { folder: path, manifest } of publishedPackages()) {
    if (!existsSync(join(root, path, "test"))) continue;
    for (const part of ["README.md", "test", "tsconfig.json", "tsconfig.test.json"]) {
      copy(join(path, part));
    }
    withoutSources(join(path, "tsconfig.test.json"));
    for (const tool of Object.keys(manifest.devDependencies ?? {})) link(join(path, "node_modules", tool), tool);
  }
  // Shared test code is not published; from here it resolves the installed packages.
  symlinkSync(join(folder, "packages/testing"), join(folder, "node_modules/@cl/testing"));
  link("node_modules/.bin/tsc", ".bin/tsc");
  writeFileSync(join(folder, "ready"), "");
}

function copy(path) {
  if (!existsSync(join(root, path))) return;
  const filter = (source) => !/[\\/]node_modules([\\/]|$)|^docs[\\/]build/.test(relative(root, source));
  cpSync(join(root, path), join(folder, path), { recursive: true, filter });
}

/** Links a development dependency to the workspace's copy: only the tested packages come from tarballs. */
function link(from, name) {
  const to = join(folder, "node_modules", name);
  if (existsSync(to) || !existsSync(join(root, from))) return;
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(join(root, from), to);
}

/** Removes the path mapping to the sources and the internal tests, which test the sources, from a TypeScript project. */
function withoutSources(path) {
  const project = join(folder, path);
  const text = readFileSync(project, "utf8");
  const changed = text
    .replace(/,?\s*"(paths": \{[^}]*\}|exclude": \[[^\]]*\])/g, "")
    .replace(/"include": \[[^\]]*\]/, '"include": ["test"], "exclude": ["test/internal"]');
  writeFileSync(project, changed);
}

function run() {
  const vitest = join(folder, "node_modules", "vitest", "vitest.mjs");
  const env = { ...runEnvironment(), TEST_BUILT: "1" };
  const { status } = spawnSync(node, [vitest, "run", ...vitestArguments], {
    cwd: folder,
    env,
    stdio: "inherit",
  });
  return status ?? 1;
}
