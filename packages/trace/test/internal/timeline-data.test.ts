import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { traceStatistics } from "../../src/index.js";
import { scriptJson } from "../../src/report/html.js";
import { pageData, type PageData } from "../../src/report/page-data.js";
import { indexAt, type Piece, shareBetween, visiblePieces } from "../../src/report/page/level-of-detail.js";
import { timelineData, type TimelineRow } from "../../src/report/page/timeline-data.js";
import { command, sampleTrace } from "../support/sample-trace.js";

function unpacked(trace = sampleTrace()): ReturnType<typeof timelineData> {
  const text = scriptJson(pageData(trace, traceStatistics(trace), "", "main thread"));
  return timelineData(JSON.parse(text) as PageData);
}

/** A row of items that do not overlap, from pauses and lengths. */
const someRow = fc
  .array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 30 })), { minLength: 1, maxLength: 200 })
  .map((list): Pick<TimelineRow, "started" | "ended" | "busy"> => {
    let time = 0;
    const started = new Float64Array(list.length);
    const ended = new Float64Array(list.length);
    const busy = new Float64Array(list.length + 1);
    for (const [i, [pause, length]] of list.entries()) {
      started[i] = time += pause;
      ended[i] = time += length;
      busy[i + 1] = (busy[i] as number) + length;
    }
    return { started, ended, busy };
  });

describe("the page data", () => {
  test("has all commands in rows of queues, in integer nanoseconds", () => {
    const trace = sampleTrace();
    const { rows, commands, from, to } = unpacked(trace);
    expect(rows.map(({ section, label, ids }) => [section, label, Array.from(ids)])).toEqual([
      ["host", "main thread", [0]],
      ["host", "worker 1", [1, 2]],
      ["pthread", "main", [0, 1, 2, 6, 7]],
      ["pthread", 'side, "quoted" (1)', [4, 5, 8]],
      ["pthread", 'side, "quoted" (2)', [3]],
    ]);
    // The commands and spans that failed, which have marks.
    expect(rows.flatMap(({ label, failures }) => Array.from(failures, (time) => [label, time]))).toEqual([
      ["worker 1", 9_100],
      ["main", 9_100],
    ]);
    expect(Array.from(commands.started)).toEqual(trace.commands.map(({ started }) => started));
    expect(Array.from(commands.ended)).toEqual(trace.commands.map(({ ended }) => Math.round(ended)));
    expect(Array.from(commands.row)).toEqual([2, 2, 2, 4, 3, 3, 2, 2, 3]);
    expect([from, to]).toEqual([0, 9_300]);
    expect([...commands.failed]).toEqual([[7, "CL_OUT_OF_RESOURCES"]]);
    expect([...commands.waitsFor]).toEqual([
      [1, [0]],
      [3, [0]],
      [5, [3, 4]],
    ]);
    expect(commands.waitedBy.get(0)).toEqual([1, 3]);
  });

  test("groups commands by table row, with separate groups for commands without a row", () => {
    const trace = sampleTrace();
    const { groups, commands } = timelineData(pageData(trace, traceStatistics(trace).slice(0, 2), "", "main thread"));
    expect(groups.slice(0, 2).map(({ label, row }) => [label, row?.count])).toEqual([
      ["timestep > advect", 2],
      ["left", 1],
    ]);
    expect(groups.slice(2).every(({ row }) => row === undefined)).toBe(true);
    const groupAt = (place: number): number | undefined => commands.groupOf[commands.form[place] as number];
    expect([groupAt(0), groupAt(2), groupAt(3)]).toEqual([0, 0, 1]);
  });

  test("puts nested spans into lower rows", () => {
    const hostSpans = [
      { name: "step", started: 0, ended: 100 },
      { name: "inner", started: 10, ended: 50 },
      { name: "innermost", started: 10, ended: 20 },
      { name: "other", started: 90, ended: 120 },
    ];
    const { rows } = unpacked({ ...sampleTrace(), commands: [], queues: [], memory: [], hostSpans });
    expect(rows.map(({ ids }) => Array.from(ids))).toEqual([[0], [1], [2], [3]]);
  });

  test("takes less than 25 characters per command, and can be empty", () => {
    const times = (i: number) => [i * 1000, i * 1000 + 5, i * 1000 + 90, i * 1000 + 700] as const;
    const commands = Array.from({ length: 10_000 }, (_, i) => command(`k${i % 20}`, 0, times(i)));
    const text = JSON.stringify(pageData({ ...sampleTrace(), commands }, [], "", "main"));
    expect(text.length / commands.length).toBeLessThan(25);
    const { from, to, rows } = unpacked({ ...sampleTrace(), queues: [], commands: [], hostSpans: [], memory: [] });
    expect([from, to, rows.length]).toEqual([0, 1, 0]);
  });
});

describe("the level of detail", () => {
  const piecesOf = (row: Parameters<typeof visiblePieces>[0], from: number, to: number, pixel: number): Piece[] => {
    const pieces: Piece[] = [];
    visiblePieces(row, from, to, pixel, (piece) => pieces.push(piece));
    return pieces;
  };

  test("represents each visible item once, with at most two rectangles per pixel", () => {
    const range = fc.tuple(fc.nat({ max: 2000 }), fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 200 }));
    fc.assert(
      fc.property(someRow, range, (row, [from, length, pixels]) => {
        const to = from + length;
        const pieces = piecesOf(row, from, to, length / pixels);
        let next = pieces[0]?.index ?? 0;
        for (const { count, index, from: left, to: right } of pieces) {
          expect(right - left).toBeGreaterThanOrEqual((length / pixels) * 0.999);
          // A piece of several items has the index of one of them.
          expect(count === 1 || index >= next).toBe(true);
          next = Math.max(next, index);
        }
        const last = row.started.findLastIndex((time) => time <= to);
        const seen = Array.from(row.ended.keys()).filter((i) => (row.ended[i] as number) > from && i <= last);
        const counted = pieces.reduce((sum, { count }) => sum + count, 0);
        // The last rectangle can include items beyond the edge.
        expect(counted).toBeGreaterThanOrEqual(seen.length);
        expect(pieces.length).toBeLessThanOrEqual(2 * pixels + 4);
      }),
    );
  });

  test("draws long items exactly, and short ones as a share of their pixel", () => {
    const row = {
      started: Float64Array.of(0, 100, 101, 103, 104, 200),
      ended: Float64Array.of(50, 101, 102, 104, 180, 260),
      busy: Float64Array.of(0, 50, 51, 52, 53, 129, 189),
    };
    expect(piecesOf(row, 0, 300, 10)).toEqual([
      { from: 0, to: 50, index: 0, count: 1, share: 1 },
      { from: 100, to: 110, index: 1, count: 3, share: 0.3 },
      { from: 104, to: 180, index: 4, count: 1, share: 1 },
      { from: 200, to: 260, index: 5, count: 1, share: 1 },
    ]);
  });

  test("computes the busy share of a range", () => {
    fc.assert(
      fc.property(someRow, fc.nat({ max: 500 }), fc.integer({ min: 1, max: 300 }), (row, from, length) => {
        let busy = 0;
        for (const [i, start] of row.started.entries()) {
          busy += Math.max(0, Math.min(from + length, row.ended[i] as number) - Math.max(from, start));
        }
        expect(shareBetween(row, from, from + length)).toBeCloseTo(busy / length, 9);
      }),
    );
  });

  test("finds the item at or near a time", () => {
    const row = { started: Float64Array.of(10, 30), ended: Float64Array.of(20, 40), busy: Float64Array.of(0, 10, 20) };
    expect([10, 19, 35].map((time) => indexAt(row, time, 0))).toEqual([0, 0, 1]);
    expect([22, 28, 45, 5].map((time) => indexAt(row, time, 5))).toEqual([0, 1, 1, 0]);
    expect([25, 50, 0].map((time) => indexAt(row, time, 4))).toEqual([-1, -1, -1]);
  });
});
