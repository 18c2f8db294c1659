/** Restores traces from the Chrome format that `chromeTrace` writes. */
import { isObject, present, wrongValue } from "@cl/base";

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has the Chrome format, from any program. */
export function isChromeTrace(
  value: unknown,
): value is { readonly traceEvents: unknown; readonly otherData?: unknown } {
  return typeof value === "object" && value !== null && "traceEvents" in value;
}

/**
 * Returns the trace of a Chrome trace, unchecked: `checkTrace` validates it. Times are accurate to a picosecond. Throws if
 * another program wrote the Chrome trace.
 */
export function fromChromeTrace({
  traceEvents,
  otherData,
}: {
  readonly traceEvents: unknown;
  readonly otherData?: unknown;
}): Fields {
  if (!isObject(otherData) || !Array.isArray(otherData["queues"]) || !Array.isArray(traceEvents)) {
    throw wrongValue("trace must be written by @cl/trace, received a Chrome trace of another program");
  }
  const commands: Fields[] = [];
  const hostSpans: Fields[] = [];
  const memory: Fields[] = [];
  for (const event of traceEvents as readonly unknown[]) {
    if (!isObject(event)) continue;
    const args = isObject(event["args"]) ? event["args"] : {};
    if (event["ph"] === "C") memory.push(memoryOf(event, args));
    if (event["ph"] !== "X") continue;
    const { index } = args;
    if (index === undefined) hostSpans.push(spanOf(event, args));
    else if (Number(index) < traceEvents.length) commands[Number(index)] = commandOf(event, args);
  }
  hostSpans.sort((a, b) => (a["started"] as number) - (b["started"] as number));
  return { ...otherData, commands, hostSpans, memory };
}

function commandOf(event: Fields, args: Fields): Fields {
  return {
    name: event["name"],
    kind: String(event["cat"]).split(",")[0],
    queue: args["queue"],
    ...present({ launcher: args["launcher"] }),
    queued: nanoseconds(args["queued_us"]),
    submitted: nanoseconds(args["submitted_us"]),
    ...rangeOf(event),
    ...present({
      global: sizeOf(args["global"]),
      local: sizeOf(args["local"]),
      bytes: args["bytes"],
      failed: args["failed"],
      waitsFor: args["waits_for"],
    }),
  };
}

function spanOf(event: Fields, args: Fields): Fields {
  return { name: event["name"], ...rangeOf(event), ...present({ thread: args["thread"], failed: args["failed"] }) };
}

function memoryOf(event: Fields, args: Fields): Fields {
  return {
    time: nanoseconds(event["ts"]),
    bytes: args["bytes"],
    label: String(event["name"]).replace(/^memory: /, ""),
  };
}

function rangeOf({ ts, dur }: Fields): { readonly started: number; readonly ended: number } {
  return { started: picoseconds(ts) / 1000, ended: (picoseconds(ts) + picoseconds(dur)) / 1000 };
}

function nanoseconds(microseconds: unknown): number {
  return picoseconds(microseconds) / 1000;
}

function picoseconds(microseconds: unknown): number {
  return Math.round(Number(microseconds) * 1e6);
}

function sizeOf(text: unknown): readonly number[] | undefined {
  return typeof text === "string" ? text.split(" × ").map(Number) : undefined;
}
