/** Reuse of slots in the handle table, and the validity of old handles. */
import assert from "node:assert/strict";
import { writeSync } from "node:fs";

import { loadAddon, makeObjects } from "./addon.mjs";

const { native, scratch } = loadAddon();
const { context } = makeObjects(native, scratch);
const make = () => native.createBuffer(context, 1, 16, undefined, undefined);
const slotOf = (handle) => handle & ((1 << 22) - 1);

// A released handle keeps its slot, so an old handle throws and never refers to another object.
const first = make();
assert.equal(native.release(first), true);
assert.equal(native.release(first), false);
const others = Array.from({ length: 100 }, make);
assert.ok(others.every((one) => slotOf(one) !== slotOf(first)));
assert.throws(() => native.pointerOf(first), /DISPOSED/);

// A recycled slot has the next generation, which invalidates the old handle.
native.recycle(first);
native.recycle(first);
const second = make();
assert.equal(slotOf(second), slotOf(first));
assert.notEqual(second, first);
assert.throws(() => native.pointerOf(first), /DISPOSED/);
assert.equal(typeof native.pointerOf(second), "bigint");

// Generations wrap around after 1024; until then every handle is unique.
const seen = new Set([second]);
let last = second;
for (let i = 0; i < 1023; i++) {
  native.recycle(last);
  last = make();
  assert.equal(slotOf(last), slotOf(first));
  assert.ok(!seen.has(last));
  seen.add(last);
}
native.recycle(last);
assert.equal(make(), second);

// A handle of another kind throws WRONG_KIND.
assert.throws(() => native.flush(others[0]), /WRONG_KIND/);
assert.throws(() => native.flush(0), /DISPOSED/);
writeSync(1, `\n${JSON.stringify({ made: seen.size, problems: [] })}\n`);
process.exit(0);
