// Finds the peers to compare with. Missing peers are reported and absent from the records.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { environment } from "./environments.mjs";
import { messageOf } from "./message.mjs";
import { buildPeer, compilerVersion } from "./native-build.mjs";
import { paths } from "./paths.mjs";

/**
 * @typedef {object} Peer
 * @property {string} version
 * @property {NodeJS.ProcessEnv} [env] additional environment variables
 * @property {import("./child.mjs").Command} serve command of the persistent child
 * @property {(job: string, count: number | undefined, nodeArguments: readonly string[]) => import("./child.mjs").Command} once
 */

/**
 * @typedef {object} Group
 * @property {string} name name of its folders
 * @property {string} measures the measured package, whose version is reported
 * @property {string | undefined} [library] OpenCL library of `ours`; then `system` is ours with the system's
 */

/** @typedef {{ present: Map<string, Peer>, absent: Map<string, string> }} Peers */

const pythons = ["/usr/bin/python3", "python3"].filter((file) => file === "python3" || existsSync(file));
const pythonPeers = ["pyopencl", "numpy", "cupy"];

/**
 * Finds the peers of a group of jobs, and builds them if necessary.
 * @param {Group} group
 * @param {ReadonlySet<string>} names the peers that its jobs use
 * @returns {Peers}
 */
export function findPeers(group, names) {
  /** @type {Peers} */
  const peers = { present: new Map(), absent: new Map() };
  for (const name of names) {
    try {
      peers.present.set(name, findPeer(group, name));
    } catch (problem) {
      peers.absent.set(name, reason(problem));
    }
  }
  return peers;
}

/**
 * @param {Group} group
 * @param {string} name
 * @returns {Peer}
 */
function findPeer(group, name) {
  if (name === "ours") return ours(group, selecting(group.library));
  if (name === "system") return ours(group, {});
  if (name === "cpp") return cpp(group.name);
  if (pythonPeers.includes(name)) return pythonPeer(group.name, name);
  throw new Error("unknown peer");
}

/**
 * @param {Group} group
 * @param {NodeJS.ProcessEnv} env
 */
function ours({ name, measures }, env) {
  const probe = `await import("@cl/${measures}");
    const [{ platform, driverVersion }] = (await import("@cl/core")).Context.create().devices;
    console.log(platform.name, driverVersion)`;
  const driver = execFileSync(process.execPath, ["--input-type=module", "-e", probe], {
    cwd: paths.root,
    encoding: "utf8",
    env: environment("default", "ours", undefined, env),
    stdio: "pipe",
  });
  const folder = join(paths.ours, name);
  return {
    version: `@cl/${measures} on Node ${process.version}, ${driver.trim()}`,
    env,
    serve: { file: process.execPath, args: [join(folder, "serve.mjs")] },
    once: (
      /** @type {string} */ job,
      /** @type {number | undefined} */ count,
      /** @type {readonly string[]} */ args,
    ) => ({
      file: process.execPath,
      args: [...args, join(folder, "once.mjs"), job, ...countArguments(count)],
    }),
  };
}

/**
 * Returns the environment variables that select an OpenCL library.
 * @param {string | undefined} library
 * @returns {NodeJS.ProcessEnv}
 */
function selecting(library) {
  if (library === undefined) return {};
  if (existsSync(library)) return { CL_LIBRARY_PATH: library };
  throw new Error(`${library} is not built: run \`node scripts/build-pocl.mjs\``);
}

/** @param {string} groupName */
function cpp(groupName) {
  const file = buildPeer(groupName);
  if (file === undefined) throw new Error(`no C++ jobs for ${groupName}`);
  return {
    version: `${compilerVersion()} -O2`,
    serve: { file, args: ["serve"] },
    once: (/** @type {string} */ job, /** @type {number | undefined} */ count) => ({
      file,
      args: ["once", job, ...countArguments(count)],
    }),
  };
}

/**
 * @param {string} groupName
 * @param {string} name
 */
function pythonPeer(groupName, name) {
  const code =
    name === "pyopencl"
      ? "import pyopencl; print(pyopencl.VERSION_TEXT)"
      : `import ${name}; print(${name}.__version__)`;
  const { python, version } = pythonWith(code);
  const script = join(paths.python, `${groupName}_${name}.py`);
  return {
    version: `${name} ${version}`,
    serve: { file: python, args: [script] },
    once: (/** @type {string} */ job, /** @type {number | undefined} */ count) => ({
      file: python,
      args: [script.replace(/\.py$/, "_once.py"), job, ...countArguments(count)],
    }),
  };
}

/**
 * Returns the first interpreter that can run the code: the system's Python often lacks CuPy, for example.
 * @param {string} code prints a version
 */
function pythonWith(code) {
  const configured = process.env["CL_BENCH_PYTHON"];
  /** @type {unknown} */
  let problem;
  for (const python of configured === undefined ? pythons : [configured]) {
    try {
      const output = execFileSync(python, ["-c", code], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
      return { python, version: output.trim() };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

/** @param {number | undefined} count */
function countArguments(count) {
  return count === undefined ? [] : [`${count}`];
}

/**
 * Returns the first error line of the failed program, or the problem's message.
 * @param {unknown} problem
 */
function reason(problem) {
  const stderr = problem instanceof Error && "stderr" in problem ? String(problem.stderr).trim() : "";
  const lines = stderr.split("\n").filter((line) => /error.*: /i.test(line));
  return lines.at(0)?.trim() ?? messageOf(problem);
}
