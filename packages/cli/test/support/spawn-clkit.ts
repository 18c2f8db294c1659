/** Runs the built clkit in a child process. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import type { Ended } from "./clkit.js";
import { childEnvironment } from "@cl/testing/child-environment";

const manifest = createRequire(import.meta.url).resolve("@cl/cli/package.json");

/** Path of the program. */
export const bin = join(dirname(manifest), "dist", "bin.js");

/** Starts clkit. */
export function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcessWithoutNullStreams {
  const clean = childEnvironment({ FORCE_COLOR: undefined, NO_COLOR: undefined, ...env });
  return spawn(process.execPath, [bin, ...args], { env: clean });
}

/** Runs clkit and waits for its exit. */
export async function spawnClkit(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  const child = start(args, env);
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? -1)));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}
