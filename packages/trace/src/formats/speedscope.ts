/** Converts traces to the speedscope format: a profile for each row of a queue and for each host thread. */
import { checkTrace } from "../model/check-trace.js";
import type { Trace, TraceCommand } from "../model/trace.js";
import { type CommandTrack, commandTracks, type SpanTrack, spanTracks } from "../model/tracks.js";

/**
 * Returns the trace as JSON for https://www.speedscope.app. The launchers of a command are its callers, so that the view "left
 * heavy" shows the shares of lists and their members.
 */
export function speedscopeProfile(trace: Trace, name = "OpenCL"): string {
  return Array.from(speedscopeParts(trace, name)).join("");
}

/** Yields {@link speedscopeProfile} in parts. */
export function* speedscopeParts(trace: Trace, name = "OpenCL"): Generator<string> {
  const frames = new Frames();
  const { commands, hostSpans } = checkTrace(trace);
  const rows = [
    ...commandTracks(trace).map((track) => ({ name: titleOf(track), events: commandEvents(track, commands, frames) })),
    ...spanTracks(hostSpans).map((track) => ({ name: `host: ${track.label}`, events: spanEvents(track, frames) })),
  ];
  const { startValue, endValue } = rangeOf(trace);
  const schema = "https://www.speedscope.app/file-format-schema.json";
  const head = { $schema: schema, name, exporter: "@cl/trace", activeProfileIndex: 0 };
  yield `${JSON.stringify(head).slice(0, -1)},"profiles":[`;
  for (const [index, row] of rows.entries()) {
    const profile = { type: "evented", name: row.name, unit: "nanoseconds", startValue, endValue };
    yield `${index === 0 ? "\n" : ",\n"}${JSON.stringify(profile).slice(0, -1)},"events":[`;
    let first = true;
    for (const { type, frame, at } of row.events) {
      yield `${first ? "" : ","}{"type":"${type}","frame":${frame},"at":${at}}`;
      first = false;
    }
    yield "]}";
  }
  // At the end, when all frames are known.
  yield `\n],"shared":{"frames":${JSON.stringify(frames.all)}}}\n`;
}

interface FrameEvent {
  readonly type: "O" | "C";
  readonly frame: number;
  readonly at: number;
}

/** Names with their indices. */
class Frames {
  readonly #indices = new Map<string, number>();

  get all(): readonly { readonly name: string }[] {
    return Array.from(this.#indices.keys(), (name) => ({ name }));
  }

  indexOf(name: string): number {
    const existing = this.#indices.get(name);
    if (existing !== undefined) return existing;
    this.#indices.set(name, this.#indices.size);
    return this.#indices.size - 1;
  }
}

/** Yields the events of commands. Those of a row do not overlap, so each is closed before the next is opened. */
function* commandEvents(track: CommandTrack, commands: readonly TraceCommand[], frames: Frames): Generator<FrameEvent> {
  for (const index of track.commands) {
    const command = commands[index] as TraceCommand;
    const stack = callers(command).map((name) => frames.indexOf(name));
    for (const frame of stack) yield { type: "O", frame, at: command.started };
    for (const frame of stack.toReversed()) yield { type: "C", frame, at: command.ended };
  }
}

function* spanEvents(track: SpanTrack, frames: Frames): Generator<FrameEvent> {
  const open: { readonly frame: number; readonly at: number }[] = [];
  for (const { name, started, ended } of track.spans) {
    while (open.length > 0 && (open.at(-1) as { at: number }).at <= started) {
      yield { type: "C", ...(open.pop() as { frame: number; at: number }) };
    }
    const frame = frames.indexOf(name);
    yield { type: "O", frame, at: started };
    open.push({ frame, at: ended });
  }
  while (open.length > 0) yield { type: "C", ...(open.pop() as { frame: number; at: number }) };
}

/** Returns the launchers, outermost first, and the command unless the last launcher has its name. */
function callers({ name, launcher }: TraceCommand): string[] {
  const path = launcher === undefined || launcher === "" ? [] : launcher.split(" > ");
  return path.at(-1) === name ? path : [...path, name];
}

function titleOf({ queue, label }: CommandTrack): string {
  return queue.device === "" ? label : `${label} on ${queue.device}`;
}

function rangeOf({ commands, hostSpans }: Trace): { startValue: number; endValue: number } {
  let [startValue, endValue] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of [commands, hostSpans]) {
    for (const { started, ended } of list) {
      startValue = Math.min(startValue, started);
      endValue = Math.max(endValue, ended);
    }
  }
  return startValue > endValue ? { startValue: 0, endValue: 0 } : { startValue, endValue };
}
