/** Whether MPI runs. Calls of it before or after end the process. */
import { wrongState } from "@cl/base";

let state: "not started" | "running" | "ended" = "not started";

/** Notes that MPI has started. */
export function noteStarted(): void {
  state = "running";
}

/** Notes that MPI has ended or is about to. */
export function noteEnded(): void {
  state = "ended";
}

/** Whether MPI can be called. */
export function isRunning(): boolean {
  return state === "running";
}

/** Seconds after which a message tells what a rank waits for; 0 for never. */
export let stallSeconds = 30;

/** Sets {@link stallSeconds}. */
export function setStallSeconds(seconds: number): void {
  stallSeconds = seconds;
}

/** Throws if MPI cannot be called. */
export function checkRunning(): void {
  if (state !== "running") throw wrongState(state === "ended" ? "MPI has ended" : "Mpi.init() has not ended");
}
