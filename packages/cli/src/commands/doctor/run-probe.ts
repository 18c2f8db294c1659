/** Runs a probe, and outlives it. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";

import { packageFolder } from "../../package-folder.js";
import type { ProbeMessage, ProbeTask } from "./probe-messages.js";

/** What became of a probe. */
export interface Probed {
  readonly messages: readonly ProbeMessage[];
  /** How it ended before it was done, in words: `crashed (SIGABRT) while its library was opened`; undefined if it was done. */
  readonly death: string | undefined;
}

/** How children are run. */
export interface ProbeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Seconds after which a probe is ended. */
  readonly timeout: number;
}

/** Runs a probe to its end, whatever that is. */
export async function runProbe(task: ProbeTask, { env, timeout }: ProbeSurroundings): Promise<Probed> {
  const child = spawn(process.execPath, [`${packageFolder}dist/probe.js`, JSON.stringify(task)], {
    env,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, timeout * 1000);
  const ended = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const [said, errors, end] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
    ended,
  ]);
  clearTimeout(timer);
  const messages = said
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as ProbeMessage);
  return { messages, death: isDone(messages) ? undefined : deathOf(messages, late ? timeout : end, errors) };
}

function isDone(messages: readonly ProbeMessage[]): boolean {
  return messages.at(-1)?.kind === "done";
}

function deathOf(messages: readonly ProbeMessage[], end: number | string, errors: string): string {
  const stage = messages.findLast((message) => message.kind === "stage")?.stage ?? "it started";
  const how = typeof end === "number" ? `did not end within ${end} s` : `crashed (${end})`;
  // The last words of a driver that gives up are usually the reason.
  const words = errors.trim().split("\n").slice(-3).join("\n");
  return `The process ${how} while ${stage}.${words === "" ? "" : ` It said:\n${words}`}`;
}
