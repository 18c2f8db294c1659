// Arrays that live in a ring of 1 MiB, however many there are of them.
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { DeferredAllocator, FallbackAdaptor } from "@cl/tools";

import { RingAllocator } from "./ring-allocator.js";

const context = Context.create();
const queue = new CommandQueue(context);
const ring = new RingAllocator(context, 2 ** 20);

// It stands where any allocator does: below an adaptor that goes elsewhere when the ring is full, and that below arrays.
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
  // Each frame is needed for the next one only: about the order of a ring.
  last.release();
  last = frame;
}
last.release();
console.log(`100 frames changed by ${changes} in all, and ${allocator.fallbacks} arrays had no place in the ring`);

// What is kept stands in the way, and the next one goes elsewhere.
using kept = xp.ones([163_840], { dtype: "float32" });
using more = xp.ones([163_840], { dtype: "float32" });
console.log(`of ${kept.nbytes + more.nbytes} bytes ${ring.usedBytes} are in the ring`);
