/** The rows that a trace is exported in: one or more for each queue and for each thread of the host. */
import { inOrder, nestedLanes, separateLanes } from "./lanes.js";
import type { Trace, TraceCommand, TraceQueue, TraceSpan } from "./trace.js";

/** A row of commands that do not overlap. */
export interface CommandTrack {
  readonly queue: TraceQueue;
  /** The queue's label, and which of its rows this is if it has several. */
  readonly label: string;
  /** The places of its commands in the trace, by their beginnings. */
  readonly commands: readonly number[];
}

/** A row of spans that do not overlap unless one lies within another, by their beginnings, outer ones first. */
export interface SpanTrack {
  readonly label: string;
  readonly spans: readonly TraceSpan[];
}

/** The rows of a trace's queues, in the trace's order. A queue without commands has one, too. */
export function commandTracks(trace: Pick<Trace, "queues" | "commands">): CommandTrack[] {
  const places = new Map<number, number[]>(trace.queues.map(({ id }) => [id, []]));
  for (const [place, { queue }] of trace.commands.entries()) places.get(queue)?.push(place);
  return trace.queues.flatMap((queue) => {
    const own = places.get(queue.id) as number[];
    const commands = own.map((place) => trace.commands[place] as TraceCommand);
    const [started, ended] = timesOf(commands);
    const { lane, count } = separateLanes(started, ended);
    const rows = intoRows(lane, count, inOrder(started, ended, 1));
    return rows.map((row, index) => ({
      queue,
      label: rowTitle(queueTitle(queue), index, rows.length),
      commands: row.map((one) => own[one] as number),
    }));
  });
}

/** The rows of a trace's host spans, the main thread's first. */
export function spanTracks(spans: readonly TraceSpan[]): SpanTrack[] {
  const threads = new Map<string, TraceSpan[]>();
  for (const span of spans) {
    const thread = span.thread ?? mainThread;
    const own = threads.get(thread);
    if (own === undefined) threads.set(thread, [span]);
    else own.push(span);
  }
  return threadsInOrder(threads.keys()).flatMap((thread) => {
    const own = threads.get(thread) as TraceSpan[];
    const [started, ended] = timesOf(own);
    const { lane, count } = nestedLanes(started, ended);
    const rows = intoRows(lane, count, inOrder(started, ended, -1));
    return rows.map((row, index) => ({
      label: rowTitle(thread, index, rows.length),
      spans: row.map((one) => own[one] as TraceSpan),
    }));
  });
}

/** What the thread of spans that name none is called. */
export const mainThread = "main thread";

/** Threads, the main one first. */
export function threadsInOrder(threads: Iterable<string>): string[] {
  return Array.from(threads).sort((a, b) => Number(b === mainThread) - Number(a === mainThread));
}

/** What a queue is called. */
export function queueTitle({ id, label }: TraceQueue): string {
  return label === "" ? `queue ${id}` : label;
}

/** What one of several rows is called. */
export function rowTitle(label: string, index: number, count: number): string {
  return count === 1 ? label : `${label} (${index + 1})`;
}

/** The places of each row's intervals, in the order that is given. There is a row in any case. */
export function intoRows(row: ArrayLike<number>, count: number, order: Iterable<number>): number[][] {
  const rows = Array.from({ length: Math.max(1, count) }, (): number[] => []);
  for (const place of order) (rows[row[place] as number] as number[]).push(place);
  return rows;
}

function timesOf(
  intervals: readonly { started: number; ended: number }[],
): [started: Float64Array, ended: Float64Array] {
  return [Float64Array.from(intervals, ({ started }) => started), Float64Array.from(intervals, ({ ended }) => ended)];
}
