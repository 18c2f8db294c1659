// Runs a job in a separate process: reads its answer and times the process from start to exit.
import { spawn } from "node:child_process";

import { parseAnswer } from "./child.mjs";

/**
 * @param {import("./child.mjs").Command} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import("./child.mjs").Answer & { process: number }>} `process`: nanoseconds from start to exit
 */
export async function runOnce(command, env) {
  const start = performance.now();
  const child = spawn(command.file, command.args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (text) => (stdout += text));
  child.stderr.on("data", (text) => (stderr += text));
  /** @type {string} */
  const end = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(signal ?? `status ${status}`));
  });
  const elapsed = (performance.now() - start) * 1e6;
  const line = stdout.split("\n").find((text) => /^(ok|error) /.test(text));
  if (line === undefined) throw new Error(`the process exited (${end}) ${stderr.trim()}`);
  return { ...parseAnswer(line), process: elapsed };
}
