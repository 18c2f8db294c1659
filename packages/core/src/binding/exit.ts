/** Waiting for drivers to become idle before the process exits. */
import { native } from "./native.js";

let registered = false;

/**
 * Makes the process exit wait, for a limited time, until compilers and devices are idle. Called for every new context.
 * Without it, drivers that are still working when `process.exit()` runs crash in the C library's exit handlers.
 */
export function quiesceAtExit(): void {
  if (registered) return;
  registered = true;
  process.once("exit", () => native.quiesce());
}
