// Compiles native/shim.c, which calls one MPI, for each MPI that is installed.
//   node scripts/build-shim.mjs [--if-present] [--compiler MPICC] [--output FILE]
// Without options it looks for mpicc.openmpi, mpicc.mpich and mpicc, and fails if all are missing, unless --if-present is given.
// Use --compiler for another MPI, and set CL_MPI_SHIM to the file. Has no dependencies.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const folder = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: { "if-present": { type: "boolean" }, compiler: { type: "string" }, output: { type: "string" } },
});
const compilers = values.compiler === undefined ? ["mpicc.openmpi", "mpicc.mpich", "mpicc"] : [values.compiler];
const made = new Map();
for (const compiler of compilers) {
  const flavor = flavorOf(compiler);
  if (flavor === undefined || made.has(flavor)) continue;
  const output = values.output ?? join(folder, "build", "shims", `shim-${flavor}.so`);
  compile(compiler, output);
  made.set(flavor, output);
}
for (const output of made.values()) console.log(`wrote ${output}`);
if (made.size === 0 && !values["if-present"]) {
  console.error(`no MPI compiler was found (tried ${compilers.join(", ")}).
Debian and Ubuntu: apt install libopenmpi-dev or libmpich-dev. On a cluster: module load openmpi (or what it is called there).`);
  process.exitCode = 1;
}

/** Returns which MPI a compiler is of; `undefined` if it is not there. */
function flavorOf(compiler) {
  const input =
    "#include <mpi.h>\n#if defined(OPEN_MPI)\n@openmpi\n#elif defined(MPICH_VERSION) || defined(MPICH_NAME)\n@mpich\n#else\n@mpiabi\n#endif\n";
  const { status, stdout } = spawnSync(compiler, ["-E", "-P", "-x", "c", "-"], { input, encoding: "utf8" });
  return status === 0 ? /^@(\w+)$/m.exec(stdout)?.[1] : undefined;
}

function compile(compiler, output) {
  const scratch = mkdtempSync(join(tmpdir(), "cl-mpi-shim-"));
  try {
    mkdirSync(dirname(output), { recursive: true });
    const object = join(scratch, "shim.o");
    const source = join(folder, "native", "shim.c");
    run(compiler, ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-c", source, "-o", object]);
    // Linked without the MPI: its symbols are those of the one that is opened.
    run(process.env.CC ?? "cc", ["-shared", "-Wl,-s", object, "-o", output]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${error?.message ?? stderr}`);
}
