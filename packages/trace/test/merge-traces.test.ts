import { checkTrace, mergeTraces, type Trace } from "@cl/trace";

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { command, sampleTrace } from "./support/sample-trace.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

describe("mergeTraces", () => {
  test("aligns traces to the clock of the earliest one, in any order", () => {
    const late: Trace = { ...sampleTrace(), origin: 5_000_001_000, started: "2026-03-01T12:00:00.001Z" };
    const both = mergeTraces([late, sampleTrace()], ["late", "early"]);
    expect([both.started, both.origin, both.dropped]).toEqual(["2026-03-01T12:00:00.000Z", 5_000_000_000, 4]);
    expect(both.queues.map(({ id, label }) => [id, label])).toEqual([
      [0, "late: main"],
      [1, 'late: side, "quoted"'],
      [2, "early: main"],
      [3, 'early: side, "quoted"'],
    ]);
    const probes = both.commands.filter(({ name }) => name === "probe");
    expect(probes.map(({ queue, started, ended }) => [queue, started, ended])).toEqual([
      [2, 8_300, 9_000],
      [0, 9_300, 10_000],
    ]);
    expect(both.hostSpans.map(({ thread, started }) => [thread, started])).toEqual([
      ["late", 1_000],
      ["late: worker 1", 3_000],
      ["late: worker 1", 10_100],
      ["early", 0],
      ["early: worker 1", 2_000],
      ["early: worker 1", 9_100],
    ]);
    expect(both.memory.map(({ time, label }) => [time, label]).slice(0, 2)).toEqual([
      [0, "early: pool"],
      [1_000, "late: pool"],
    ]);
    expect(checkTrace(both)).toBe(both);
  });

  test("preserves the dependencies of each command", () => {
    const times = fc.tuple(fc.nat({ max: 1000 }), fc.nat({ max: 1000 }));
    const some = fc.tuple(fc.array(times, { maxLength: 20 }), fc.nat({ max: 2000 })).map(([list, origin]): Trace => {
      const commands = list.map(([queued, length], place) =>
        command(`${origin}/${place}`, 0, [queued, queued, queued, queued + length], {
          waitsFor: place === 0 ? [] : [place - 1],
        }),
      );
      return { ...sampleTrace(), origin, commands };
    });
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 4 }), (traces) => {
        const { commands } = checkTrace(mergeTraces(traces));
        const names = (all: Trace["commands"]): string[] =>
          all.flatMap(({ name, waitsFor = [] }) => waitsFor.map((place) => `${name} after ${all[place]?.name}`));
        expect(names(commands).sort()).toEqual(traces.flatMap((trace) => names(trace.commands)).sort());
        const queued = commands.map((one) => one.queued);
        expect(queued).toEqual(queued.toSorted((a, b) => a - b));
      }),
    );
  });

  test("rejects invalid traces and names", () => {
    expect(() => mergeTraces([])).toThrow(wrongType("traces"));
    expect(() => mergeTraces([sampleTrace(), {} as never])).toThrow(outOfRange("traces[1].version"));
    expect(() => mergeTraces([sampleTrace()], ["a", "b"])).toThrow(wrongType("names"));
  });
});
