import { checkTrace, commandKinds, type Trace } from "@cl/trace";
import { errorLike } from "@cl/testing/error-like";

import { describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";

describe("checkTrace", () => {
  test("returns a valid trace, also after conversion to JSON", () => {
    const trace = sampleTrace();
    expect(checkTrace(trace)).toBe(trace);
    const copy: unknown = JSON.parse(JSON.stringify(trace));
    expect(checkTrace(copy)).toEqual(trace);
  });

  test.each<[change: Partial<Record<keyof Trace, unknown>>, sentence: Error | string]>([
    [{ version: 2 }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.version")],
    [{ started: "yesterday" }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.started")],
    [{ started: 5 }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.started")],
    [{ origin: "0" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.origin")],
    [{ dropped: -1 }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.dropped")],
    [{ queues: {} }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.queues")],
    [{ queues: [null] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.queues[0]")],
    [{ queues: [queue({ id: "a" })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.queues[0].id")],
    [{ queues: [queue({}), queue({})] }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "trace.queues[1].id")],
    [
      { queues: [queue({ outOfOrder: 1 })] },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.queues[0].outOfOrder"),
    ],
    [{ commands: undefined }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands")],
    [{ commands: [one({ name: 1 })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands[0].name")],
    [
      { commands: [one({}), one({ kind: "cook" })] },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[1].kind"),
    ],
    [{ commands: [one({ queue: 4 })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].queue")],
    [{ commands: [one({ queued: null })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands[0].queued")],
    [
      { commands: [one({ submitted: Number.NaN })] },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].submitted"),
    ],
    [{ commands: [one({ ended: 1 })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].ended")],
    [{ commands: [one({ global: [1.5] })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].global")],
    [{ commands: [one({ local: 5 })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands[0].local")],
    [{ commands: [one({ bytes: -5 })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].bytes")],
    [{ commands: [one({ failed: true })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands[0].failed")],
    [{ commands: [one({ waitsFor: [0] })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].waitsFor")],
    [{ commands: [one({ waitsFor: [1] })] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.commands[0].waitsFor")],
    [{ commands: [one({ launcher: {} })] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.commands[0].launcher")],
    [
      { hostSpans: [{ name: "x", started: 4, ended: 3 }] },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.hostSpans[0].ended"),
    ],
    [
      { hostSpans: [{ name: "x", started: 4, ended: 5, thread: 1 }] },
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.hostSpans[0].thread"),
    ],
    [
      { memory: [{ time: 1, bytes: 0.5, label: "" }] },
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "trace.memory[0].bytes"),
    ],
    [{ memory: [{ time: 1, bytes: 1 }] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace.memory[0].label")],
  ])("rejects %j", (change, sentence) => {
    expect(() => checkTrace({ ...sampleTrace(), ...change })).toThrow(sentence);
  });

  test("accepts every kind of command, and rejects values that are not traces", () => {
    expect(() => checkTrace({ ...sampleTrace(), commands: commandKinds.map((kind) => one({ kind })) })).not.toThrow();
    expect(() => checkTrace([])).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "trace"));
    expect(() => checkTrace(undefined, "the file")).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  });
});

function queue(change: object): object {
  return { id: 0, label: "", device: "", outOfOrder: false, ...change };
}

function one(change: object): object {
  return { name: "k", kind: "kernel", queue: 0, queued: 0, submitted: 1, started: 2, ended: 3, ...change };
}
