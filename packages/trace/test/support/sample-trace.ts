/** A handmade trace of cases that exports must handle: overlaps, dependencies, failures, memory, odd names. */
import type { Trace, TraceCommand } from "@cl/trace";

/** Returns a trace of an in-order queue, and one whose commands overlap. */
export function sampleTrace(): Trace {
  return {
    version: 1,
    started: "2026-03-01T12:00:00.000Z",
    origin: 5_000_000_000,
    queues: [
      { id: 0, label: "main", device: "pthread", outOfOrder: false },
      { id: 7, label: 'side, "quoted"', device: "pthread", outOfOrder: true },
    ],
    commands: [
      command("advect", 0, [100, 200, 1_000, 3_000.25], {
        launcher: "timestep > advect",
        global: [512, 512],
        local: [16, 16],
        bytes: 4_194_304,
      }),
      command("diffuse", 0, [300, 400, 3_100, 4_100], { launcher: "timestep > diffuse", waitsFor: [0] }),
      command("advect", 0, [500, 600, 4_200, 8_200], { launcher: "timestep > advect", bytes: 4_194_304 }),
      command("left", 7, [700, 800, 3_200, 6_000], { waitsFor: [0] }),
      command("right", 7, [900, 950, 2_500, 5_000]),
      command("third", 7, [960, 970, 6_100, 7_000], { waitsFor: [3, 4] }),
      command("probe", 0, [980, 990, 8_300, 9_000], { kind: "read", bytes: 1_048_576, launcher: "timestep > probe" }),
      command("</script><img src=x onerror=alert(1)>", 0, [1_000, 1_010, 9_100, 9_100], {
        failed: "CL_OUT_OF_RESOURCES",
      }),
      command('clear\n\u2028 "é"', 7, [1_020, 1_030, 9_200, 9_300], { kind: "fill", bytes: 64 }),
    ],
    hostSpans: [
      { name: "plan", started: 0, ended: 90 },
      { name: "write checkpoint", started: 2_000, ended: 9_000, thread: "worker 1" },
      { name: "send", started: 9_100, ended: 9_200, thread: "worker 1", failed: "exception" },
    ],
    memory: [
      { time: 0, bytes: 1_048_576, label: "pool" },
      { time: 4_000, bytes: 3_145_728, label: "pool" },
      { time: 9_000, bytes: 2_097_152, label: "pool" },
    ],
    dropped: 2,
  };
}

/** Returns a kernel command with its queued, submitted, started and ended times. */
export function command(
  name: string,
  queue: number,
  [queued, submitted, started, ended]: readonly [number, number, number, number],
  more: Partial<TraceCommand> = {},
): TraceCommand {
  return { name, kind: "kernel", queue, queued, submitted, started, ended, ...more };
}
