/** Objects that imitate a class, and replaced built-ins, must cause errors or correct results, never a crash. */
import assert from "node:assert/strict";
import { writeSync } from "node:fs";

import {
  CommandQueue,
  Context,
  ContextProperties,
  DeviceBuffer,
  DisposedError,
  Image,
  ImageFormat,
  Kernel,
  LaunchList,
  LocalMemory,
  Program,
  profilingTimes,
} from "@cl/core";

import { Environment } from "../bad-input/environment.mjs";
import { errorOf } from "./outcome.mjs";

let made = 0;
async function fails(name, run, pattern) {
  made++;
  writeSync(1, `${name}\n`);
  const error = await errorOf(run);
  assert.ok(error instanceof TypeError || error instanceof RangeError, `${name}: ${error?.stack}`);
  if (pattern !== undefined) assert.match(error.message, pattern, name);
}

const e = new Environment();
const { context, queue, kernel, buffer } = e;

// Objects of one class with the prototype of another.
const masked = DeviceBuffer.from(context, new Float32Array(4));
Object.setPrototypeOf(masked, CommandQueue.prototype);
await fails("a buffer as a queue", () => kernel.launch(masked, { global: 4 }, buffer, 1, 4));
await fails("a buffer as a queue, in a method", () => CommandQueue.prototype.finishSync.call(masked), /queue/);
const maskedQueue = new CommandQueue(context);
Object.setPrototypeOf(maskedQueue, DeviceBuffer.prototype);
await fails("a queue as a buffer", () => kernel.launch(queue, { global: 4 }, maskedQueue, 1, 4));
await fails("a queue as the buffer of a list", () => new LaunchList(context).pushFill(maskedQueue, 1));
await fails("a hollow kernel", () => Object.create(Kernel.prototype).launch(queue, { global: 4 }));
await fails("a stolen release", () => DeviceBuffer.prototype.release.call({}));

// Subclasses can override properties.
class Named extends DeviceBuffer {
  get size() {
    return 2 ** 40;
  }
}
const liar = new Named(context, 16);
await fails("reading a buffer with a wrong size", () => queue.readSync(liar, Uint8Array));
await errorOf(() => queue.writeSync(liar, new Uint8Array(1024)));
await errorOf(() => queue.copySync(new Uint8Array(4096), liar, { region: [64, 64] }));
made += 3;

// Arrays with wrong lengths are among the values of test/support/bad-input.
if (e.device.imageSupport) {
  const format = new ImageFormat("RGBA", "UNSIGNED_INT8");
  class Wide extends Image {
    get elementSize() {
      return 1;
    }
    get shape() {
      return [2 ** 20];
    }
    get format() {
      return { channelType: 0, arrayType: Uint8Array, toString: () => "x" };
    }
  }
  const wide = new Wide(context, { format, shape: [4, 4] });
  await fails("reading an image with wrong properties", () => queue.readSync(wide));
  await errorOf(() => queue.readSync(wide, { into: new Uint8Array(16) }));
  await errorOf(() => queue.mapSync(wide).toArray());
  await errorOf(() => queue.enqueueFill(wide, [1, 2, 3, 4]));
  await errorOf(() => queue.enqueueCopy(new DeviceBuffer(context, 16), wide));
  made += 4;
}
class Times extends BigInt64Array {
  get length() {
    return 2 ** 20;
  }
}
await fails("times into a liar", () => profilingTimes([e.event], ["start", "end"], new Times(1)));

// Declared types that contradict the kernel.
const own = new Kernel(e.program, "f");
await fails("a pointer declared as bytes", () => {
  own.argTypes = [{ bytes: 8 }, "float", "int"];
  own.launch(queue, { global: 4 }, BigUint64Array.of(0xdeadbeefn), 1, 4);
});
// A program from binaries may have no argument types; a number must not be accepted for a pointer.
const unknown = (await Program.fromBinaries(context, e.program.binaries).build()).kernel("f");
if (unknown.argNames[0] === undefined) {
  await fails(
    "a number for a pointer of a binary",
    () => unknown.setArg(0, BigUint64Array.of(0xdeadbeefn)),
    /argument 0/,
  );
  await fails("a queue for a pointer of a binary", () => unknown.setArg(0, queue), /argument 0/);
}
await errorOf(() => {
  const g = e.program.kernel("g");
  g.launchAndFinishSync(queue, { global: 1 }, buffer, new LocalMemory(2 ** 40), 1n, [1, 2, 3, 4], 1);
});
made++;

// Invalid addresses.
const wrong = new ContextProperties({ platform: e.platform });
await errorOf(() => {
  wrong.set("PLATFORM", 0x1084, 0xdeadbeefn);
  void new Context(e.device, { properties: wrong });
});
for (const pointer of [
  0n,
  1n,
  8n,
  0xdeadbeefn,
  2n ** 63n,
  2n ** 64n - 8n,
  context.pointer,
  e.device.pointer,
  e.platform.pointer,
  e.event.pointer,
]) {
  await fails(`a buffer at ${pointer}`, () => DeviceBuffer.fromPointer(context, pointer));
}

// Replaced built-ins. Results may be wrong, but the process must not crash.
const saved = {
  from: Int32Array.from,
  of: Int32Array.of,
  iterator: Array.prototype[Symbol.iterator],
  isArray: Array.isArray,
};
Int32Array.from = () => new Int32Array(3).fill(12345);
Int32Array.of = () => Int32Array.prototype.fill.call(new Int32Array(1), -7);
await errorOf(() => queue.enqueueMarker([e.event]));
await errorOf(() => new Context([e.device]));
await errorOf(() => queue.enqueueMigrate([buffer]));
Object.assign(Int32Array, { from: saved.from, of: saved.of });
Array.isArray = () => true;
await errorOf(() => queue.enqueueMarker({ length: 2 ** 20 }));
await errorOf(() => kernel.launch(queue, { global: {} }, buffer, 1, 4));
Array.isArray = saved.isArray;
made += 5;

// User code that releases an argument during a call.
const victim = DeviceBuffer.from(context, new Float32Array(4));
const sizes = {
  global: 4,
  get local() {
    victim.release();
    return null;
  },
};
const late = await errorOf(() => kernel.launch(queue, sizes, victim, 1, 4));
assert.ok(late instanceof DisposedError, late?.stack);
const binaries = [[e.device, new Uint8Array(8)]];
Object.defineProperty(binaries, 1, { get: () => (context.release(), [e.device, new Uint8Array(8)]), enumerable: true });
binaries.length = 2;
await errorOf(() => Program.fromBinaries(context, binaries));

writeSync(1, `\n${JSON.stringify({ made, problems: [] })}\n`);
process.exit(0);
