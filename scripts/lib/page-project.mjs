// A user's project that is made of the programs and the commands of a documentation page.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root, runEnvironment, toolEnvironment } from "./environment.mjs";

/** The files that a page shows below `<!-- test-installs.mjs runs it as NAME -->`, written to a folder, and its commands. */
export class PageProject {
  #folder;
  #commands;
  #path = [];

  constructor(page, folder) {
    this.#folder = folder;
    const text = readFileSync(join(root, page), "utf8");
    this.#commands = [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block]) => block.trimEnd().split("\n"));
    mkdirSync(folder, { recursive: true });
    const file = /<!-- (?:not run: )?test-installs.mjs runs it as (\S+) -->\n\n```\w+\n([^]*?)^```$/gm;
    for (const [, name, content] of text.matchAll(file)) writeFileSync(join(folder, name), content);
  }

  /** Makes the programs of a folder commands, as a global installation would. */
  addToPath(folder) {
    this.#path.push(join(this.#folder, folder));
  }

  /** Runs a package manager. */
  prepare(command) {
    this.#run(command, { env: toolEnvironment() });
  }

  /** Runs a command of the page. Returns its output, which must contain `expected`. */
  run(command, expected = "") {
    if (!this.#commands.includes(command)) throw new Error(`the page does not have the command: ${command}`);
    return this.check(command, expected);
  }

  /** Runs a command in a folder. Returns its output, which must contain `expected`; with `fails`, it must also fail. */
  check(command, expected, { folder = ".", fails = false } = {}) {
    return this.#run(command, { env: runEnvironment(), expected, folder, fails });
  }

  #run(command, { env, expected = "", folder = ".", fails = false }) {
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd: join(this.#folder, folder),
      env: { ...env, PATH: [...this.#path, process.env.PATH].join(delimiter), npm_config_loglevel: "error" },
      encoding: "utf8",
    });
    const output = stdout + stderr;
    if ((status === 0) === fails || !output.includes(expected)) {
      throw new Error(`${command} exited with ${status}; its output should contain "${expected}":\n${output}`);
    }
    return output;
  }
}
