/** The rows that a trace is drawn in: one or more for each queue and for each thread of the host. */
import { type Interval, type Lanes, nestedLanes, separateLanes } from "./lanes.js";
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
    const rows = intoRows(separateLanes(commands), commands, "first");
    return rows.map((row, index) => ({
      queue,
      label: numbered(queue.label === "" ? `queue ${queue.id}` : queue.label, index, rows.length),
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
  const mainFirst = (a: string, b: string): number => Number(b === mainThread) - Number(a === mainThread);
  return Array.from(threads.keys())
    .sort(mainFirst)
    .flatMap((thread) => {
      const own = threads.get(thread) as TraceSpan[];
      const rows = intoRows(nestedLanes(own), own, "last");
      return rows.map((row, index) => ({
        label: numbered(thread, index, rows.length),
        spans: row.map((one) => own[one] as TraceSpan),
      }));
    });
}

const mainThread = "main thread";

function intoRows({ lane, count }: Lanes, intervals: readonly Interval[], ends: "first" | "last"): number[][] {
  const rows = Array.from({ length: Math.max(1, count) }, (): number[] => []);
  for (const [index, row] of lane.entries()) (rows[row] as number[]).push(index);
  const sign = ends === "first" ? 1 : -1;
  for (const row of rows) {
    row.sort((a, b) => {
      const [one, other] = [intervals[a] as Interval, intervals[b] as Interval];
      return one.started - other.started || sign * (one.ended - other.ended) || a - b;
    });
  }
  return rows;
}

function numbered(label: string, index: number, count: number): string {
  return count === 1 ? label : `${label} (${index + 1})`;
}
