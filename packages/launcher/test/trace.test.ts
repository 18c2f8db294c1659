import { checkTrace, commandKinds, type Trace } from "@cl/launcher";

import { describe, expect, test } from "vitest";

import { sampleTrace } from "./support/sample-trace.js";

describe("checkTrace", () => {
  test("returns the trace itself, also after a way through JSON", () => {
    const trace = sampleTrace();
    expect(checkTrace(trace)).toBe(trace);
    const copy: unknown = JSON.parse(JSON.stringify(trace));
    expect(checkTrace(copy)).toEqual(trace);
  });

  test.each<[change: Partial<Record<keyof Trace, unknown>>, sentence: string]>([
    [{ version: 2 }, "trace.version must be 1"],
    [{ started: "yesterday" }, "trace.started must be a date"],
    [{ started: 5 }, "trace.started must be a string"],
    [{ origin: "0" }, "trace.origin must be a time in nanoseconds, but string '0' came"],
    [{ dropped: -1 }, "trace.dropped must be an integer of at least 0"],
    [{ queues: {} }, "trace.queues must be an array"],
    [{ queues: [null] }, "trace.queues[0] must be an object, but null came"],
    [{ queues: [queue({ id: "a" })] }, "trace.queues[0].id must be an integer"],
    [{ queues: [queue({}), queue({})] }, "trace.queues[1].id is 0, as that of a queue before it"],
    [{ queues: [queue({ outOfOrder: 1 })] }, "trace.queues[0].outOfOrder must be true or false"],
    [{ commands: undefined }, "trace.commands must be an array"],
    [{ commands: [one({ name: 1 })] }, "trace.commands[0].name must be a string"],
    [{ commands: [one({}), one({ kind: "cook" })] }, "trace.commands[1].kind must be one of kernel, copy"],
    [{ commands: [one({ queue: 4 })] }, "trace.commands[0].queue must be the id of one of the trace's queues"],
    [{ commands: [one({ queued: null })] }, "trace.commands[0].queued must be a time in nanoseconds, but null came"],
    [{ commands: [one({ submitted: Number.NaN })] }, "trace.commands[0].submitted must be a time"],
    [{ commands: [one({ ended: 1 })] }, "trace.commands[0].ended must be at least 2, its beginning"],
    [{ commands: [one({ global: [1.5] })] }, "trace.commands[0].global must be an integer"],
    [{ commands: [one({ local: 5 })] }, "trace.commands[0].local must be an array"],
    [{ commands: [one({ bytes: -5 })] }, "trace.commands[0].bytes must be an integer of at least 0"],
    [{ commands: [one({ failed: true })] }, "trace.commands[0].failed must be a string"],
    [{ commands: [one({ waitsFor: [0] })] }, "trace.commands[0].waitsFor must be places of other commands"],
    [{ commands: [one({ waitsFor: [1] })] }, "of which there are 1, but number 1 came"],
    [{ commands: [one({ launcher: {} })] }, "trace.commands[0].launcher must be a string"],
    [{ hostSpans: [{ name: "x", started: 4, ended: 3 }] }, "trace.hostSpans[0].ended must be at least 4"],
    [{ hostSpans: [{ name: "x", started: 4, ended: 5, thread: 1 }] }, "trace.hostSpans[0].thread must be a string"],
    [{ memory: [{ time: 1, bytes: 0.5, label: "" }] }, "trace.memory[0].bytes must be an integer"],
    [{ memory: [{ time: 1, bytes: 1 }] }, "trace.memory[0].label must be a string"],
  ])("refuses %j", (change, sentence) => {
    expect(() => checkTrace({ ...sampleTrace(), ...change })).toThrow(sentence);
  });

  test("takes every kind of command, and refuses what is no object", () => {
    expect(() => checkTrace({ ...sampleTrace(), commands: commandKinds.map((kind) => one({ kind })) })).not.toThrow();
    expect(() => checkTrace([])).toThrow("trace must be an object");
    expect(() => checkTrace(undefined, "the file")).toThrow("the file must be an object, but undefined came");
  });
});

function queue(change: object): object {
  return { id: 0, label: "", device: "", outOfOrder: false, ...change };
}

function one(change: object): object {
  return { name: "k", kind: "kernel", queue: 0, queued: 0, submitted: 1, started: 2, ended: 3, ...change };
}
