import { checkTrace, commandKinds, type Trace } from "@cl/trace";

import { describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";

describe("checkTrace", () => {
  test("returns a valid trace, also after conversion to JSON", () => {
    const trace = sampleTrace();
    expect(checkTrace(trace)).toBe(trace);
    const copy: unknown = JSON.parse(JSON.stringify(trace));
    expect(checkTrace(copy)).toEqual(trace);
  });

  test.each<[change: Partial<Record<keyof Trace, unknown>>, sentence: Error | string]>([
    [{ version: 2 }, outOfRange("trace.version")],
    [{ started: "yesterday" }, outOfRange("trace.started")],
    [{ started: 5 }, wrongType("trace.started")],
    [{ origin: "0" }, wrongType("trace.origin")],
    [{ dropped: -1 }, outOfRange("trace.dropped")],
    [{ queues: {} }, wrongType("trace.queues")],
    [{ queues: [null] }, wrongType("trace.queues[0]")],
    [{ queues: [queue({ id: "a" })] }, wrongType("trace.queues[0].id")],
    [{ queues: [queue({}), queue({})] }, wrongValue("trace.queues[1].id")],
    [{ queues: [queue({ outOfOrder: 1 })] }, wrongType("trace.queues[0].outOfOrder")],
    [{ commands: undefined }, wrongType("trace.commands")],
    [{ commands: [one({ name: 1 })] }, wrongType("trace.commands[0].name")],
    [{ commands: [one({}), one({ kind: "cook" })] }, outOfRange("trace.commands[1].kind")],
    [{ commands: [one({ queue: 4 })] }, outOfRange("trace.commands[0].queue")],
    [{ commands: [one({ queued: null })] }, wrongType("trace.commands[0].queued")],
    [{ commands: [one({ submitted: Number.NaN })] }, outOfRange("trace.commands[0].submitted")],
    [{ commands: [one({ ended: 1 })] }, outOfRange("trace.commands[0].ended")],
    [{ commands: [one({ global: [1.5] })] }, outOfRange("trace.commands[0].global")],
    [{ commands: [one({ local: 5 })] }, wrongType("trace.commands[0].local")],
    [{ commands: [one({ bytes: -5 })] }, outOfRange("trace.commands[0].bytes")],
    [{ commands: [one({ failed: true })] }, wrongType("trace.commands[0].failed")],
    [{ commands: [one({ waitsFor: [0] })] }, outOfRange("trace.commands[0].waitsFor")],
    [{ commands: [one({ waitsFor: [1] })] }, outOfRange("trace.commands[0].waitsFor")],
    [{ commands: [one({ launcher: {} })] }, wrongType("trace.commands[0].launcher")],
    [{ hostSpans: [{ name: "x", started: 4, ended: 3 }] }, outOfRange("trace.hostSpans[0].ended")],
    [{ hostSpans: [{ name: "x", started: 4, ended: 5, thread: 1 }] }, wrongType("trace.hostSpans[0].thread")],
    [{ memory: [{ time: 1, bytes: 0.5, label: "" }] }, outOfRange("trace.memory[0].bytes")],
    [{ memory: [{ time: 1, bytes: 1 }] }, wrongType("trace.memory[0].label")],
  ])("rejects %j", (change, sentence) => {
    expect(() => checkTrace({ ...sampleTrace(), ...change })).toThrow(sentence);
  });

  test("accepts every kind of command, and rejects values that are not traces", () => {
    expect(() => checkTrace({ ...sampleTrace(), commands: commandKinds.map((kind) => one({ kind })) })).not.toThrow();
    expect(() => checkTrace([])).toThrow(wrongType("trace"));
    expect(() => checkTrace(undefined, "the file")).toThrow(wrongType());
  });
});

function queue(change: object): object {
  return { id: 0, label: "", device: "", outOfOrder: false, ...change };
}

function one(change: object): object {
  return { name: "k", kind: "kernel", queue: 0, queued: 0, submitted: 1, started: 2, ended: 3, ...change };
}
