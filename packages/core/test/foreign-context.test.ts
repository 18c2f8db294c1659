/** Objects of another context must be rejected before a driver call, because drivers handle them differently. */
import { describe, expect, test } from "vitest";
import { CommandEvent, CommandQueue, Context, DeviceBuffer, Image, ImageFormat, LaunchList, Program } from "@cl/core";

import { needs } from "@cl/base/testing";

const source = "__kernel void set(__global int *x, int value) { x[get_global_id(0)] = value; }";

function createObjects() {
  const context = Context.create();
  const program: Program = new Program(context, source).buildSync();
  const x = DeviceBuffer.from(context, new Int32Array(4));
  return { context, queue: new CommandQueue(context), x, set: program.kernel("set"), program };
}

const { context, queue, x, set } = createObjects();
const foreign = createObjects();
const sizes = { global: 4 };

test.each<[string, () => unknown]>([
  ["a launch of a foreign buffer", () => set.launch(queue, sizes, foreign.x, 1)],
  ["a launch on a foreign queue", () => set.launch(foreign.queue, sizes, x, 1)],
  ["setArg with a foreign buffer", () => set.setArg(0, foreign.x)],
  ["setArgs with a foreign buffer", () => set.setArgs(foreign.x, 1)],
  ["a bound kernel with a foreign buffer", () => set.bind(sizes, foreign.x, 1)],
  ["a bound kernel on a foreign queue", () => set.bind(sizes, x, 1).launch(foreign.queue)],
  ["a list with a foreign buffer", () => new LaunchList(context).pushFill(foreign.x, 1)],
  ["a list with a copy from a foreign buffer", () => new LaunchList(context).pushCopy(x, foreign.x)],
  ["a list on a foreign queue", () => new LaunchList(context).pushFill(x, 1).launch(foreign.queue)],
  ["a list with a foreign kernel", () => new LaunchList(context).push(foreign.set.bind(sizes, foreign.x, 1))],
  ["a read of a foreign buffer", () => queue.readSync(foreign.x)],
  ["a write to a foreign buffer", () => queue.writeSync(foreign.x, new Int32Array(4))],
  ["a copy from a foreign buffer", () => queue.enqueueCopy(x, foreign.x)],
  ["a copy to a foreign buffer", () => queue.enqueueCopy(foreign.x, x)],
  ["a rectangular copy to a foreign buffer", () => queue.enqueueCopy(foreign.x, x, { region: [4, 2] })],
  ["a fill of a foreign buffer", () => queue.enqueueFill(foreign.x, 1)],
  ["a map of a foreign buffer", () => queue.mapSync(foreign.x)],
  ["a migration of a foreign buffer", () => queue.enqueueMigrate([x, foreign.x])],
  ["a wait for a foreign event", () => queue.enqueueMarker(foreign.queue.enqueueMarker())],
  ["a barrier for a foreign event", () => queue.enqueueWaitForEvents(foreign.queue.enqueueMarker())],
  ["a read that waits for a foreign event", () => queue.readSync(x, { waitFor: foreign.queue.enqueueMarker() })],
  [
    "a link of a foreign program",
    () => Program.linkSync(context, [new Program(foreign.context, source).compileSync()]),
  ],
  ["the address of a foreign buffer", () => DeviceBuffer.fromPointer(context, foreign.x.pointer)],
  ["the address of a foreign queue", () => CommandQueue.fromPointer(context, foreign.queue.pointer)],
  ["the address of a foreign event", () => CommandEvent.fromPointer(context, foreign.queue.enqueueMarker().pointer)],
  ["the address of a foreign program", () => Program.fromPointer(context, foreign.program.pointer)],
])("%s is rejected", (_, call) => {
  expect(call).toThrow(TypeError);
  expect(call).toThrow(/context/);
});

describe("images", () => {
  const format = new ImageFormat("RGBA", "UNSIGNED_INT8");

  test.for<[string, (mine: Image, other: Image) => unknown]>([
    ["a read of a foreign image", (_, other) => queue.readSync(other)],
    ["a write to a foreign image", (_, other) => queue.writeSync(other, new Uint8Array(64))],
    ["a copy from a foreign image", (mine, other) => queue.enqueueCopy(mine, other)],
    ["a copy to a foreign image", (mine, other) => queue.enqueueCopy(other, mine)],
    ["a copy of a foreign image into a buffer", (_, other) => queue.enqueueCopy(x, other, { region: [1] })],
    ["a copy of a foreign buffer into an image", (mine) => queue.enqueueCopy(mine, foreign.x, { region: [1] })],
    ["a fill of a foreign image", (_, other) => queue.enqueueFill(other, [1, 1, 1, 1])],
    ["a map of a foreign image", (_, other) => queue.mapSync(other)],
    ["the address of a foreign image", (_, other) => Image.fromPointer(context, other.pointer)],
    ["an image over a foreign buffer", () => new Image(context, { format, shape: [1], buffer: foreign.x })],
  ])("%s is rejected", ([, act], run) => {
    needs(run, queue.device.imageSupport, `'${queue.device.name}' has no images`);
    const [mine, other] = [Image.empty(context, format, [4, 4]), Image.empty(foreign.context, format, [4, 4])];
    expect(() => act(mine, other)).toThrow(TypeError);
    expect(() => act(mine, other)).toThrow(/context/);
  });
});

test("asynchronous calls with foreign objects reject, and the queue still works", async () => {
  await expect(queue.read(foreign.x)).rejects.toThrow(TypeError);
  await expect(queue.write(foreign.x, new Int32Array(4))).rejects.toThrow(TypeError);
  await expect(queue.map(foreign.x)).rejects.toThrow(TypeError);
  set.launch(queue, sizes, x, 9);
  foreign.set.launch(foreign.queue, sizes, foreign.x, 8);
  expect(await queue.read(x)).toEqual(Int32Array.of(9, 9, 9, 9));
  expect(await foreign.queue.read(foreign.x)).toEqual(Int32Array.of(8, 8, 8, 8));
});
