/** Lists of 2^32 - 1 elements, of which all but the first are holes: every call must throw immediately. */
import assert from "node:assert/strict";
import { writeSync } from "node:fs";

import { arrays } from "@cl/array";
import * as cl from "@cl/core";

const context = cl.Context.create();
const queue = new cl.CommandQueue(context);
const xp = arrays(queue);
const program = new cl.Program(context, "__kernel void f(__global float *x) { x[0] = 1; }").buildSync();
const [kernel] = program.kernels();
const event = queue.enqueueMarker();
const buffer = new cl.DeviceBuffer(context, 64);
const one = xp.ones([4]);
const two = xp.ones([2, 3]);

/** An array of the maximum length. */
function long(...first) {
  const list = [...first];
  list.length = 2 ** 32 - 1;
  return list;
}

const calls = {
  "a wait list": () => queue.enqueueMarker(long(event)),
  "a wait list of a write": () => queue.writeSync(buffer, new Uint8Array(4), { waitFor: long(event) }),
  events: () => cl.waitForEventsSync(long(event)),
  "memories to migrate": () => queue.enqueueMigrate(long(buffer)),
  "shared memory to migrate": () => queue.enqueueSvmMigrate(long()),
  "external memory": () => queue.enqueueAcquireExternal(long(buffer)),
  "shared memory of a kernel": () => kernel.setSvmPointers(long()),
  "input of a query": () => kernel.getSubGroupInfo(0, long(1)),
  "extents of a view": () => new cl.HostView(new Float32Array(6)).reshape(long(-1)),
  values: () => xp.array(long(1)),
  "values with a type": () => xp.array(long(1), { dtype: "uint8" }),
  "nested values": () => xp.array(long([1]), { dtype: "uint8" }),
  "values of a view": () => cl.HostView.from(long(1), "uint8"),
  extents: () => xp.zeros(long(1)),
  "extents of an array": () => one.reshape(long(-1)),
  "a seed": () => xp.random(long(1)),
  bins: () => xp.histogram(one, long(1)),
  edges: () => xp.digitize(one, long(1)),
  keys: () => xp.lexsort(long(one)),
  "values sorted with keys": () => xp.sortByKey(one, long(one)),
  "arrays to take from": () => xp.multiTake(long(one), [0]),
  "arrays to put": () => xp.multiPut(long(one), [0], { shape: [4] }),
  "arrays to take from and put": () => xp.multiTakePut(long(one), [0], [0], { shape: [4] }),
  choices: () => one.astype("int32").choose(long(one)),
  conditions: () => xp.select(long(one.greater(0)), long(one)),
  indices: () => one.take(long(0)),
  "indices to delete": () => xp.delete(one, long(0)),
  shifts: () => xp.roll(two, long(1)),
  parts: () => xp.split(one, long(1)),
  "arrays to join": () => xp.concatenate(long(one)),
  "arrays to stack": () => xp.stack(long(one)),
  columns: () => xp.columnStack(long(one)),
  blocks: () => xp.block(long(one)),
  "lines of a grid": () => xp.meshgrid(long(one)),
  axes: () => two.sum({ axis: long(0) }),
  "axes to flip": () => two.flip(long(0)),
  "axes to add": () => two.expandDims(long(0)),
  "axes to remove": () => two.squeeze(long(0)),
  "axes to move": () => two.moveaxis(long(0), long(0)),
  repeats: () => one.repeat(long(1)),
  ranks: () => one.partition(long(1)),
  quantiles: () => one.quantile(long(0.5)),
};

for (const [name, call] of Object.entries(calls)) {
  // Shown by the test if the call never returns.
  writeSync(1, `${name}\n`);
  let error;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  const known = error instanceof TypeError || error instanceof RangeError || error instanceof cl.OpenCLError;
  assert.ok(known && typeof error.code === "string", `${name}: ${error?.stack}`);
}
writeSync(1, `\n${JSON.stringify({ made: Object.keys(calls).length })}\n`);
process.exit(0);
