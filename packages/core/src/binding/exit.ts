/** The end of the process: what drivers still do must end before the process tears them down. */
import { native } from "./native.js";

let watching = false;

/**
 * To be called when a context is made. `process.exit()` ends the process without telling the addon, and a compiler or a
 * device that still works then crashes in the C library's exit handlers; so the exit waits for them, a bounded time.
 */
export function quiesceAtExit(): void {
  if (watching) return;
  watching = true;
  process.once("exit", () => native.quiesce());
}
