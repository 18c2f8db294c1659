/**
 * A trace in the Trace Event Format of Chrome, which Perfetto opens, too. A device is a process there, a row of a queue a
 * thread. The format counts microseconds; nanoseconds are their fractions.
 */
import { checkTrace } from "./check-trace.js";
import type { Trace, TraceCommand } from "./trace.js";
import { type CommandTrack, commandTracks, spanTracks } from "./tracks.js";

/**
 * The trace as JSON for https://ui.perfetto.dev or chrome://tracing.
 *
 * @example
 * ```ts
 * const json = chromeTrace({
 *   version: 1, started: "2026-01-01T00:00:00.000Z", origin: 0, hostSpans: [], memory: [], dropped: 0,
 *   queues: [{ id: 0, label: "main", device: "cpu", outOfOrder: false }],
 *   commands: [{ name: "advect", kind: "kernel", queue: 0, queued: 0, submitted: 10, started: 1500, ended: 2500 }],
 * });
 * console.log(json.includes('"name":"advect","cat":"kernel","ph":"X","ts":1.5,"dur":1,')); // true
 * ```
 */
export function chromeTrace(trace: Trace): string {
  return Array.from(chromeTraceParts(trace)).join("");
}

/** The same in parts: a trace of a million commands is longer than one string need be. */
export function* chromeTraceParts(trace: Trace): Generator<string> {
  const { version, started, origin, dropped } = checkTrace(trace);
  const other = JSON.stringify({ version, started, origin, dropped });
  yield `{"displayTimeUnit":"ns","otherData":${other},"traceEvents":[`;
  let first = true;
  for (const event of events(trace)) {
    yield (first ? "\n" : ",\n") + JSON.stringify(event);
    first = false;
  }
  yield "\n]}\n";
}

/** The process of what is not on a device. */
const host = 1;

function* events(trace: Trace): Generator<object> {
  const tracks = commandTracks(trace);
  const devices = [...new Set(trace.queues.map(({ device }) => device))];
  const pidOf = (track: CommandTrack): number => host + 1 + devices.indexOf(track.queue.device);
  const spans = spanTracks(trace.hostSpans);

  yield* named("process", { pid: host }, "host", 0);
  for (const [index, device] of devices.entries()) {
    yield* named("process", { pid: host + 1 + index }, device, 1 + index);
  }
  // No two threads of all processes have the same number: readers differ in whether it is one of the process.
  const places = tracks.map((track, index) => ({ pid: pidOf(track), tid: 1 + spans.length + index }));
  for (const [index, { label }] of spans.entries()) yield* named("thread", { pid: host, tid: 1 + index }, label, index);
  for (const [index, { label }] of tracks.entries()) yield* named("thread", places[index] as Place, label, index);

  for (const [index, track] of spans.entries()) {
    for (const { name, started, ended } of track.spans) {
      yield { name, cat: "host", ph: "X", ts: micro(started), dur: micro(ended - started), pid: host, tid: 1 + index };
    }
  }
  for (const [index, track] of tracks.entries()) {
    for (const one of track.commands) yield slice(trace.commands[one] as TraceCommand, one, places[index] as Place);
  }
  yield* arrows(trace, tracks, places);
  for (const { time, bytes, label } of trace.memory) {
    yield { name: `memory: ${label}`, ph: "C", ts: micro(time), pid: host, args: { bytes } };
  }
}

interface Place {
  readonly pid: number;
  readonly tid?: number;
}

/** What says how a process or thread is called, and where it stands. */
function* named(what: "process" | "thread", place: Place, name: string, order: number): Generator<object> {
  yield { name: `${what}_name`, ph: "M", ...place, args: { name } };
  yield { name: `${what}_sort_index`, ph: "M", ...place, args: { sort_index: order } };
}

function slice(command: TraceCommand, index: number, place: Place): object {
  const { name, kind, launcher, queued, submitted, started, ended, global, local, bytes, failed } = command;
  return {
    name,
    cat: failed === undefined ? kind : `${kind},failed`,
    ph: "X",
    ts: micro(started),
    dur: micro(ended - started),
    ...place,
    // Chrome's own red; Perfetto has none, and shows the argument.
    ...(failed === undefined ? {} : { cname: "terrible" }),
    args: {
      index,
      launcher,
      queued_us: micro(queued),
      submitted_us: micro(submitted),
      global: global?.join(" × "),
      local: local?.join(" × "),
      bytes,
      failed,
    },
  };
}

/** From the end of each command that another waited for to the beginning of that one. */
function* arrows(
  { commands }: Trace,
  tracks: readonly CommandTrack[],
  placeOfTrack: readonly Place[],
): Generator<object> {
  const places: (Place | undefined)[] = Array.from(commands, () => undefined);
  for (const [index, track] of tracks.entries()) for (const one of track.commands) places[one] = placeOfTrack[index];
  let id = 0;
  for (const [index, command] of commands.entries()) {
    for (const other of command.waitsFor ?? []) {
      const { started, ended } = commands[other] as TraceCommand;
      const arrow = { name: "waits for", cat: "dependency", id: ++id };
      // An arrow belongs to the slice that its time is in, and a slice's end is no part of it.
      yield { ...arrow, ph: "s", ts: micro(Math.max(started, ended - 1)), ...places[other] };
      yield { ...arrow, ph: "f", bp: "e", ts: micro(command.started), ...places[index] };
    }
  }
}

function micro(ns: number): number {
  // Rounded to the picosecond: 0.1 + 0.2 is not to be read in a trace.
  return Math.round(ns * 1000) / 1e6;
}
