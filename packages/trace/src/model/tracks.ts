/** Rows of exported traces: one or more for each queue and for each host thread. */
import { inOrder, nestedLanes, separateLanes } from "./lanes.js";
import type { Trace, TraceCommand, TraceQueue, TraceSpan } from "./trace.js";

/** A row of commands that do not overlap. */
export interface CommandTrack {
  readonly queue: TraceQueue;
  /** Label of the queue, with the number of the row if there are several. */
  readonly label: string;
  /** Indices of its commands in the trace, by start time. */
  readonly commands: readonly number[];
}

/** A row of spans, which do not overlap unless nested, by start time, outer ones first. */
export interface SpanTrack {
  readonly label: string;
  readonly spans: readonly TraceSpan[];
}

/** Returns the rows of all queues, in the trace's order, including queues without commands. */
export function commandTracks(trace: Pick<Trace, "queues" | "commands">): CommandTrack[] {
  const indicesByQueue = new Map<number, number[]>(trace.queues.map(({ id }) => [id, []]));
  for (const [index, { queue }] of trace.commands.entries()) indicesByQueue.get(queue)?.push(index);
  return trace.queues.flatMap((queue) => {
    const members = indicesByQueue.get(queue.id) as number[];
    const commands = members.map((index) => trace.commands[index] as TraceCommand);
    const [started, ended] = timesOf(commands);
    const { lane, count } = separateLanes(started, ended);
    const rows = intoRows(lane, count, inOrder(started, ended, 1));
    return rows.map((row, index) => ({
      queue,
      label: rowTitle(queueTitle(queue), index, rows.length),
      commands: row.map((index) => members[index] as number),
    }));
  });
}

/** Returns the rows of all host spans, main thread first. */
export function spanTracks(spans: readonly TraceSpan[]): SpanTrack[] {
  const threads = new Map<string, TraceSpan[]>();
  for (const span of spans) {
    const thread = span.thread ?? mainThread;
    const members = threads.get(thread);
    if (members === undefined) threads.set(thread, [span]);
    else members.push(span);
  }
  return threadsInOrder(threads.keys()).flatMap((thread) => {
    const members = threads.get(thread) as TraceSpan[];
    const [started, ended] = timesOf(members);
    const { lane, count } = nestedLanes(started, ended);
    const rows = intoRows(lane, count, inOrder(started, ended, -1));
    return rows.map((row, index) => ({
      label: rowTitle(thread, index, rows.length),
      spans: row.map((index) => members[index] as TraceSpan),
    }));
  });
}

/** Name of the thread of spans without a thread. */
export const mainThread = "main thread";

/** Sorts threads, main thread first. */
export function threadsInOrder(threads: Iterable<string>): string[] {
  return Array.from(threads).sort((a, b) => Number(b === mainThread) - Number(a === mainThread));
}

export function queueTitle({ id, label }: TraceQueue): string {
  return label === "" ? `queue ${id}` : label;
}

export function rowTitle(label: string, index: number, count: number): string {
  return count === 1 ? label : `${label} (${index + 1})`;
}

/** Returns the indices of each row's intervals in the given order. Returns at least one row. */
export function intoRows(row: ArrayLike<number>, count: number, order: Iterable<number>): number[][] {
  const rows = Array.from({ length: Math.max(1, count) }, (): number[] => []);
  for (const index of order) (rows[row[index] as number] as number[]).push(index);
  return rows;
}

function timesOf(
  intervals: readonly { started: number; ended: number }[],
): [started: Float64Array, ended: Float64Array] {
  return [Float64Array.from(intervals, ({ started }) => started), Float64Array.from(intervals, ({ ended }) => ended)];
}
