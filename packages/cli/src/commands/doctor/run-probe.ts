/** Runs a probe as a child process. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Readable } from "node:stream";

import { packageFolder } from "../../package-folder.js";
import type { ProbeMessage, ProbeTask } from "./probe-messages.js";

export interface ProbeResult {
  readonly messages: readonly ProbeMessage[];
  /** How it failed: `The process crashed (SIGABRT) while its library was opened.`; `undefined` if it completed. */
  readonly failure: string | undefined;
}

export interface ProbeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Seconds after which a probe is killed. */
  readonly timeout: number;
}

/** Runs a probe until it exits. */
export async function runProbe(task: ProbeTask, { env, timeout }: ProbeOptions): Promise<ProbeResult> {
  const child = spawn(process.execPath, [`${packageFolder}dist/probe.js`, JSON.stringify(task)], {
    env,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, timeout * 1000);
  const ended = new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(signal ?? `code ${code}`));
  });
  const [output, errors, end] = await Promise.all([
    text(child.stdio[3] as Readable),
    text(child.stderr as Readable),
    ended,
  ]);
  clearTimeout(timer);
  const messages = output
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as ProbeMessage);
  return { messages, failure: isDone(messages) ? undefined : failureOf(messages, timedOut ? timeout : end, errors) };
}

function isDone(messages: readonly ProbeMessage[]): boolean {
  return messages.at(-1)?.kind === "done";
}

function failureOf(messages: readonly ProbeMessage[], end: number | string, errors: string): string {
  const stage = messages.findLast((message) => message.kind === "stage")?.stage ?? "it started";
  const how = typeof end === "number" ? `did not end within ${end} s` : `crashed (${end})`;
  // The last lines that a driver prints are usually the reason.
  const lastLines = errors.trim().split("\n").slice(-3).join("\n");
  return `The process ${how} while ${stage}.${lastLines === "" ? "" : ` Its output:\n${lastLines}`}`;
}
