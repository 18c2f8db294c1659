/**
 * The end of a process. MPI must end in every rank, or the job hangs: a rank that fails ends all others, and a rank that is done
 * waits for them.
 */
import { inspect } from "node:util";

import { native } from "./native.js";
import { isRunning } from "./state.js";

/** Seconds after which a rank that is done says that it waits for others. */
const patience = 5;

/** Ends MPI when the process ends. */
export function endAtExit(): void {
  // Node emits `exit` before it prints an uncaught error, and then the job is already over.
  process.on("uncaughtExceptionMonitor", (error) => {
    if (isRunning()) process.stderr.write(`@cl/mpi: rank ${native.rankAndSize(0)[0]}: ${inspect(error)}\n`);
  });
  process.on("exit", (code) => {
    if (isRunning()) atExit(code);
  });
}

function atExit(code: number): void {
  if (code !== 0) native.abort(`ends with exit code ${code}`, code);
  const running = native.pending();
  if (running > 0) native.abort(`ends with ${operations(running)}, such as a ${native.describePending()}`, 1);
  try {
    native.finalizeSync(`is done, and has waited ${patience} s for the other ranks to end MPI`, patience);
  } catch (error) {
    native.abort((error as Error).message, 1);
  }
}

/** Returns "1 operation that has not ended", in the plural for more. */
export function operations(count: number): string {
  return count === 1 ? "1 operation that has not ended" : `${count} operations that have not ended`;
}
