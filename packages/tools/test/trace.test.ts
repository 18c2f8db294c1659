import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { OutOfMemoryError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import {
  generateTrace,
  LimitAdaptor,
  LogAdaptor,
  parseTrace,
  readTrace,
  type ReplayAllocator,
  replayTrace,
  StatisticsAdaptor,
  type TraceStep,
} from "@cl/tools";
import { afterAll, expect, test } from "vitest";
import * as fc from "fast-check";

import { plain, ScriptedAllocator } from "./support/allocators.js";

const folder = mkdtempSync(join(tmpdir(), "cl-trace-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A counting allocator without a device. */
class CountingAllocator implements ReplayAllocator {
  live = 0;
  peak = 0;
  readonly sizes: number[] = [];

  allocate(bytes: number): { size: number; release: () => void } {
    this.sizes.push(bytes);
    this.live += bytes;
    this.peak = Math.max(this.peak, this.live);
    return {
      size: bytes,
      release: () => {
        this.live -= bytes;
      },
    };
  }
}

test("generateTrace returns the same trace for the same seed, and a different one for another", () => {
  const steps = (seed: number): TraceStep[] => [...generateTrace({ requests: 500, seed })];
  expect(steps(7)).toEqual(steps(7));
  expect(steps(7)).not.toEqual(steps(8));
  expect([...generateTrace({ requests: 3, seed: 1 })].slice(0, 2)).toEqual([
    { op: "allocate", slot: 0, bytes: expect.any(Number) },
    { op: "allocate", slot: 1, bytes: expect.any(Number) },
  ]);
});

test("a generated trace allocates before it releases, releases everything, and has the right peak", () => {
  fc.assert(
    fc.property(
      fc.record({
        requests: fc.integer({ min: 0, max: 400 }),
        seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
        minBytes: fc.integer({ min: 1, max: 300 }),
        meanLifetime: fc.double({ min: 0.01, max: 1000, noNaN: true }),
      }),
      ({ requests, seed, minBytes, meanLifetime }) => {
        const maxBytes = 100_000;
        const trace = generateTrace({ requests, seed, minBytes, maxBytes, meanLifetime });
        const slots = new Map<number, number>();
        let [live, peak, most] = [0, 0, 0];
        for (const step of trace) {
          if (step.op === "allocate") {
            expect(slots.has(step.slot)).toBe(false);
            expect(step.bytes).toBeGreaterThanOrEqual(minBytes);
            expect(step.bytes).toBeLessThanOrEqual(maxBytes);
            slots.set(step.slot, step.bytes);
            live += step.bytes;
          } else {
            live -= slots.get(step.slot) as number;
            expect(slots.delete(step.slot)).toBe(true);
          }
          peak = Math.max(peak, live);
          most = Math.max(most, slots.size);
        }
        expect(slots.size).toBe(0);
        expect([trace.requests, trace.steps]).toEqual([requests, 2 * requests]);
        expect([trace.peakBytes, trace.slots]).toEqual([peak, most]);
      },
    ),
  );
});

test("a generated trace has log-uniform sizes and the requested mean lifetime", () => {
  const requests = 40_000;
  const trace = generateTrace({ requests, seed: 3, meanLifetime: 16 });
  const counting = new CountingAllocator();
  replayTrace(trace, counting);
  // 18 octaves from 2^8 to 2^26 with about equal shares.
  const octaves = counting.sizes.map((bytes) => Math.floor(Math.log2(bytes)));
  for (let octave = 8; octave < 26; octave++) {
    const share = (18 * octaves.filter((one) => one === octave).length) / requests;
    expect(Math.abs(share - 1)).toBeLessThan(0.1);
  }
  let [live, sum] = [0, 0];
  for (const { op } of trace) {
    live += op === "allocate" ? 1 : -1;
    if (op === "allocate") sum += live;
  }
  // Lifetimes are integers of at least 1, so the mean is half a request higher.
  expect(sum / requests).toBeGreaterThan(15);
  expect(sum / requests).toBeLessThan(18);
});

test.each([
  [{}, wrongType("options.requests")],
  [{ requests: 1, seed: 0.5 }, outOfRange("options.seed")],
  [{ requests: 1, minBytes: 10, maxBytes: 9 }, outOfRange("options.maxBytes")],
  [{ requests: 1, meanLifetime: 0 }, outOfRange("options.meanLifetime")],
])("generateTrace rejects %j", (options, error) => {
  expect(() => generateTrace(options as never)).toThrow(error);
});

test("replayTrace follows the trace and counts", () => {
  const trace = generateTrace({ requests: 1000, seed: 5, maxBytes: 10_000 });
  const counted = new StatisticsAdaptor(plain);
  const result = replayTrace(trace, counted);
  const { bytes, allocations } = counted.snapshot();
  expect(bytes.current).toBe(0);
  expect(result).toEqual({
    requests: 1000,
    failures: 0,
    peakBytes: bytes.peak,
    totalBytes: bytes.total,
    totalSize: bytes.total,
    peakCount: allocations.peak,
    duration: expect.any(Number),
  });
  expect(result.peakBytes).toBe(trace.peakBytes);
  expect(result.peakCount).toBe(trace.slots);
});

test("replayTrace counts failed requests, skips their releases and continues", () => {
  const limited = new LimitAdaptor(plain, 20_000);
  const trace = generateTrace({ requests: 500, seed: 2, maxBytes: 10_000 });
  const result = replayTrace(trace, limited);
  expect(result.requests).toBe(500);
  expect(result.failures).toBeGreaterThan(0);
  expect(result.failures).toBeLessThan(500);
  expect(result.peakBytes).toBeLessThanOrEqual(20_000);
  expect(limited.usedBytes).toBe(0);
});

test("replayTrace rethrows other errors and releases its allocations", () => {
  const limited = new LimitAdaptor(
    new ScriptedAllocator((bytes, call) => (call === 50 ? undefined : plain.allocate(bytes))),
    2 ** 40,
  );
  const trace = generateTrace({ requests: 100, maxBytes: 1000 });
  expect(() => replayTrace(trace, limited)).toThrow(errorLike(TypeError, "ERR_CL_BAD_ALLOCATOR"));
  expect(limited.usedBytes).toBe(0);
});

test("replayTrace rejects an allocator that returns nothing", () => {
  const trace = generateTrace({ requests: 1, minBytes: 8, maxBytes: 8 });
  for (const nothing of [undefined, null, 7]) {
    expect(() => replayTrace(trace, { allocate: () => nothing as never })).toThrow(TypeError);
  }
  expect(() => replayTrace(trace, {} as ReplayAllocator)).toThrow(wrongType("allocator"));
});

test("replayTrace reports progress at the requested interval", () => {
  const seen: number[] = [];
  const trace = generateTrace({ requests: 1000 });
  replayTrace(trace, new CountingAllocator(), { progressInterval: 300, onProgress: (requests) => seen.push(requests) });
  expect(seen).toEqual([300, 600, 900]);
  expect(() => replayTrace(trace, plain, { progressInterval: 0 })).toThrow(outOfRange("options.progressInterval"));
});

test("a replayed log has the same counts, including 0 bytes and releases in any order", () => {
  const lines: string[] = [];
  const counted = new StatisticsAdaptor(plain);
  const logged = new LogAdaptor(counted, (line) => lines.push(line));
  const first = replayTrace(generateTrace({ requests: 300, seed: 9, minBytes: 1, maxBytes: 5000 }), logged);
  const counting = new CountingAllocator();
  const second = replayTrace(lines, counting);
  expect({ ...second, duration: 0 }).toEqual({ ...first, duration: 0 });
  // The memory that a truncated log does not release is released, too.
  replayTrace(lines.slice(0, 50), counting);
  expect(counting.live).toBe(0);
});

test("readTrace skips lines that are not requests", () => {
  const trace = parseTrace([
    { op: "begin", version: 1, started: "2026-01-01T00:00:00Z", allocator: "X" },
    "",
    '{"op":"fail","bytes":100,"error":"OutOfMemoryError: full","time":1}\r',
    '{"op":"something new"}',
    '{"op":"allocate","id":1,"bytes":100,"time":2}',
  ]);
  expect([...trace]).toEqual([{ op: "allocate", slot: 0, bytes: 100 }]);
});

test.each([
  ["no JSON", ["{}", "nonsense"], 2],
  ["no object", ["[1]"], 1],
  ["no bytes", ['{"op":"allocate","id":1}'], 1],
  ["negative bytes", ['{"op":"allocate","id":1,"bytes":-1}'], 1],
  ["a duplicate id", Array(2).fill('{"op":"allocate","id":1,"bytes":1}'), 2],
  ["a release of nothing", ['{"op":"release","id":1}'], 1],
])("a log with %s is rejected with the line number", (_, lines, line) => {
  expect(() => parseTrace(lines as string[])).toThrow(`line ${line} of the log`);
});

test("a string is rejected, because it would be iterated by character", () => {
  expect(() => parseTrace("{}")).toThrow(wrongType("lines"));
  expect(() => replayTrace(7 as never, plain)).toThrow(wrongType("lines"));
});

test("readTrace reads files of any length and stops when its signal is aborted", async () => {
  const path = join(folder, "long.jsonl");
  const lines = Array.from({ length: 20_000 }, (_, id) => JSON.stringify({ op: "allocate", id, bytes: id }));
  writeFileSync(path, lines.join("\n"));
  const trace = await readTrace(path);
  expect([trace.requests, trace.slots]).toEqual([20_000, 20_000]);
  expect([...trace].at(-1)).toEqual({ op: "allocate", slot: 19_999, bytes: 19_999 });
  await expect(readTrace(path, { signal: AbortSignal.abort() })).rejects.toThrow(errorLike(Error, "ABORT_ERR"));
  await expect(readTrace(join(folder, "none"))).rejects.toThrow(errorLike(Error, "ENOENT"));
});

test("replayTrace rethrows errors of releases", () => {
  let asked = 0;
  const allocator: ReplayAllocator = {
    allocate: () => {
      if (++asked > 3) throw new OutOfMemoryError("X", 0, "allocate", "full");
      return {
        release: () => {
          throw new Error("not released");
        },
      };
    },
  };
  expect(() => replayTrace(generateTrace({ requests: 10 }), allocator)).toThrow("not released");
});
