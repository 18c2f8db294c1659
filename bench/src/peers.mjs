// Who is compared, and whether they are here. A peer that is missing is named in the report and left out of records.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { messageOf } from "./message.mjs";
import { buildPeer, compilerVersion } from "./native-build.mjs";
import { paths } from "./paths.mjs";

/**
 * @typedef {object} Peer
 * @property {string} version
 * @property {import("./child.mjs").Command} serve the persistent child
 * @property {(job: string, count: number | undefined, nodeArguments: readonly string[]) => import("./child.mjs").Command} once
 */

/** @typedef {{ present: Map<string, Peer>, absent: Map<string, string> }} Peers */

const python = process.env["CL_BENCH_PYTHON"] ?? (existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3");
const pythonPeers = ["pyopencl", "numpy", "cupy"];

/**
 * The peers of a package's jobs; builds what must be built.
 * @param {string} packageName
 * @param {ReadonlySet<string>} wanted the peers that its jobs name
 * @returns {Peers}
 */
export function findPeers(packageName, wanted) {
  /** @type {Peers} */
  const peers = { present: new Map(), absent: new Map() };
  for (const name of wanted) {
    try {
      peers.present.set(name, findPeer(packageName, name));
    } catch (problem) {
      peers.absent.set(name, reason(problem));
    }
  }
  return peers;
}

/**
 * @param {string} packageName
 * @param {string} name
 * @returns {Peer}
 */
function findPeer(packageName, name) {
  if (name === "ours") return ours(packageName);
  if (name === "cpp") return cpp(packageName);
  if (pythonPeers.includes(name)) return pythonPeer(packageName, name);
  throw new Error("no such peer");
}

/** @param {string} packageName */
function ours(packageName) {
  const probe = `await import("@cl/${packageName}")`;
  execFileSync(process.execPath, ["--input-type=module", "-e", probe], { cwd: paths.root, stdio: "pipe" });
  const folder = join(paths.ours, packageName);
  return {
    version: `@cl/${packageName} on Node ${process.version}`,
    serve: { file: process.execPath, args: [join(folder, "serve.mjs")] },
    once: (
      /** @type {string} */ job,
      /** @type {number | undefined} */ count,
      /** @type {readonly string[]} */ args,
    ) => ({
      file: process.execPath,
      args: [...args, join(folder, "once.mjs"), job, ...counted(count)],
    }),
  };
}

/** @param {string} packageName */
function cpp(packageName) {
  const file = buildPeer(packageName);
  if (file === undefined) throw new Error(`no C++ jobs for ${packageName}`);
  return {
    version: `${compilerVersion()} -O2`,
    serve: { file, args: ["serve"] },
    once: (/** @type {string} */ job, /** @type {number | undefined} */ count) => ({
      file,
      args: ["once", job, ...counted(count)],
    }),
  };
}

/**
 * @param {string} packageName
 * @param {string} name
 */
function pythonPeer(packageName, name) {
  const code =
    name === "pyopencl"
      ? "import pyopencl; print(pyopencl.VERSION_TEXT)"
      : `import ${name}; print(${name}.__version__)`;
  const version = execFileSync(python, ["-c", code], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  const script = join(paths.python, `${packageName}_${name}.py`);
  return {
    version: `${name} ${version}`,
    serve: { file: python, args: [script] },
    once: (/** @type {string} */ job, /** @type {number | undefined} */ count) => ({
      file: python,
      args: [script.replace(/\.py$/, "_once.py"), job, ...counted(count)],
    }),
  };
}

/** @param {number | undefined} count */
function counted(count) {
  return count === undefined ? [] : [`${count}`];
}

/**
 * One line: the last thing that the failing program said.
 * @param {unknown} problem
 */
function reason(problem) {
  const said = problem instanceof Error && "stderr" in problem ? String(problem.stderr).trim() : "";
  const lines = said.split("\n").filter((line) => /error/i.test(line));
  return lines.at(0)?.trim() ?? messageOf(problem);
}
