// Finds and installs the libraries other than C++ that the benchmarks compare with. They are optional, so bootstrap asks.
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { installAdvice, installWithApt } from "./system.mjs";

const peers = [
  { name: "NumPy", module: "numpy", packages: { apt: "python3-numpy", dnf: "python3-numpy", pacman: "python-numpy" } },
  {
    name: "PyOpenCL",
    module: "pyopencl",
    packages: { apt: "python3-pyopencl", dnf: "python3-pyopencl", pacman: "python-pyopencl" },
  },
];

/** Returns the peers that none of the benchmarks' Python interpreters has. */
export function missingPeers() {
  const configured = process.env["CL_BENCH_PYTHON"];
  const pythons = configured === undefined ? ["/usr/bin/python3", "python3"] : [configured];
  return peers.filter(({ module }) => !pythons.some((python) => has(python, module)));
}

function has(python, module) {
  const code = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`;
  return spawnSync(python, ["-c", code], { stdio: "ignore" }).status === 0;
}

/** Returns "yes" if the command line requests the peers, "ask" on a terminal if the user has not answered yet, else "no". */
export function installChoice({ forced, interactive, answered }) {
  if (forced) return "yes";
  return interactive && !answered ? "ask" : "no";
}

/** Asks whether to install the peers. Any answer but yes, and the end of the input, means no. */
export async function ask(missing) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const names = missing.map(({ name }) => name).join(" and ");
  const question = `bootstrap: \`npm run bench\` compares with ${names}. Not installed. Install now? [y/N] `;
  // Ctrl+D closes the interface, but the promise of the question never settles.
  const ended = new Promise((resolve) => lines.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([lines.question(question), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}

/** Installs the peers with apt, or prints the command if apt cannot be used. Returns whether they are installed. */
export function installPeers(missing, say) {
  const python = process.env["CL_BENCH_PYTHON"];
  if (python !== undefined) {
    const modules = missing.map(({ module }) => module).join(" ");
    say(`install them for CL_BENCH_PYTHON with: ${python} -m pip install ${modules}`);
    return false;
  }
  if (installWithApt(missing, say)) return true;
  say(["could not install them; install them with:", ...installAdvice(missing).map((line) => `  ${line}`)].join("\n"));
  return false;
}
