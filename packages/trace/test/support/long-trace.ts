/** A trace like that of a simulation: kernels, copies and host steps in each timestep, on two queues. */
import { randomNumbers } from "@cl/base";
import type { Trace, TraceCommand } from "@cl/trace";

/** Returns a deterministic trace with ten commands in each timestep. */
export function longTrace(steps: number): Trace {
  const random = randomNumbers(7);
  const commands: TraceCommand[] = [];
  const hostSpans: { name: string; started: number; ended: number; thread?: string }[] = [];
  const memory = [{ time: 0, bytes: 64 << 20, label: "pool" }];
  const ends = [1e5, 1e5];
  let bytes = 64 << 20;
  const add = (name: string, queue: number, usual: number, more: Partial<TraceCommand> = {}): number => {
    const length = Math.round(usual * (0.85 + 0.3 * random() + (random() < 0.03 ? 1.5 * random() : 0)));
    const waited = (more.waitsFor ?? []).map((place) => commands[place]?.ended ?? 0);
    const started = Math.max(ends[queue] as number, ...waited) + 800 + Math.round(2000 * random());
    const queued = started - 60_000 - Math.round(20_000 * random());
    const times = { queued, submitted: queued + 9000, started, ended: started + length };
    ends[queue] = times.ended;
    const sizes = { global: [512, 512], local: [16, 16] };
    return (
      commands.push({ name, kind: "kernel", queue, ...times, launcher: `timestep > ${name}`, ...sizes, ...more }) - 1
    );
  };
  const megabytes = (count: number): Partial<TraceCommand> => ({ bytes: count << 20 });
  for (let step = 0; step < steps; step++) {
    const begun = ends[0] as number;
    add("boundary", 0, 6000);
    const advect = add("advect", 0, 48_000, megabytes(8));
    add("diffuse", 0, 31_000, megabytes(6));
    const divergence = add("divergence", 0, 14_000, megabytes(3));
    for (let i = 0; i < 3; i++) add("jacobi", 0, 19_000, megabytes(3));
    const project = add("project", 0, 17_000, megabytes(4));
    add("statistics", 1, 22_000, { waitsFor: [advect, divergence] });
    const kind = { kind: "read", global: undefined, local: undefined } as unknown as Partial<TraceCommand>;
    add("probe", 1, 9000, { ...kind, ...megabytes(1), waitsFor: [project] });
    hostSpans.push({ name: "enqueue", started: begun - 55_000, ended: begun - 40_000 });
    if (step % 10 === 9) {
      hostSpans.push({ name: "write output", started: begun, ended: begun + 600_000, thread: "worker 1" });
      hostSpans.push({ name: "compress", started: begun + 1e5, ended: begun + 4e5, thread: "worker 1" });
      bytes += random() < 0.5 ? 8 << 20 : -(4 << 20);
      memory.push({ time: begun, bytes, label: "pool" });
    }
  }
  const last = commands.at(-4);
  if (last !== undefined) commands[commands.length - 4] = { ...last, failed: "CL_OUT_OF_RESOURCES" };
  return {
    version: 1,
    started: "2026-03-01T12:00:00.000Z",
    origin: 0,
    queues: [
      { id: 0, label: "compute", device: "a device", outOfOrder: false },
      { id: 1, label: "transfers", device: "a device", outOfOrder: true },
    ],
    commands: commands.map((command) => JSON.parse(JSON.stringify(command)) as TraceCommand),
    hostSpans,
    memory,
    dropped: 0,
  };
}
