/** The step of a build in which the driver compiles or links. */
import { completionOf } from "../binding/completion.js";
import { type Either, step } from "../cache/either.js";
import type { Device } from "../platform/device.js";

/**
 * Returns the step and its status. `run` compiles and returns the status; `start` lets another thread compile and pass the
 * status to a completion.
 */
export function compilerStep(
  devices: readonly Device[],
  run: () => number,
  start: (completion: number) => void,
): Either<number> {
  return step(run, async () => (compilesOnOneThread(devices) ? run() : completionOf(start)));
}

/** Whether the driver must not compile on two threads. oclgrind crashes, because programs of a context share LLVM's state. */
function compilesOnOneThread(devices: readonly Device[]): boolean {
  return devices.some(({ platform }) => platform.name === "Oclgrind");
}
