import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { type Lanes, nestedLanes, separateLanes, type Times } from "../../src/model/lanes.js";
import { MinHeap } from "../../src/model/min-heap.js";

interface Interval {
  readonly started: number;
  readonly ended: number;
}

function lanesOf<L extends Lanes>(assign: (started: Times, ended: Times) => L, list: readonly Interval[]): L {
  return assign(
    list.map(({ started }) => started),
    list.map(({ ended }) => ended),
  );
}

const intervals = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 20 })), { maxLength: 60 })
  .map((pairs) => pairs.map(([started, length]): Interval => ({ started, ended: started + length })));

const overlap = (a: Interval, b: Interval): boolean => a.started < b.ended && b.started < a.ended;
const within = (a: Interval, b: Interval): boolean => a.started >= b.started && a.ended <= b.ended;

describe("separateLanes", () => {
  test("assigns overlapping intervals to different lanes", () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const { lane } = lanesOf(separateLanes, list);
        const clashes = list.filter((one, i) =>
          list.some((other, j) => i !== j && lane[i] === lane[j] && overlap(one, other)),
        );
        expect(clashes).toEqual([]);
      }),
    );
    expect.hasAssertions();
  });

  test("uses as many lanes as intervals overlap at a time", () => {
    fc.assert(
      fc.property(intervals, (list) => {
        // At integers, empty intervals may be inside others.
        const times = list.flatMap(({ started }) => [started, started + 0.5]);
        const most = times.map((time) => {
          const open = list.filter(({ started, ended }) => started < time && time < ended).length;
          const points = list.some(({ started, ended }) => started === time && ended === time);
          return open + Number(points);
        });
        expect(lanesOf(separateLanes, list).count).toBe(Math.max(list.length > 0 ? 1 : 0, ...most));
      }),
    );
  });
});

describe("nestedLanes", () => {
  test("shares a lane only among disjoint or nested intervals", () => {
    fc.assert(
      fc.property(intervals, (list) => {
        const { lane, depth } = lanesOf(nestedLanes, list);
        for (const [i, one] of list.entries()) {
          const around = list.filter((other, j) => {
            if (i === j || lane[i] !== lane[j]) return false;
            expect(!overlap(one, other) || within(one, other) || within(other, one)).toBe(true);
            return overlap(one, other) && within(one, other) && !within(other, one);
          });
          expect(depth[i]).toBeGreaterThanOrEqual(around.length);
        }
      }),
    );
  });

  test("keeps nested calls in one lane", () => {
    const list = [
      { started: 0, ended: 10 },
      { started: 0, ended: 4 },
      { started: 5, ended: 9 },
      { started: 6, ended: 7 },
      { started: 8, ended: 12 },
    ];
    expect(lanesOf(nestedLanes, list)).toEqual({
      lane: Int32Array.of(0, 0, 0, 0, 1),
      depth: Int32Array.of(0, 1, 1, 2, 0),
      count: 2,
    });
  });
});

test("a heap returns its items ordered by key", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), (items) => {
      const heap = new MinHeap((item) => -item);
      for (const item of items) heap.push(item);
      const popped = Array.from(items, () => heap.pop());
      expect(popped).toEqual([...items].sort((a, b) => b - a));
      expect(heap.size).toBe(0);
    }),
  );
});
