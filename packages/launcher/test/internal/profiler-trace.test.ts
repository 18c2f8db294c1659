/** How traces align the clock of a device with the host's. */
import type { TracedCommand } from "@cl/core";
import { expect, test } from "vitest";

import { buildTrace } from "../../src/statistics/profiler-trace.js";

/** What has to be added to times of the device. */
const offset = 5_000_000_000n;

/** A command; commands are enqueued every 10 ms. */
interface Enqueued {
  /** Milliseconds until the call returns. */
  readonly takes: number;
  /** Milliseconds from the call until the time that the driver records. */
  readonly recorded?: number;
  /** Whether only its event was recorded, so that the time of the call is not known. */
  readonly isForeign?: boolean;
}

const milliseconds = (count: number): bigint => BigInt(Math.round(count * 1e6));

/** Returns when the commands of a trace were enqueued, in milliseconds after the first call. */
function enqueuedAt(list: readonly Enqueued[]): number[] {
  const commands = list.map(({ takes, recorded = 0, isForeign = false }, k): TracedCommand => {
    const called = milliseconds(10_000 + 10 * k);
    const queued = called + milliseconds(recorded) - offset;
    const times = { queued, submit: queued, start: queued + 1n, end: queued + 2n };
    const enqueued = called + milliseconds(takes);
    const known = isForeign ? {} : { called };
    return { name: "x", queue: 0, onHost: false, times, enqueued, ...known, bytes: 0, serial: 0, after: [] };
  });
  const memory = [{ time: 10_000e6, label: "pool", bytes: 1 }];
  const trace = buildTrace(commands, () => ({ name: "x", kind: "kernel", launcher: undefined }), memory, 0);
  const zero = trace.memory[0]?.time ?? NaN;
  return trace.commands.map(({ queued }) => Math.round((queued - zero) / 1e4) / 100);
}

test("the fastest call tells the offset of the clocks, however slow the others are", () => {
  const slow = Array.from({ length: 8 }, () => ({ takes: 9 }));
  expect(enqueuedAt([...slow, { takes: 0.01 }])).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80].map((at) => at + 0.01));
});

test("commands whose times the driver records too late do not change it", () => {
  const late = { takes: 0.01, recorded: 3 };
  expect(enqueuedAt([late, { takes: 0.01 }, late, late, late])).toEqual([3.01, 10.01, 23.01, 33.01, 43.01]);
});

test("commands of which only the events are known give no lower bound", () => {
  // Its event was recorded 5 ms after it was enqueued.
  const foreign = { takes: 5, recorded: 0, isForeign: true };
  expect(enqueuedAt([foreign, { takes: 0.01 }])).toEqual([0.01, 10.01]);
});
