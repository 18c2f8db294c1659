/** Objects of another context must be rejected before a driver call, because drivers handle them differently. */
import { expect, test } from "vitest";
import { CommandEvent, CommandQueue, Context, DeviceBuffer, Image, ImageFormat, LaunchList, Program } from "@cl/core";

import { needs } from "@cl/base/testing";

const source = "__kernel void set(__global int *x, int value) { x[get_global_id(0)] = value; }";

function createObjects(): { context: Context; queue: CommandQueue; x: DeviceBuffer<Int32Array>; program: Program } {
  const context = Context.create();
  const program = new Program(context, source).buildSync() as Program;
  return { context, queue: new CommandQueue(context), x: DeviceBuffer.from(context, new Int32Array(4)), program };
}

const local = createObjects();
const foreign = createObjects();
const otherContext = /another context|of the same context|in this context|list.s context|context that/;

const cases: readonly (readonly [string, () => unknown])[] = [
  ["a launch of a foreign buffer", () => local.program.kernel("set").launch(local.queue, { global: 4 }, foreign.x, 1)],
  ["a launch on a foreign queue", () => local.program.kernel("set").launch(foreign.queue, { global: 4 }, local.x, 1)],
  ["setArg with a foreign buffer", () => local.program.kernel("set").setArg(0, foreign.x)],
  ["a bound kernel with a foreign buffer", () => local.program.kernel("set").bind({ global: 4 }, foreign.x, 1)],
  [
    "a bound kernel on a foreign queue",
    () => local.program.kernel("set").bind({ global: 4 }, local.x, 1).launch(foreign.queue),
  ],
  ["a list with a foreign buffer", () => new LaunchList(local.context).pushFill(foreign.x, 1)],
  ["a list with a copy from a foreign buffer", () => new LaunchList(local.context).pushCopy(local.x, foreign.x)],
  ["a list on a foreign queue", () => new LaunchList(local.context).pushFill(local.x, 1).launch(foreign.queue)],
  [
    "a list with a foreign bound kernel",
    () => new LaunchList(local.context).push(foreign.program.kernel("set").bind({ global: 4 }, foreign.x, 1)),
  ],
  ["a read of a foreign buffer", () => local.queue.readSync(foreign.x)],
  ["a write to a foreign buffer", () => local.queue.writeSync(foreign.x, new Int32Array(4))],
  ["a copy from a foreign buffer", () => local.queue.enqueueCopy(local.x, foreign.x)],
  ["a copy to a foreign buffer", () => local.queue.enqueueCopy(foreign.x, local.x)],
  ["a rectangular copy to a foreign buffer", () => local.queue.enqueueCopy(foreign.x, local.x, { region: [4, 2] })],
  ["a fill of a foreign buffer", () => local.queue.enqueueFill(foreign.x, 1)],
  ["a map of a foreign buffer", () => local.queue.mapSync(foreign.x)],
  ["a migration of a foreign buffer", () => local.queue.enqueueMigrate([local.x, foreign.x])],
  ["a wait for a foreign event", () => local.queue.enqueueMarker(foreign.queue.enqueueMarker())],
  ["a barrier for a foreign event", () => local.queue.enqueueWaitForEvents(foreign.queue.enqueueMarker())],
  [
    "a read that waits for a foreign event",
    () => local.queue.readSync(local.x, { waitFor: foreign.queue.enqueueMarker() }),
  ],
  [
    "a link of a foreign program",
    () => Program.linkSync(local.context, [new Program(foreign.context, source).compileSync()]),
  ],
  ["the address of a foreign buffer", () => DeviceBuffer.fromPointer(local.context, foreign.x.pointer)],
  ["the address of a foreign queue", () => CommandQueue.fromPointer(local.context, foreign.queue.pointer)],
  [
    "the address of a foreign event",
    () => CommandEvent.fromPointer(local.context, foreign.queue.enqueueMarker().pointer),
  ],
  ["the address of a foreign program", () => Program.fromPointer(local.context, foreign.program.pointer)],
];

test.each(cases)("%s is rejected", (_, run) => {
  expect(run).toThrow(otherContext);
  expect(run).toThrow(TypeError);
});

const imageCases: readonly (readonly [string, (mine: Image, other: Image) => unknown])[] = [
  ["a read of a foreign image", (_, other) => local.queue.readSync(other)],
  ["a write to a foreign image", (_, other) => local.queue.writeSync(other, new Uint8Array(64))],
  ["a copy from a foreign image", (mine, other) => local.queue.enqueueCopy(mine, other)],
  ["a copy to a foreign image", (mine, other) => local.queue.enqueueCopy(other, mine)],
  [
    "a copy of a foreign image into a local buffer",
    (_, other) => local.queue.enqueueCopy(local.x, other, { region: [1] }),
  ],
  [
    "a copy of a foreign buffer into a local image",
    (mine) => local.queue.enqueueCopy(mine, foreign.x, { region: [1] }),
  ],
  ["a fill of a foreign image", (_, other) => local.queue.enqueueFill(other, [1, 1, 1, 1])],
  ["a map of a foreign image", (_, other) => local.queue.mapSync(other)],
  ["the address of a foreign image", (_, other) => Image.fromPointer(local.context, other.pointer)],
  [
    "an image over a foreign buffer",
    (mine) => new Image(local.context, { format: mine.format, shape: [1], buffer: foreign.x }),
  ],
];

test.for(imageCases)("%s is rejected", ([, act], run) => {
  needs(run, local.queue.device.imageSupport, `'${local.queue.device.name}' has no images`);
  const format = new ImageFormat("RGBA", "UNSIGNED_INT8");
  const [mine, other] = [Image.empty(local.context, format, [4, 4]), Image.empty(foreign.context, format, [4, 4])];
  expect(() => act(mine, other)).toThrow(otherContext);
  expect(() => act(mine, other)).toThrow(TypeError);
});

test("asynchronous calls with foreign objects reject, and the queue still works", async () => {
  await expect(local.queue.read(foreign.x)).rejects.toThrow(otherContext);
  await expect(local.queue.write(foreign.x, new Int32Array(4))).rejects.toThrow(otherContext);
  await expect(local.queue.map(foreign.x)).rejects.toThrow(otherContext);
  local.program.kernel("set").launch(local.queue, { global: 4 }, local.x, 9);
  foreign.program.kernel("set").launch(foreign.queue, { global: 4 }, foreign.x, 8);
  expect(await local.queue.read(local.x)).toEqual(Int32Array.of(9, 9, 9, 9));
  expect(await foreign.queue.read(foreign.x)).toEqual(Int32Array.of(8, 8, 8, 8));
});
