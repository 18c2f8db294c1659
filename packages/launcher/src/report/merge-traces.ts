/** Puts traces of several profilers, threads or processes of one machine together. */
import { typeError } from "@cl/base";

import { checkTrace } from "./check-trace.js";
import type { Trace, TraceCommand } from "./trace.js";
import { mainThread } from "./tracks.js";

/**
 * One trace of several, on one clock: that of the earliest. Queues stay apart, since those of two threads are two queues;
 * `names`, one for each trace, stand before the labels of queues and threads, so that they can be told apart.
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
  if (!Array.isArray(traces) || traces.length === 0) throw typeError("traces", "an array of one trace or more", traces);
  if (names !== undefined && names.length !== traces.length) {
    throw typeError("names", `an array of ${traces.length} names, one for each trace`, names);
  }
  const checked = traces.map((trace, index) => checkTrace(trace, `traces[${index}]`));
  const earliest = checked.reduce((first, trace) => (trace.origin < first.origin ? trace : first));
  const parts = checked.map((trace, index) => moved(trace, trace.origin - earliest.origin, names?.[index]));

  const queues: Trace["queues"][number][] = [];
  const commands: TraceCommand[] = [];
  for (const part of parts) {
    const ids = new Map(part.queues.map(({ id }, index) => [id, queues.length + index]));
    const first = commands.length;
    for (const queue of part.queues) queues.push({ ...queue, id: ids.get(queue.id) as number });
    for (const command of part.commands) {
      const waits = command.waitsFor === undefined ? {} : { waitsFor: command.waitsFor.map((place) => first + place) };
      commands.push({ ...command, queue: ids.get(command.queue) as number, ...waits });
    }
  }
  return {
    version: 1,
    started: earliest.started,
    origin: earliest.origin,
    queues,
    ...inOrder(commands),
    hostSpans: parts.flatMap(({ hostSpans }) => hostSpans),
    memory: parts.flatMap(({ memory }) => memory).sort((a, b) => a.time - b.time),
    dropped: parts.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

/** The trace some nanoseconds later, with a name before its labels. */
function moved(trace: Trace, by: number, name: string | undefined): Trace {
  const label = (text: string): string => (name === undefined ? text : `${name}: ${text}`);
  const thread = (own: string | undefined): { thread?: string } => {
    if (name === undefined) return own === undefined ? {} : { thread: own };
    return { thread: own === undefined || own === mainThread ? name : label(own) };
  };
  return {
    ...trace,
    queues: trace.queues.map((queue) => ({ ...queue, label: label(queue.label) })),
    commands: trace.commands.map((command) => ({
      ...command,
      queued: command.queued + by,
      submitted: command.submitted + by,
      started: command.started + by,
      ended: command.ended + by,
    })),
    hostSpans: trace.hostSpans.map((span) => ({
      ...span,
      started: span.started + by,
      ended: span.ended + by,
      ...thread(span.thread),
    })),
    memory: trace.memory.map((point) => ({ ...point, time: point.time + by, label: label(point.label) })),
  };
}

/** By the times at which they were enqueued, as in every trace; places in `waitsFor` follow. */
function inOrder(commands: readonly TraceCommand[]): Pick<Trace, "commands"> {
  const order = Array.from(commands.keys()).sort((a, b) => {
    return (commands[a] as TraceCommand).queued - (commands[b] as TraceCommand).queued || a - b;
  });
  const places = new Uint32Array(commands.length);
  for (const [place, old] of order.entries()) places[old] = place;
  return {
    commands: order.map((old) => {
      const command = commands[old] as TraceCommand;
      if (command.waitsFor === undefined) return command;
      return { ...command, waitsFor: command.waitsFor.map((place) => places[place] as number) };
    }),
  };
}
