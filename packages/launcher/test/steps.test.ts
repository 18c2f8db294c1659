import { OpenCLError, DeviceBuffer } from "@cl/core";
import { CopyLauncher, FillLauncher, HostLauncher, ListLauncher } from "@cl/launcher";

import { describe, expect, test } from "vitest";

import { turns } from "@cl/base/testing";
import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, ints, needsUserEvents, queue, read } from "./support/device.js";

describe("a copy", () => {
  test("between the host and a buffer reads host memory when it runs", async () => {
    const [x, host] = [ints(0, 0), Int32Array.of(1, 2)];
    const up = new CopyLauncher("up", { source: host, target: x, queue });
    expect([up.name, up.globalSizeConfigured, up.parameters.size]).toEqual(["up", true, 0]);
    up.launch();
    await up.enqueue().wait();
    expect(await read(x)).toEqual([1, 2]);
    host.set([3, 4]);
    await up.enqueue().wait();
    const down = new Int32Array(2);
    await new CopyLauncher("down", { source: x, target: down }).enqueue(queue).wait();
    expect([...down]).toEqual([3, 4]);
  });

  test("accepts offsets and a length in bytes in each direction", async (run) => {
    needsUserEvents(run);
    const [x, y] = [ints(1, 2, 3, 4), ints(0, 0, 0, 0)];
    const [from, to] = [Int32Array.of(5, 6, 7, 8), new Int32Array(4)];
    const range = { sourceOffset: 4, targetOffset: 8, bytes: 8 };
    const list = new ListLauncher("copies")
      .pushCopyDeviceToDevice("d2d", x, y, range)
      .pushCopyDeviceToHost("d2h", y, to, { sourceOffset: 8, targetOffset: 0, bytes: 4 })
      .pushCopyHostToDevice("h2d", from, x, range)
      .pushCopyHostToHost("h2h", from, to, { sourceOffset: 12, targetOffset: 12, bytes: 4 })
      .pushCopy("any", x, y, { sourceOffset: 8, targetOffset: 0, bytes: 4 });
    expect(list.length).toBe(5);
    await list.enqueue(queue).wait();
    expect(await read(x)).toEqual([1, 2, 6, 7]);
    expect(await read(y)).toEqual([6, 0, 2, 3]);
    expect([...to]).toEqual([2, 0, 0, 8]);
  });

  const x = ints(1, 2);
  const host = new Int32Array(2);
  test.each<[string, unknown, Error]>([
    ["a source of a wrong type", { source: [1], target: x }, wrongType("source")],
    ["no target", { source: x }, wrongType("target")],
    ["ends of different sizes", { source: new Int32Array(3), target: x }, outOfRange()],
    ["more bytes than the source has", { source: x, target: host, bytes: 12 }, outOfRange("options.bytes")],
    ["an offset beyond the end", { source: x, target: host, sourceOffset: 9 }, outOfRange("options.sourceOffset")],
    ["an unknown option", { source: x, target: host, offset: 4 }, outOfRange("options")],
    ["a box on the host", { source: host, target: host, region: [4, 1] }, wrongValue("options.region")],
  ])("rejects %s", (_, options, message) => {
    expect((): unknown => Reflect.construct(CopyLauncher, ["c", options])).toThrow(message);
  });

  test("is rejected by the push method of another direction", () => {
    const list = new ListLauncher("step");
    const pushes: (() => unknown)[] = [
      () => list.pushCopyHostToDevice("p", x, host),
      () => list.pushCopyDeviceToHost("p", host, x),
      () => list.pushCopyDeviceToDevice("p", host, x),
      () => list.pushCopyHostToHost("p", x, x),
    ];
    for (const push of pushes) expect(push).toThrow(outOfRange());
    expect(list.length).toBe(0);
  });
});

describe("a fill", () => {
  test("repeats a copy of its pattern over a buffer or a part of it", async () => {
    const x = ints(1, 2, 3, 4);
    const pattern = Int32Array.of(7);
    const part = new FillLauncher("part", { target: x, pattern, offset: 4, bytes: 8 });
    pattern[0] = 8;
    part.launch(queue);
    expect(await read(x)).toEqual([1, 7, 7, 4]);
    await new FillLauncher("whole", { target: x, pattern: -1 }).enqueue(queue).wait();
    expect(await read(x)).toEqual([-1, -1, -1, -1]);
  });

  const x = ints(1, 2);
  test.each<[string, unknown, Error]>([
    ["a target that is not a buffer", { target: new Int32Array(1), pattern: 0 }, wrongType("options.target")],
    ["a pattern that the elements cannot hold", { target: x, pattern: 0.5 }, outOfRange("pattern")],
    ["a number for an untyped buffer", { target: new DeviceBuffer(context, 8), pattern: 1 }, wrongType("pattern")],
    ["a part beyond the end", { target: x, pattern: 0, offset: 4, bytes: 8 }, outOfRange("options.bytes")],
  ])("rejects %s", (_, options, message) => {
    expect((): unknown => Reflect.construct(FillLauncher, ["f", options])).toThrow(message);
  });
});

describe("a host step", () => {
  test("runs in queue order with the values of its launch", async (run) => {
    needsUserEvents(run);
    const seen: unknown[] = [];
    const step = new HostLauncher("note", (values) => void seen.push(values), {
      parameters: { t: "number", name: "string", any: "any" },
      queue,
    });
    expect(step.globalSizeConfigured).toBe(true);
    expect(step.parameters.get("t")).toEqual({ type: "number", launchers: ["note"] });
    step.launch(undefined, { t: 1, name: "a", any: null });
    const event = step.enqueue(undefined, { t: 2, name: "b", any: step });
    expect(seen).toEqual([]);
    await event.wait();
    expect(seen).toEqual([
      { t: 1, name: "a", any: null },
      { t: 2, name: "b", any: step },
    ]);
  });

  test("delays later members until its promise settles, and reports its error", async (run) => {
    needsUserEvents(run);
    const order: string[] = [];
    const slow = new HostLauncher("slow", async () => {
      await turns();
      order.push("slow");
    });
    const fast = new HostLauncher("fast", () => order.push("fast"));
    await new ListLauncher("both").push(slow, fast).enqueue(queue).wait();
    expect(order).toEqual(["slow", "fast"]);
    const bad = new HostLauncher("bad", () => Promise.reject(new RangeError("no")));
    await expect(bad.enqueue(queue).wait()).rejects.toMatchObject({
      code: "ERR_CL_HOST_FUNCTION",
      cause: new RangeError("no"),
    });
  });

  test("that is aborted before it runs is not called", async (run) => {
    needsUserEvents(run);
    const stop = new AbortController();
    let called = false;
    const step = new HostLauncher("step", () => (called = true), { signal: stop.signal });
    const event = step.enqueue(queue);
    stop.abort();
    await expect(event.wait()).rejects.toThrow(errorLike(OpenCLError, "ERR_CL_HOST_FUNCTION"));
    expect(called).toBe(false);
  });

  test.each<[string, unknown[], Error]>([
    ["a value that is not a function", ["h", 7], wrongType("run")],
    ["an unknown type", ["h", () => 0, { parameters: { t: "float" } }], wrongType("options.parameters.t")],
    ["an invalid signal", ["h", () => 0, { signal: 7 }], wrongType("signal")],
  ])("rejects %s", (_, args, message) => {
    expect((): unknown => Reflect.construct(HostLauncher, args)).toThrow(message);
  });
});
