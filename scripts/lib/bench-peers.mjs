// What the benchmarks compare with beside C++, and what installs it. Nothing needs it, so a person is asked.
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

/** The peers that no interpreter has which the benchmarks would ask. */
export function missingPeers() {
  const named = process.env["CL_BENCH_PYTHON"];
  const pythons = named === undefined ? ["/usr/bin/python3", "python3"] : [named];
  return peers.filter(({ module }) => !pythons.some((python) => has(python, module)));
}

function has(python, module) {
  const code = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${module}") is None)`;
  return spawnSync(python, ["-c", code], { stdio: "ignore" }).status === 0;
}

/**
 * Whether to install them: "yes" where the command line says so, "ask" on a terminal where nobody has answered yet, and else
 * "no".
 */
export function whetherToInstall({ wanted, interactive, answered }) {
  if (wanted) return "yes";
  return interactive && !answered ? "ask" : "no";
}

/** Puts the question; anything but a yes is a no, the end of the input too. */
export async function ask(missing) {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const names = missing.map(({ name }) => name).join(" and ");
  const question = `bootstrap: \`npm run bench\` compares with ${names}, which are not here. Install? [y/N] `;
  // Ctrl+D ends the input, and with it the interface, whose question then stays open.
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

/** Installs them where apt can be used, and says the command where it cannot. */
export function installPeers(missing, say) {
  const python = process.env["CL_BENCH_PYTHON"];
  if (python !== undefined) {
    const modules = missing.map(({ module }) => module).join(" ");
    say(`install them for that interpreter: ${python} -m pip install ${modules}`);
    return false;
  }
  if (installWithApt(missing, say)) return true;
  say(["they are not installed; install them with:", ...installAdvice(missing).map((line) => `  ${line}`)].join("\n"));
  return false;
}
