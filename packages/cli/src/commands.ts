/** All commands. A command's module is imported when it is called, and with it the packages that it needs. */
import type { Command } from "./command.js";

/** A command that is not loaded yet. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** In the order in which the help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: "info",
    summary: "lists platforms and devices, and what they are",
    load: async () => (await import("./commands/info/info.js")).info,
  },
  {
    name: "doctor",
    summary: "looks for what keeps OpenCL from working here, and says how to mend it",
    load: async () => (await import("./commands/doctor/doctor.js")).doctor,
  },
  {
    name: "bench",
    summary: "measures a device: launches, transfers, memory, arithmetic, atomics",
    load: async () => (await import("./commands/bench/bench.js")).bench,
  },
  {
    name: "typegen",
    summary: "makes typed TypeScript modules of .cl files",
    load: async () => (await import("./commands/typegen/typegen.js")).typegen,
  },
  {
    name: "run",
    summary: "builds a .cl file and launches a kernel with arguments from the command line",
    load: async () => (await import("./commands/run/run.js")).run,
  },
  {
    name: "trace",
    summary: "sums up what a trace says of kernels and queues, or converts it",
    load: async () => (await import("./commands/trace/trace.js")).trace,
  },
];
