import { chromeTrace, parseTrace, speedscopeProfile, type Trace } from "@cl/trace";

import { describe, expect, test } from "vitest";

import { command, sampleTrace } from "./support/sample-trace.js";
import { checkSpeedscope, type SpeedscopeFile } from "@cl/testing/speedscope-rules";

interface ChromeEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly cat?: string;
  readonly id?: number;
  readonly bp?: string;
  readonly args: Readonly<Record<string, unknown>>;
}

function chromeEvents(trace: Trace): ChromeEvent[] {
  return (JSON.parse(chromeTrace(trace)) as { traceEvents: ChromeEvent[] }).traceEvents;
}

const empty: Trace = { ...sampleTrace(), queues: [], commands: [], hostSpans: [], memory: [], dropped: 0 };

describe("a Chrome trace", () => {
  const trace = sampleTrace();
  const events = chromeEvents(trace);
  const slices = events.filter(({ ph }) => ph === "X");
  const labels = new Map(
    events.filter(({ name }) => name === "thread_name").map(({ tid, args }) => [tid, args["name"] as string]),
  );

  test("has one slice for each command and span, in fractional microseconds", () => {
    expect(slices).toHaveLength(trace.commands.length + trace.hostSpans.length);
    const advect = slices.find(({ args }) => args?.["index"] === 0);
    expect(advect).toMatchObject({ name: "advect", cat: "kernel", ts: 1, dur: 2.00025 });
    expect(advect?.args).toEqual({
      index: 0,
      launcher: "timestep > advect",
      queue: 0,
      queued_us: 0.1,
      submitted_us: 0.2,
      global: "512 × 512",
      local: "16 × 16",
      bytes: 4_194_304,
    });
  });

  test("has a thread for each queue, and for each row of overlapping commands", () => {
    expect([...labels.values()]).toEqual([
      "main thread",
      "worker 1",
      "main",
      'side, "quoted" (1)',
      'side, "quoted" (2)',
    ]);
    for (const tid of labels.keys()) {
      const row = slices.filter((slice) => slice.tid === tid).sort((a, b) => a.ts - b.ts);
      for (const [i, { ts }] of row.entries()) if (i > 0) expect(ts).toBeGreaterThanOrEqual(endOf(row[i - 1]));
    }
    const processes = events.filter(({ name }) => name === "process_name").map(({ args }) => args["name"]);
    expect(processes).toEqual(["host", "pthread"]);
  });

  test("has a flow arrow for each dependency", () => {
    const starts = events.filter(({ ph }) => ph === "s");
    const ends = events.filter(({ ph }) => ph === "f");
    expect(starts.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(ends.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    const sliceAt = ({ tid, ts }: ChromeEvent): unknown =>
      slices.find((slice) => slice.tid === tid && slice.ts <= ts && ts < endOf(slice))?.args["index"];
    expect(starts.map(sliceAt)).toEqual([0, 0, 3, 4]);
    expect(ends.map(sliceAt)).toEqual([1, 3, 5, 5]);
    expect(ends.every(({ bp }) => bp === "e")).toBe(true);
  });

  test("has memory as a counter, and failures as a category and an argument", () => {
    const counters = events.filter(({ ph }) => ph === "C");
    expect(counters.map(({ name, ts, args }) => [name, ts, args["bytes"]])).toEqual([
      ["memory: pool", 0, 1_048_576],
      ["memory: pool", 4, 3_145_728],
      ["memory: pool", 9, 2_097_152],
    ]);
    expect(slices.find(({ cat }) => cat === "kernel,failed")?.args["failed"]).toBe("CL_OUT_OF_RESOURCES");
  });

  test("has metadata, and can be empty", () => {
    const { otherData } = JSON.parse(chromeTrace(trace)) as { otherData: unknown };
    const { version, started, origin, dropped, queues } = trace;
    expect(otherData).toEqual({ version, started, origin, dropped, queues });
    expect(chromeEvents(empty).every(({ ph }) => ph === "M")).toBe(true);
  });

  test("contains the complete trace, which parseTrace restores", () => {
    expect(parseTrace(chromeTrace(trace))).toEqual(trace);
    expect(parseTrace(chromeTrace(empty))).toEqual(empty);
    const hostCommand = { ...trace, commands: [command("step", 0, [0, 0, 1, 2], { kind: "host" })], hostSpans: [] };
    expect(parseTrace(chromeTrace(hostCommand))).toEqual(hostCommand);
  });

  test("of another program is rejected by parseTrace", () => {
    const parse = (): Trace => parseTrace('{"traceEvents":[{"name":"a","ph":"X","ts":0,"dur":1,"pid":1,"tid":1}]}');
    expect(parse).toThrow(TypeError);
  });
});

describe("a speedscope profile", () => {
  const parse = (trace: Trace): SpeedscopeFile => JSON.parse(speedscopeProfile(trace, "run 7")) as SpeedscopeFile;

  test("conforms to the file format", () => {
    const file = parse(sampleTrace());
    expect(checkSpeedscope(file)).toEqual([]);
    expect(file.name).toBe("run 7");
    expect(checkSpeedscope(parse(empty))).toEqual([]);
  });

  test("has a profile for each row, with launchers as callers", () => {
    const { profiles, shared } = parse(sampleTrace());
    expect(profiles.map(({ name }) => name)).toEqual([
      "main on pthread",
      'side, "quoted" (1) on pthread',
      'side, "quoted" (2) on pthread',
      "host: main thread",
      "host: worker 1",
    ]);
    const opened = profiles[0]?.events.slice(0, 4).map(({ type, frame, at }) => [type, shared.frames[frame]?.name, at]);
    expect(opened).toEqual([
      ["O", "timestep", 1_000],
      ["O", "advect", 1_000],
      ["C", "advect", 3_000.25],
      ["C", "timestep", 3_000.25],
    ]);
  });
});

function endOf(slice: ChromeEvent | undefined): number {
  return slice === undefined ? 0 : slice.ts + slice.dur;
}
