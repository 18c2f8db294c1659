// A persistent child process that answers each request line with one line. See native/protocol.h.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** @typedef {{ value: number, extras: Record<string, number> }} Answer */
/** @typedef {{ file: string, args: readonly string[] }} Command */

const maxStderr = 2000;

/**
 * Parses `ok <number> [key=value ...]`. Throws the child's message if the line is an error.
 * @param {string} line
 * @returns {Answer}
 */
export function parseAnswer(line) {
  const [value = "", ...rest] = okText(line).split(" ");
  const extras = Object.fromEntries(rest.map((pair) => pair.split("=")).map(([key, text]) => [key, Number(text)]));
  if (!Number.isFinite(Number(value))) throw new Error(`not a number: ${line}`);
  return { value: Number(value), extras };
}

/** @param {string} line */
function okText(line) {
  if (!line.startsWith("ok ")) throw new Error(line.replace(/^error /, ""));
  return line.slice(3);
}

export class Child {
  #process;
  /** @type {{ resolve: (line: string) => void, reject: (error: Error) => void } | undefined} */
  #pending;
  #stderr = "";
  /** @type {Promise<void>} */
  #ended;

  /**
   * @param {Command} command
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(command, env) {
    this.#process = spawn(command.file, command.args, { env, stdio: ["pipe", "pipe", "pipe"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#take()?.resolve(line));
    this.#process.stderr.on("data", (text) => {
      this.#stderr = (this.#stderr + text).slice(-maxStderr);
    });
    // If the child died, the next request reports it, not the broken pipe.
    this.#process.stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (/** @type {string} */ why) => {
        this.#take()?.reject(new Error(`the child exited (${why}) ${this.#stderr.trim()}`));
        resolve();
      };
      this.#process.on("error", (error) => end(error.message));
      this.#process.on("close", (status, signal) => end(signal ?? `status ${status}`));
    });
  }

  /**
   * Sends one request. Resolves to the answer without its `ok`.
   * @param {string} line
   * @returns {Promise<string>}
   */
  async request(line) {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) {
      throw new Error(`the child has exited: ${this.#stderr.trim()}`);
    }
    const answer = new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    this.#process.stdin.write(`${line}\n`);
    return okText(await answer);
  }

  /**
   * Runs `count` units of a job. Resolves to nanoseconds per unit.
   * @param {string} job
   * @param {number} count
   * @returns {Promise<Answer>}
   */
  async run(job, count) {
    return parseAnswer(`ok ${await this.request(`run ${job} ${count}`)}`);
  }

  /** Closes the child's input, which makes it exit, and waits for that. */
  async stop() {
    this.#process.stdin.end();
    await this.#ended;
  }

  #take() {
    const pending = this.#pending;
    this.#pending = undefined;
    return pending;
  }
}
