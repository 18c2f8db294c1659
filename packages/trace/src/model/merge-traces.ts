/** Merges traces of several profilers, threads or processes of one machine. */
import { typeError } from "@cl/base";

import { checkTrace } from "./check-trace.js";
import type { Trace, TraceCommand } from "./trace.js";
import { mainThread } from "./tracks.js";

/**
 * Merges traces on the clock of the earliest. Queues of different traces stay separate. `names`, one for each trace, are
 * prepended to the labels of queues and threads to distinguish them.
 *
 * @example
 * ```ts
 * const one: Trace = {
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 1000, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 10, started: 100, ended: 300 }],
 * };
 * const both = mergeTraces([one, { ...one, origin: 1500 }], ["worker 1", "worker 2"]);
 * console.log(both.queues.map(({ label }) => label)); // [ 'worker 1: main', 'worker 2: main' ]
 * console.log(both.commands.map(({ started }) => started)); // [ 100, 600 ]
 * ```
 */
export function mergeTraces(traces: readonly Trace[], names?: readonly string[]): Trace {
  if (!Array.isArray(traces) || traces.length === 0) throw typeError("traces", "a non-empty array of traces", traces);
  if (names !== undefined && names.length !== traces.length) {
    throw typeError("names", `an array of ${traces.length} names, one for each trace`, names);
  }
  const checked = traces.map((trace, index) => checkTrace(trace, `traces[${index}]`));
  const earliest = checked.reduce((first, trace) => (trace.origin < first.origin ? trace : first));
  const shiftedTraces = checked.map((trace, index) => shifted(trace, trace.origin - earliest.origin, names?.[index]));

  const queues: Trace["queues"][number][] = [];
  const commands: TraceCommand[] = [];
  for (const trace of shiftedTraces) {
    const ids = new Map(trace.queues.map(({ id }, index) => [id, queues.length + index]));
    const first = commands.length;
    for (const queue of trace.queues) queues.push({ ...queue, id: ids.get(queue.id) as number });
    for (const command of trace.commands) {
      const waits = command.waitsFor === undefined ? {} : { waitsFor: command.waitsFor.map((index) => first + index) };
      commands.push({ ...command, queue: ids.get(command.queue) as number, ...waits });
    }
  }
  return {
    version: 1,
    started: earliest.started,
    origin: earliest.origin,
    queues,
    ...inOrder(commands),
    hostSpans: shiftedTraces.flatMap(({ hostSpans }) => hostSpans),
    memory: shiftedTraces.flatMap(({ memory }) => memory).sort((a, b) => a.time - b.time),
    dropped: shiftedTraces.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

/** Shifts a trace by nanoseconds and prepends a name to its labels. */
function shifted(trace: Trace, offset: number, name: string | undefined): Trace {
  const label = (text: string): string => (name === undefined ? text : `${name}: ${text}`);
  const thread = (threadName: string | undefined): { thread?: string } => {
    if (name === undefined) return threadName === undefined ? {} : { thread: threadName };
    return { thread: threadName === undefined || threadName === mainThread ? name : label(threadName) };
  };
  return {
    ...trace,
    queues: trace.queues.map((queue) => ({ ...queue, label: label(queue.label) })),
    commands: trace.commands.map((command) => ({
      ...command,
      queued: command.queued + offset,
      submitted: command.submitted + offset,
      started: command.started + offset,
      ended: command.ended + offset,
    })),
    hostSpans: trace.hostSpans.map((span) => ({
      ...span,
      started: span.started + offset,
      ended: span.ended + offset,
      ...thread(span.thread),
    })),
    memory: trace.memory.map((point) => ({ ...point, time: point.time + offset, label: label(point.label) })),
  };
}

/** Sorts commands by enqueue time, as in every trace, and updates `waitsFor`. */
function inOrder(commands: readonly TraceCommand[]): Pick<Trace, "commands"> {
  const order = Array.from(commands.keys()).sort((a, b) => {
    return (commands[a] as TraceCommand).queued - (commands[b] as TraceCommand).queued || a - b;
  });
  const indices = new Uint32Array(commands.length);
  for (const [index, oldIndex] of order.entries()) indices[oldIndex] = index;
  return {
    commands: order.map((oldIndex) => {
      const command = commands[oldIndex] as TraceCommand;
      if (command.waitsFor === undefined) return command;
      return { ...command, waitsFor: command.waitsFor.map((index) => indices[index] as number) };
    }),
  };
}
