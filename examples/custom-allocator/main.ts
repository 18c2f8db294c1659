// Allocates arrays from a ring buffer of 1 MiB.
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { DeferredAllocator, FallbackAdaptor } from "@cl/tools";

import { RingAllocator } from "./ring-allocator.js";

const context = Context.create();
const queue = new CommandQueue(context);
const ring = new RingAllocator(context, 2 ** 20);

// When the ring is full, the adaptor falls back to another allocator.
const allocator = new FallbackAdaptor(ring, new DeferredAllocator(context));
const xp = arrays(queue, { allocator });

let changes = 0;
let last = xp.zeros([20_000], { dtype: "float32" });
for (let i = 1; i <= 100; i++) {
  const frame = xp.full([20_000], i, { dtype: "float32" });
  using difference = frame.sub(last);
  using squares = difference.mul(difference);
  using mean = squares.mean();
  changes += await mean.item();
  // Each frame is needed only until the next one, so frames are released in the order of allocation.
  last.release();
  last = frame;
}
last.release();
console.log(
  `mean squared change of 100 frames: ${changes / 100}; allocations outside of the ring: ${allocator.fallbackCount}`,
);

// The first array stays in the ring, so the second one does not fit.
using first = xp.ones([163_840], { dtype: "float32" });
using second = xp.ones([163_840], { dtype: "float32" });
console.log(`${ring.usedBytes} of ${first.nbytes + second.nbytes} bytes are in the ring`);
