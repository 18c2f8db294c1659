/** Objects of another context are refused before a driver sees them; drivers differ in what they do then. */
import { expect, test } from "vitest";
import { CommandEvent, CommandQueue, Context, DeviceBuffer, Image, ImageFormat, LaunchList, Program } from "@cl/core";

import { needs } from "@cl/base/testing";

const source = "__kernel void set(__global int *x, int value) { x[get_global_id(0)] = value; }";

function world(): { context: Context; queue: CommandQueue; x: DeviceBuffer<Int32Array>; program: Program } {
  const context = Context.create();
  const program = new Program(context, source).buildSync() as Program;
  return { context, queue: new CommandQueue(context), x: DeviceBuffer.from(context, new Int32Array(4)), program };
}

const ours = world();
const theirs = world();
const stranger = /another context|of the same context|in this context|list.s context|context that/;

const cases: readonly (readonly [string, () => unknown])[] = [
  ["a launch of their buffer", () => ours.program.kernel("set").launch(ours.queue, { global: 4 }, theirs.x, 1)],
  ["a launch on their queue", () => ours.program.kernel("set").launch(theirs.queue, { global: 4 }, ours.x, 1)],
  ["setArg with their buffer", () => ours.program.kernel("set").setArg(0, theirs.x)],
  ["a bound kernel with their buffer", () => ours.program.kernel("set").bind({ global: 4 }, theirs.x, 1)],
  [
    "a bound kernel on their queue",
    () => ours.program.kernel("set").bind({ global: 4 }, ours.x, 1).launch(theirs.queue),
  ],
  ["a list with their buffer", () => new LaunchList(ours.context).pushFill(theirs.x, 1)],
  ["a list with copies from theirs", () => new LaunchList(ours.context).pushCopy(ours.x, theirs.x)],
  ["a list on their queue", () => new LaunchList(ours.context).pushFill(ours.x, 1).launch(theirs.queue)],
  [
    "a list with their bound kernel",
    () => new LaunchList(ours.context).push(theirs.program.kernel("set").bind({ global: 4 }, theirs.x, 1)),
  ],
  ["a read of their buffer", () => ours.queue.readSync(theirs.x)],
  ["a write to their buffer", () => ours.queue.writeSync(theirs.x, new Int32Array(4))],
  ["a copy from their buffer", () => ours.queue.enqueueCopy(ours.x, theirs.x)],
  ["a copy to their buffer", () => ours.queue.enqueueCopy(theirs.x, ours.x)],
  ["a box to their buffer", () => ours.queue.enqueueCopy(theirs.x, ours.x, { region: [4, 2] })],
  ["a fill of their buffer", () => ours.queue.enqueueFill(theirs.x, 1)],
  ["a map of their buffer", () => ours.queue.mapSync(theirs.x)],
  ["a migration of their buffer", () => ours.queue.enqueueMigrate([ours.x, theirs.x])],
  ["a wait for their event", () => ours.queue.enqueueMarker(theirs.queue.enqueueMarker())],
  ["a barrier for their event", () => ours.queue.enqueueWaitForEvents(theirs.queue.enqueueMarker())],
  ["a read that waits for their event", () => ours.queue.readSync(ours.x, { waitFor: theirs.queue.enqueueMarker() })],
  [
    "a link of their program",
    () => Program.linkSync(ours.context, [new Program(theirs.context, source).compileSync()]),
  ],
  ["their buffer's address", () => DeviceBuffer.fromPointer(ours.context, theirs.x.pointer)],
  ["their queue's address", () => CommandQueue.fromPointer(ours.context, theirs.queue.pointer)],
  ["their event's address", () => CommandEvent.fromPointer(ours.context, theirs.queue.enqueueMarker().pointer)],
  ["their program's address", () => Program.fromPointer(ours.context, theirs.program.pointer)],
];

test.each(cases)("%s is refused", (_, run) => {
  expect(run).toThrow(stranger);
  expect(run).toThrow(TypeError);
});

const imageCases: readonly (readonly [string, (mine: Image, other: Image) => unknown])[] = [
  ["a read of their image", (_, other) => ours.queue.readSync(other)],
  ["a write to their image", (_, other) => ours.queue.writeSync(other, new Uint8Array(64))],
  ["a copy from their image", (mine, other) => ours.queue.enqueueCopy(mine, other)],
  ["a copy to their image", (mine, other) => ours.queue.enqueueCopy(other, mine)],
  ["a copy of their image into our buffer", (_, other) => ours.queue.enqueueCopy(ours.x, other, { region: [1] })],
  ["a copy of their buffer into our image", (mine) => ours.queue.enqueueCopy(mine, theirs.x, { region: [1] })],
  ["a fill of their image", (_, other) => ours.queue.enqueueFill(other, [1, 1, 1, 1])],
  ["a map of their image", (_, other) => ours.queue.mapSync(other)],
  ["their image's address", (_, other) => Image.fromPointer(ours.context, other.pointer)],
  [
    "an image over their buffer",
    (mine) => new Image(ours.context, { format: mine.format, shape: [1], buffer: theirs.x }),
  ],
];

test.for(imageCases)("%s is refused", ([, act], run) => {
  needs(run, ours.queue.device.imageSupport, `'${ours.queue.device.name}' has no images`);
  const format = new ImageFormat("RGBA", "UNSIGNED_INT8");
  const [mine, other] = [Image.empty(ours.context, format, [4, 4]), Image.empty(theirs.context, format, [4, 4])];
  expect(() => act(mine, other)).toThrow(stranger);
  expect(() => act(mine, other)).toThrow(TypeError);
});

test("asynchronous calls refuse them, too, and everything still works afterwards", async () => {
  await expect(ours.queue.read(theirs.x)).rejects.toThrow(stranger);
  await expect(ours.queue.write(theirs.x, new Int32Array(4))).rejects.toThrow(stranger);
  await expect(ours.queue.map(theirs.x)).rejects.toThrow(stranger);
  ours.program.kernel("set").launch(ours.queue, { global: 4 }, ours.x, 9);
  theirs.program.kernel("set").launch(theirs.queue, { global: 4 }, theirs.x, 8);
  expect(await ours.queue.read(ours.x)).toEqual(Int32Array.of(9, 9, 9, 9));
  expect(await theirs.queue.read(theirs.x)).toEqual(Int32Array.of(8, 8, 8, 8));
});
