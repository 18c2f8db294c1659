/** Numbers of a trace and of its queues, compared with counting each nanosecond. */
import { queueUses, type Trace, traceSummary } from "@cl/trace";
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { command, sampleTrace } from "./support/sample-trace.js";
import { outOfRange } from "@cl/testing/error-like";

const queues = [0, 1].map((id) => ({ id, label: `queue ${id}`, device: "cpu", outOfOrder: true }));

/** Short commands on two queues, which may overlap or take no time. */
const traces = fc.array(fc.tuple(fc.nat(1), fc.nat(60), fc.nat(9)), { maxLength: 12 }).map((commands): Trace => {
  const taken = commands.map(([queue, started, length]) => command("k", queue, [0, 0, started, started + length]));
  return { ...sampleTrace(), queues, commands: taken, hostSpans: [], memory: [] };
});

/** The nanoseconds at which a command of one of these queues runs. */
function busyTimes({ commands }: Trace, ids: readonly number[]): Set<number> {
  const times = new Set<number>();
  for (const { queue, started, ended } of commands) {
    for (let time = started; ids.includes(queue) && time < ended; time++) times.add(time);
  }
  return times;
}

test("a summary counts the time in which any command runs", () => {
  fc.assert(
    fc.property(traces, (trace) => {
      const { span, busy } = traceSummary(trace);
      const starts = trace.commands.map(({ started }) => started);
      const ends = trace.commands.map(({ ended }) => ended);
      expect(span).toBe(trace.commands.length === 0 ? 0 : Math.max(...ends) - Math.min(...starts));
      expect(busy).toBe(busyTimes(trace, [0, 1]).size);
    }),
  );
});

test("a summary counts failed commands and moved bytes", () => {
  const moved = command("copy", 0, [0, 0, 0, 100], { bytes: 300 });
  const failed = command("bad", 0, [0, 0, 100, 100], { failed: "CL_OUT_OF_RESOURCES" });
  const summary = traceSummary({ ...sampleTrace(), commands: [moved, failed] });
  expect(summary).toEqual({ span: 100, busy: 100, failed: 1, bytes: 300, gbPerSecond: 3 });
  expect(traceSummary({ ...sampleTrace(), commands: [failed] }).gbPerSecond).toBeNaN();
});

test("each queue is busy while one of its commands runs", () => {
  fc.assert(
    fc.property(traces, (trace) => {
      const { span } = traceSummary(trace);
      const uses = queueUses(trace);
      expect(uses.map(({ queue }) => queue)).toEqual(queues);
      for (const { queue, commands, busy, idle, share, longestGap } of uses) {
        const own = trace.commands.filter((one) => one.queue === queue.id);
        const times = busyTimes(trace, [queue.id]);
        expect([commands, busy, idle, share]).toEqual([own.length, times.size, span - times.size, times.size / span]);
        expect(longestGap).toBe(longestGapOf(own, times));
      }
    }),
  );
});

/** The longest run of nanoseconds without a command that is between two of them. */
function longestGapOf(commands: Trace["commands"], busy: ReadonlySet<number>): number {
  const edges = new Set(commands.flatMap(({ started, ended }) => [started, ended]));
  let [longest, gap] = [0, 0];
  for (let time = Math.min(...edges); time < Math.max(...edges); time++) {
    gap = busy.has(time) ? 0 : edges.has(time) ? 1 : gap + 1;
    longest = Math.max(longest, gap);
  }
  return longest;
}

test("both check the trace", () => {
  const bad = { ...sampleTrace(), version: 2 } as never;
  expect(() => traceSummary(bad)).toThrow(outOfRange());
  expect(() => queueUses(bad)).toThrow(outOfRange());
});
