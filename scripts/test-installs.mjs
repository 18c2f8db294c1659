// Packs the packages, installs them in empty folders, and uses them there: first each selection of packages that a user may
// make, which finds files and dependencies that are missing in a tarball, then as docs/install.md describes.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root, runEnvironment } from "./lib/environment.mjs";
import { installTarballs } from "./lib/install.mjs";
import { followInstallPage } from "./lib/install-page.mjs";
import { packagesWithCode, tarballsIn, usablePackages } from "./lib/pack.mjs";

const withCode = packagesWithCode();
const folder = mkdtempSync(join(tmpdir(), "cl-installs-"));
try {
  const packed = join(folder, "packed");
  const installCommand = pack(packed);
  const tarballs = tarballsIn(packed, usablePackages());
  for (const selected of [
    ["@cl/base", "@cl/core"],
    ["@cl/base", "@cl/core", "@cl/launcher", "@cl/trace"],
    ["@cl/base", "@cl/core", "@cl/launcher", "@cl/trace", "@cl/mpi"],
    [...tarballs.keys()],
  ]) {
    const place = join(folder, String(selected.length));
    installTarballs(
      place,
      selected.map((name) => [name, tarballs.get(name)]),
    );
    checkContents(place, selected);
    use(
      place,
      selected.filter((name) => withCode.includes(name) && name !== "@cl/pocl"),
    );
    if (selected.includes("@cl/pocl")) execute(place, ["--import", "@cl/pocl", "main.js"], { CL_DEVICE: "@cl/pocl" });
    console.log(`installed and used: ${selected.join(", ")}`);
  }
  followInstallPage(folder, installCommand, tarballs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function checkContents(place, selected) {
  const installed = readdirSync(join(place, "node_modules/@cl")).map((name) => `@cl/${name}`);
  const others = installed.filter((name) => !selected.includes(name));
  if (others.length > 0) throw new Error(`${selected.join(", ")} also installed ${others.join(", ")}`);
  for (const name of selected) {
    const inside = (path) => join(place, "node_modules", name, path);
    const code = withCode.includes(name) ? ["dist/index.js", "dist/index.d.ts"] : [];
    // With the library, the licenses of its parts replace ours.
    const license = existsSync(inside("licenses")) ? "licenses/README.md" : "LICENSE";
    for (const path of [license, "README.md", ...code, ...prebuiltFiles(name)]) {
      if (!existsSync(inside(path))) throw new Error(`the tarball of ${name} lacks ${path}`);
    }
    for (const path of ["test", "build", "tsconfig.json", "dist/.tsbuildinfo"]) {
      if (existsSync(inside(path))) throw new Error(`the tarball of ${name} must not contain ${path}`);
    }
  }
}

/** Returns the prebuilt files of a package, relative to its folder. */
function prebuiltFiles(name) {
  const folder = join(root, "packages", name.replace("@cl/", ""));
  if (!existsSync(join(folder, "prebuilds"))) return [];
  const files = readdirSync(join(folder, "prebuilds"), { recursive: true, withFileTypes: true });
  return files.flatMap((file) => (file.isFile() ? [relative(folder, join(file.parentPath, file.name))] : []));
}

/** Compiles a program that imports every package, in strict mode, and runs it. */
function use(place, selected) {
  const imports = selected.map((name, i) => `import * as package${i} from "${name}";\n`).join("");
  const program = `${imports}import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, "__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }").build();
const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3));
program.kernel("twice").launch(queue, { global: 3 }, x);
const doubled: Int32Array = await queue.read(x, Int32Array);
if (doubled.join() !== "2,4,6") throw new Error(\`expected 2,4,6, received \${doubled.join()}\`);
for (const exported of [${selected.map((_, i) => `package${i}`).join()}]) {
  if (Object.keys(exported).length === 0) throw new Error("a package exports nothing");
}
`;
  writeFileSync(join(place, "main.ts"), program);
  const compilerOptions = {
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "esnext.disposable"],
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ["node"],
    typeRoots: [join(root, "packages/core/node_modules/@types")],
  };
  writeFileSync(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  // Only tools come from the workspace.
  symlinkSync(join(root, "packages/core/node_modules/@types"), join(place, "node_modules/@types"));
  execute(place, [join(root, "node_modules/typescript/bin/tsc")]);
  execute(place, ["main.js"]);
}

function execute(cwd, args, variables = {}) {
  const env = { ...runEnvironment(), ...variables };
  const { status } = spawnSync(process.execPath, args, { cwd, env, stdio: "inherit" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} exited with status ${status}`);
}

/** Runs scripts/pack.mjs. Returns the command that it prints. */
function pack(destination) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, "scripts/pack.mjs"), destination], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`scripts/pack.mjs exited with status ${status}`);
  return stdout.trimEnd().split("\n").at(-1);
}
