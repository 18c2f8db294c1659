// Reads and sums one chunk while the device computes the next. The chunks alternate between two buffers; events order the
// commands: a read waits for its kernel, the next kernel on that buffer waits for the read.
import { type CommandEvent, CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";

const context = Context.create();
const compute = new CommandQueue(context);
const transfer = new CommandQueue(context);
const program = await new Program(
  context,
  `
  __kernel void squares(__global uint *out, uint first) {
    size_t i = get_global_id(0);
    uint x = first + (uint)i;
    out[i] = x * x;
  }`,
).build();
const squares = program.kernel("squares");

const chunk = 1 << 16;
const chunks = 16;
const slots = [0, 1].map(() => ({
  buffer: DeviceBuffer.empty(context, Uint32Array, chunk),
  host: new Uint32Array(chunk),
  isRead: undefined as CommandEvent | undefined,
}));

let sum = 0n;
let previous: Promise<void> = Promise.resolve();
for (let k = 0; k < chunks; k++) {
  const slot = slots[k % 2];
  if (slot === undefined) break;
  const done = squares.enqueue(compute, { global: chunk, waitFor: slot.isRead }, slot.buffer, k * chunk);
  compute.flush();
  // While the kernel runs, wait until the previous chunk has been read and summed.
  await previous;
  const read = transfer.enqueueCopy(slot.host, slot.buffer, { waitFor: done });
  slot.isRead = read;
  previous = addToSum(read, slot.host);
}
await previous;

const expected = squaresBelow(chunk * chunks);
console.log(
  sum === expected ? `${chunk * chunks} squares modulo 2^32 sum to ${sum}` : `the sum is ${sum}, expected ${expected}`,
);

async function addToSum(read: CommandEvent, numbers: Uint32Array): Promise<void> {
  await read.wait();
  for (const number of numbers) sum += BigInt(number);
}

function squaresBelow(n: number): bigint {
  let total = 0n;
  for (let x = 0; x < n; x++) total += BigInt(Math.imul(x, x) >>> 0);
  return total;
}
