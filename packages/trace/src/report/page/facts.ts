/** Properties of a command as names and values. */
import { formatBytes, formatRate, formatTime } from "@cl/base/units";
import type { State } from "./state.js";
import { exactTime } from "./ticks.js";
import type { TimelineRow } from "./timeline-data.js";

/** Returns names and values in display order. */
export function factsOf(state: State, id: number): [name: string, value: string][] {
  const { commands, rows } = state.data;
  const form = commands.forms[commands.form[id] as number];
  const [started, ended] = [commands.started[id] as number, commands.ended[id] as number];
  if (form === undefined) return [];
  const { kind, launcher, global, local, bytes } = form;
  const failed = commands.failed.get(id);
  // Three digits of the duration.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, ended - started))) - 2);
  const facts: [string, string | undefined][] = [
    ["failed", failed],
    ["kind", kind],
    ["launcher", launcher],
    ["queue", rows[commands.row[id] as number]?.label],
    ["duration", formatTime(ended - started)],
    ["started", exactTime(started, step)],
    ["ended", exactTime(ended, step)],
    ["queued", before(state.data.queuedBefore[id] as number)],
    ["submitted", before(state.data.submittedBefore[id] as number)],
    ["global size", global?.join(" × ")],
    ["local size", local?.join(" × ")],
    ["bytes", bytes === undefined ? undefined : formatBytes(bytes)],
    ["throughput", bytes === undefined || ended <= started ? undefined : rate(bytes, ended - started)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

/** Returns a command's name. */
export function nameOf({ data }: State, id: number): string {
  return data.commands.forms[data.commands.form[id] as number]?.name ?? "";
}

/** Returns the name of a command or span of a row. */
export function nameIn(state: State, { kind, ids }: TimelineRow, index: number): string {
  const id = ids[index] as number;
  if (kind === "command") return nameOf(state, id);
  return state.data.spanNames[state.data.spanName[id] as number] ?? "";
}

function rate(bytes: number, ns: number): string {
  return formatRate((1e9 * bytes) / ns, "B/s");
}

function before(time: number): string {
  return time >= 0 ? `${formatTime(time)} before start` : `${formatTime(-time)} after start`;
}
