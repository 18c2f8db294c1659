/**
 * Builds a trace of commands on one clock.
 *
 * A driver records when a command was enqueued with the device's clock, and we record the host's clock before and after the call that
 * enqueues it. These less the device's time are a lower and an upper bound of the offset of the clocks, which are close to it for the
 * fastest of many commands, without extra commands on the user's queues. They are of the commands of the trace only, which limits the
 * effect of clock drift.
 */
import { present } from "@cl/base";
import { hostTime, type TracedCommand, tracedQueue } from "@cl/core";

import type { CommandKind, Trace, TraceCommand, TraceQueue, TraceSpan } from "@cl/trace";

/** Origin of a traced command. */
export interface TraceOrigin {
  readonly name: string;
  readonly kind: CommandKind;
  readonly launcher: string | undefined;
}

/** Memory in use at a time of the host's clock. */
export interface MemoryUsage {
  readonly time: number;
  readonly label: string;
  readonly bytes: number;
}

export function buildTrace(
  commands: readonly TracedCommand[],
  originOf: (key: string) => TraceOrigin,
  memory: readonly MemoryUsage[],
  dropped: number,
): Trace {
  const offsets = clockOffsets(commands);
  const origins = new Map<string, TraceOrigin>();
  for (const { name } of commands) if (!origins.has(name)) origins.set(name, originOf(name));
  const shifted = commands.map((command) => ({
    command,
    origin: origins.get(command.name) as TraceOrigin,
    shift: isOfHost(command) ? 0n : (offsets.get(clockOf(command)) ?? 0n),
  }));
  const now = hostTime();
  let first = memory.reduce((earliest, { time }) => Math.min(earliest, time), now);
  for (const { command, shift } of shifted) first = Math.min(first, Number(beginOf(command) + shift));
  const zero = BigInt(Math.floor(first));
  const at = (time: bigint, shift: bigint): number => Number(time + shift - zero);

  const queues = new Map<number, TraceQueue>();
  const traced: TraceCommand[] = [];
  const waits: (readonly number[])[] = [];
  const indices = new Map<number, number>();
  const hostSpans: TraceSpan[] = [];
  for (const { command, origin, shift } of shifted.toSorted(byEnqueueing)) {
    const { times, queue, bytes, global, local, failed } = command;
    const { name, kind, launcher } = origin;
    if (command.onHost) {
      const range = { started: at(times.start, shift), ended: at(times.end, shift) };
      hostSpans.push({ name: launcher ?? name, ...range, ...present({ failed }) });
      continue;
    }
    if (!queues.has(queue)) queues.set(queue, queueOf(queue));
    if (command.serial > 0) indices.set(command.serial, traced.length);
    waits.push(command.after);
    traced.push({
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
      ...present({ failed }),
    });
  }
  // Compare both clocks: if they are the same, as on Linux, they differ only by the duration of the calls.
  const clockDifference = Number(process.hrtime.bigint()) - now;
  const origin = Number(zero) + (Math.abs(clockDifference) < 1e6 ? 0 : clockDifference);
  return {
    version: 1,
    started: new Date(Date.now() - (now - Number(zero)) / 1e6).toISOString(),
    origin,
    queues: [...queues.values()],
    commands: traced.map((command, index) => withWaits(command, waits[index] as readonly number[], indices)),
    hostSpans,
    memory: memory.map(({ time, label, bytes }) => ({ time: time - Number(zero), label, bytes })),
    dropped,
  };
}

/** Adds the indices of the commands that it waited for, as far as they are in the trace. */
function withWaits(
  command: TraceCommand,
  serials: readonly number[],
  indices: ReadonlyMap<number, number>,
): TraceCommand {
  const waitsFor = serials.flatMap((serial) => indices.get(serial) ?? []);
  return waitsFor.length === 0 ? command : { ...command, waitsFor };
}

/** Returns the offset from each device's clock to the host's. */
function clockOffsets(commands: readonly TracedCommand[]): Map<unknown, bigint> {
  const all = new Map<unknown, OffsetBounds[]>();
  for (const command of commands) {
    if (isOfHost(command)) continue;
    const clock = clockOf(command);
    const begin = beginOf(command);
    const bounds = { least: (command.called ?? 0n) - begin, most: command.enqueued - begin };
    const known = all.get(clock);
    if (known === undefined) all.set(clock, [bounds]);
    else known.push(bounds);
  }
  return new Map([...all].map(([clock, bounds]) => [clock, offsetWithin(bounds)]));
}

/** What a command tells about the offset of its device's clock. */
interface OffsetBounds {
  readonly least: bigint;
  readonly most: bigint;
}

/**
 * Returns the smallest upper bound that the lower ones allow. For a command that waits for the host, NVIDIA's driver records when it
 * could start, not when it was enqueued, so its upper bound may be too small.
 */
function offsetWithin(bounds: readonly OffsetBounds[]): bigint {
  const least = bounds.map((one) => one.least).reduce((a, b) => (a > b ? a : b));
  const possible = bounds.map((one) => one.most).filter((most) => most >= least);
  return possible.reduce((a, b) => (a < b ? a : b));
}

/** Whether its times are those of the host's clock. */
function isOfHost({ onHost, failed }: TracedCommand): boolean {
  return onHost || failed !== undefined;
}

/** Queues of one device share a clock. */
function clockOf({ queue }: TracedCommand): unknown {
  return tracedQueue(queue)?.device ?? queue;
}

/** Returns when a command was enqueued, or started if the driver does not report it. */
function beginOf({ times }: TracedCommand): bigint {
  return times.queued === 0n ? times.start : times.queued;
}

interface ShiftedCommand {
  readonly command: TracedCommand;
  readonly shift: bigint;
}

function byEnqueueing(a: ShiftedCommand, b: ShiftedCommand): number {
  const [first, second] = [beginOf(a.command) + a.shift, beginOf(b.command) + b.shift];
  return first < second ? -1 : Number(first > second);
}

function queueOf(id: number): TraceQueue {
  const queue = tracedQueue(id);
  if (queue === undefined) {
    return { id, label: id === 0 ? "unknown queue" : `queue ${id}`, device: "", outOfOrder: true };
  }
  return { id, label: queue.label, device: queue.device.name, outOfOrder: queue.outOfOrder };
}
