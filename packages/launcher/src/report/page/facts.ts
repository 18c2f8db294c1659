/** What is known of a command, as names and values. */
import { formatBytes, formatRate, formatTime } from "@cl/base/units";
import type { State } from "./state.js";
import { exactTime } from "./ticks.js";
import type { TimelineRow } from "./timeline-data.js";

/** Names and values, in the order in which they are shown. */
export function factsOf(state: State, place: number): [name: string, value: string][] {
  const { commands, rows } = state.data;
  const form = commands.forms[commands.form[place] as number];
  const [started, ended] = [commands.started[place] as number, commands.ended[place] as number];
  if (form === undefined) return [];
  const { kind, launcher, global, local, bytes } = form;
  const failed = commands.failed.get(place);
  const facts: [string, string | undefined][] = [
    ["failed", failed],
    ["kind", kind],
    ["launcher", launcher],
    ["queue", rows[commands.row[place] as number]?.label],
    ["duration", formatTime(ended - started)],
    ["started", exactTime(started)],
    ["ended", exactTime(ended)],
    ["queued", before(state.data.queuedBefore[place] as number)],
    ["submitted", before(state.data.submittedBefore[place] as number)],
    ["global size", global?.join(" × ")],
    ["local size", local?.join(" × ")],
    ["bytes", bytes === undefined ? undefined : formatBytes(bytes)],
    ["throughput", bytes === undefined || ended <= started ? undefined : rate(bytes, ended - started)],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

/** A command's name. */
export function nameOf({ data }: State, place: number): string {
  return data.commands.forms[data.commands.form[place] as number]?.name ?? "";
}

/** The name of a row's command or span. */
export function nameIn(state: State, { kind, places }: TimelineRow, index: number): string {
  const place = places[index] as number;
  if (kind === "command") return nameOf(state, place);
  return state.data.spanNames[state.data.spanName[place] as number] ?? "";
}

function rate(bytes: number, ns: number): string {
  return formatRate((1e9 * bytes) / ns, "B/s");
}

function before(time: number): string {
  return time >= 0 ? `${formatTime(time)} before` : `${formatTime(-time)} after`;
}
