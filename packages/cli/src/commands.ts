/** All commands. A command's module, and the packages that it needs, are imported when it is called. */
import type { Command } from "./command.js";

/** A command whose module is not loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

/** All commands, in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: "info",
    summary: "list platforms and devices and their properties",
    load: async () => (await import("./commands/info/info.js")).info,
  },
  {
    name: "doctor",
    summary: "diagnose the OpenCL installation and suggest fixes",
    load: async () => (await import("./commands/doctor/doctor.js")).doctor,
  },
  {
    name: "bench",
    summary: "measure a device: launches, transfers, memory, arithmetic, atomics",
    load: async () => (await import("./commands/bench/bench.js")).bench,
  },
  {
    name: "typegen",
    summary: "generate typed TypeScript modules from .cl files",
    load: async () => (await import("./commands/typegen/typegen.js")).typegen,
  },
  {
    name: "run",
    summary: "build a .cl file and launch a kernel with arguments from the command line",
    load: async () => (await import("./commands/run/run.js")).run,
  },
  {
    name: "trace",
    summary: "summarize or convert traces",
    load: async () => (await import("./commands/trace/trace.js")).trace,
  },
];
