/**
 * Converts traces to the Chrome Trace Event Format, which Perfetto also opens. Devices are processes, and rows of queues are
 * threads. Times are in microseconds with fractions. Contains everything that is needed to restore the trace.
 */
import { checkTrace } from "../model/check-trace.js";
import type { Trace, TraceCommand } from "../model/trace.js";
import { type CommandTrack, commandTracks, spanTracks } from "../model/tracks.js";

/**
 * Returns the trace as JSON for https://ui.perfetto.dev or chrome://tracing.
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

/** Yields {@link chromeTrace} in parts, since a long trace may exceed the maximum string length. */
export function* chromeTraceParts(trace: Trace): Generator<string> {
  const { version, started, origin, dropped, queues } = checkTrace(trace);
  const other = JSON.stringify({ version, started, origin, dropped, queues });
  yield `{"displayTimeUnit":"ns","otherData":${other},"traceEvents":[`;
  let first = true;
  for (const event of events(trace)) {
    yield (first ? "\n" : ",\n") + JSON.stringify(event);
    first = false;
  }
  yield "\n]}\n";
}

/** Process id of the host. */
const host = 1;

function* events(trace: Trace): Generator<object> {
  const tracks = commandTracks(trace);
  const devices = [...new Set(trace.queues.map(({ device }) => device))];
  const pidOf = (track: CommandTrack): number => host + 1 + devices.indexOf(track.queue.device);
  const spans = spanTracks(trace.hostSpans);

  yield* metadata("process", { pid: host }, "host", 0);
  for (const [index, device] of devices.entries()) {
    yield* metadata("process", { pid: host + 1 + index }, device, 1 + index);
  }
  // Thread ids are unique across processes, since readers differ in whether they are per process.
  const threadIds = tracks.map((track, index) => ({ pid: pidOf(track), tid: 1 + spans.length + index }));
  for (const [index, { label }] of spans.entries()) {
    yield* metadata("thread", { pid: host, tid: 1 + index }, label, index);
  }
  for (const [index, { label }] of tracks.entries()) {
    yield* metadata("thread", threadIds[index] as ThreadId, label, index);
  }

  for (const [index, track] of spans.entries()) {
    for (const { name, started, ended, thread, failed } of track.spans) {
      const range = { ts: microseconds(started), dur: microseconds(ended - started) };
      yield { name, ...look("host", failed), ph: "X", ...range, pid: host, tid: 1 + index, args: { thread, failed } };
    }
  }
  for (const [index, track] of tracks.entries()) {
    for (const commandIndex of track.commands) {
      yield slice(trace.commands[commandIndex] as TraceCommand, commandIndex, threadIds[index] as ThreadId);
    }
  }
  yield* arrows(trace, tracks, threadIds);
  for (const { time, bytes, label } of trace.memory) {
    yield { name: `memory: ${label}`, ph: "C", ts: microseconds(time), pid: host, args: { bytes } };
  }
}

interface ThreadId {
  readonly pid: number;
  readonly tid?: number;
}

/** Yields the name and sort index of a process or thread. */
function* metadata(what: "process" | "thread", thread: ThreadId, name: string, order: number): Generator<object> {
  yield { name: `${what}_name`, ph: "M", ...thread, args: { name } };
  yield { name: `${what}_sort_index`, ph: "M", ...thread, args: { sort_index: order } };
}

function slice(command: TraceCommand, index: number, thread: ThreadId): object {
  const { name, kind, launcher, queue, queued, submitted, started, ended, global, local, bytes, failed } = command;
  return {
    name,
    ...look(kind, failed),
    ph: "X",
    ts: microseconds(started),
    dur: microseconds(ended - started),
    ...thread,
    args: {
      index,
      launcher,
      queue,
      queued_us: microseconds(queued),
      submitted_us: microseconds(submitted),
      global: global?.join(" × "),
      local: local?.join(" × "),
      bytes,
      failed,
      waits_for: command.waitsFor,
    },
  };
}

/** The category, and a color that makes Chrome draw failures in red. Perfetto ignores it, but shows the argument. */
function look(kind: string, failed: string | undefined): object {
  return failed === undefined ? { cat: kind } : { cat: `${kind},failed`, cname: "terrible" };
}

/** Yields arrows from the end of each command to the start of those that waited for it. */
function* arrows(
  { commands }: Trace,
  tracks: readonly CommandTrack[],
  threadIdOfTrack: readonly ThreadId[],
): Generator<object> {
  const threadIds: (ThreadId | undefined)[] = Array.from(commands, () => undefined);
  for (const [index, track] of tracks.entries()) {
    for (const commandIndex of track.commands) threadIds[commandIndex] = threadIdOfTrack[index];
  }
  let id = 0;
  for (const [index, command] of commands.entries()) {
    for (const other of command.waitsFor ?? []) {
      const { started, ended } = commands[other] as TraceCommand;
      const arrow = { name: "waits for", cat: "dependency", id: ++id };
      // An arrow belongs to the slice at its time, and a slice does not include its end.
      yield { ...arrow, ph: "s", ts: microseconds(Math.max(started, ended - 1)), ...threadIds[other] };
      yield { ...arrow, ph: "f", bp: "e", ts: microseconds(command.started), ...threadIds[index] };
    }
  }
}

function microseconds(ns: number): number {
  // Round to picoseconds to avoid digits from floating-point errors.
  return Math.round(ns * 1000) / 1e6;
}
