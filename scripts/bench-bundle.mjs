// Packs the benchmarks for a machine that has an OpenCL driver, but no Node, compiler or network.
//   node scripts/bench-bundle.mjs [FILE]      FILE defaults to cl-bench-<platform>-<arch>.tar.gz
// On that machine: tar -xzf FILE && ./cl-bench/run --only array --size 1e8 --json results.json
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildNullDriver, buildPeer, compilerVersion } from "../bench/src/native-build.mjs";
import { paths } from "../bench/src/paths.mjs";
import { root } from "./lib/environment.mjs";
import { installTarballs } from "./lib/install.mjs";
import { packAll } from "./lib/pack.mjs";

const file = resolve(process.argv[2] ?? `cl-bench-${process.platform}-${process.arch}.tar.gz`);
const work = mkdtempSync(join(tmpdir(), "cl-bench-"));
try {
  const folder = join(work, "cl-bench");
  installTarballs(folder, packAll(work));
  for (const part of ["src", "native", "kernels", "python", "results", "README.md", "package.json"]) {
    const from = join(root, "bench", part);
    if (existsSync(from)) cpSync(from, join(folder, "bench", part), { recursive: true });
  }
  // Kernels that a job shares with an example.
  const lattice = "examples/lattice-boltzmann";
  mkdirSync(join(folder, lattice), { recursive: true });
  copyFileSync(join(root, lattice, "lattice.cl"), join(folder, lattice, "lattice.cl"));
  copyFileSync(process.execPath, join(folder, "node"));
  chmodSync(join(folder, "node"), 0o755);
  writeFileSync(
    join(folder, "run"),
    '#!/bin/sh\nhere=$(cd "$(dirname "$0")" && pwd)\nPATH="$here:$PATH" exec node "$here/bench/src/run.mjs" "$@"\n',
  );
  chmodSync(join(folder, "run"), 0o755);
  prebuild(join(folder, "bench/prebuilt"));
  pack(folder);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Compiles the null driver and the C++ peers into `folder`. */
function prebuild(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "compiler"), compilerVersion());
  copyFileSync(buildNullDriver(), join(folder, "null-driver.so"));
  for (const name of readdirSync(paths.jobs)) {
    const peer = buildPeer(name);
    if (peer !== undefined) copyFileSync(peer, join(folder, name));
  }
}

function pack(folder) {
  const { status } = spawnSync("tar", ["-czf", `${file}.new`, "-C", join(folder, ".."), "cl-bench"], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("tar failed to pack the benchmarks");
  renameSync(`${file}.new`, file);
  console.log(file);
}
