/**
 * Single commands on one clock.
 *
 * A driver notes by the device's clock when a command was enqueued; we note the host's clock just after. So the device's
 * clock is ahead of the host's by at least the difference, and for the fastest of many enqueues by hardly less: that one
 * says how the clocks of a device and the host stand to each other, without a command of our own on anybody's queue. Only
 * commands of the trace are asked, so that clocks that drift do so for no longer than it lasts.
 */
import { hostTime, type TracedCommand, tracedQueue } from "@cl/core";

import type { CommandKind, Trace, TraceCommand, TraceQueue, TraceSpan } from "../report/trace.js";

/** What a traced command was of. */
export interface TraceOrigin {
  readonly name: string;
  readonly kind: CommandKind;
  readonly launcher: string | undefined;
}

/** Memory in use at a time of the host's clock. */
export interface MemoryNote {
  readonly time: number;
  readonly label: string;
  readonly bytes: number;
}

/** The trace of these commands. */
export function buildTrace(
  commands: readonly TracedCommand[],
  originOf: (key: string) => TraceOrigin,
  memory: readonly MemoryNote[],
  dropped: number,
): Trace {
  const ahead = clockDifferences(commands);
  const origins = new Map<string, TraceOrigin>();
  for (const { name } of commands) if (!origins.has(name)) origins.set(name, originOf(name));
  const placed = commands.map((command) => ({
    command,
    origin: origins.get(command.name) as TraceOrigin,
    shift: command.onHost ? 0n : (ahead.get(clockOf(command)) ?? 0n),
  }));
  const now = hostTime();
  let first = memory.reduce((least, { time }) => Math.min(least, time), now);
  for (const { command, shift } of placed) first = Math.min(first, Number(beginOf(command) + shift));
  const zero = BigInt(Math.floor(first));
  const at = (time: bigint, shift: bigint): number => Number(time + shift - zero);

  const queues = new Map<number, TraceQueue>();
  const found: TraceCommand[] = [];
  const waits: (readonly number[])[] = [];
  const places = new Map<number, number>();
  const hostSpans: TraceSpan[] = [];
  for (const { command, origin, shift } of placed.toSorted(byEnqueueing)) {
    const { times, queue, bytes, global, local } = command;
    const { name, kind, launcher } = origin;
    if (command.onHost) {
      hostSpans.push({ name: launcher ?? name, started: at(times.start, shift), ended: at(times.end, shift) });
      continue;
    }
    if (!queues.has(queue)) queues.set(queue, queueOf(queue));
    if (command.serial > 0) places.set(command.serial, found.length);
    waits.push(command.after);
    found.push({
      name,
      kind,
      queue,
      ...(launcher === undefined ? {} : { launcher }),
      queued: at(beginOf(command), shift),
      submitted: at(times.submit === 0n ? times.start : times.submit, shift),
      started: at(times.start, shift),
      ended: at(times.end, shift),
      ...(global === undefined ? {} : { global }),
      ...(local === undefined ? {} : { local }),
      ...(bytes > 0 ? { bytes } : {}),
    });
  }
  // Both clocks now: where they are one, as on Linux, the difference is what the two calls took.
  const apart = Number(process.hrtime.bigint()) - now;
  const origin = Number(zero) + (Math.abs(apart) < 1e6 ? 0 : apart);
  return {
    version: 1,
    started: new Date(Date.now() - (now - Number(zero)) / 1e6).toISOString(),
    origin,
    queues: [...queues.values()],
    commands: found.map((command, place) => waiting(command, waits[place] as readonly number[], places)),
    hostSpans,
    memory: memory.map(({ time, label, bytes }) => ({ time: time - Number(zero), label, bytes })),
    dropped,
  };
}

/** With the places of those that it began after; what the trace has not kept cannot be named. */
function waiting(command: TraceCommand, serials: readonly number[], places: ReadonlyMap<number, number>): TraceCommand {
  const waitsFor = serials.flatMap((serial) => places.get(serial) ?? []);
  return waitsFor.length === 0 ? command : { ...command, waitsFor };
}

/** What has to be added to a device's times to make them the host's, by the device. */
function clockDifferences(commands: readonly TracedCommand[]): Map<unknown, bigint> {
  const all = new Map<unknown, bigint[]>();
  for (const command of commands) {
    if (command.onHost) continue;
    const clock = clockOf(command);
    const known = all.get(clock);
    const difference = command.enqueued - beginOf(command);
    if (known === undefined) all.set(clock, [difference]);
    else known.push(difference);
  }
  return new Map([...all].map(([clock, differences]) => [clock, leastBelievable(differences)]));
}

/**
 * The least of what most say. For a command that waits for the host NVIDIA's driver notes when it could begin, not when it
 * was enqueued, so the least of all may be off by as long as such a command waited.
 */
function leastBelievable(differences: readonly bigint[]): bigint {
  const sorted = differences.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const most = sorted[Math.floor(sorted.length * 0.75)] as bigint;
  return sorted.find((difference) => difference >= most - millisecond) as bigint;
}

const millisecond = 1_000_000n;

/** Queues of one device have one clock. */
function clockOf({ queue }: TracedCommand): unknown {
  return tracedQueue(queue)?.device ?? queue;
}

/** Some drivers do not say when a command was enqueued. */
function beginOf({ times }: TracedCommand): bigint {
  return times.queued === 0n ? times.start : times.queued;
}

interface Placed {
  readonly command: TracedCommand;
  readonly shift: bigint;
}

function byEnqueueing(a: Placed, b: Placed): number {
  const [one, other] = [beginOf(a.command) + a.shift, beginOf(b.command) + b.shift];
  return one < other ? -1 : Number(one > other);
}

function queueOf(id: number): TraceQueue {
  const queue = tracedQueue(id);
  if (queue === undefined) {
    return { id, label: id === 0 ? "unknown queue" : `queue ${id}`, device: "", outOfOrder: true };
  }
  return { id, label: queue.label, device: queue.device.name, outOfOrder: queue.outOfOrder };
}
