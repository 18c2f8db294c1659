/**
 * Calls the addon's functions with random arguments: handles (live, released, foreign, forged), numbers, arrays, buffers.
 * They may throw or work, but must not crash. `node fuzz.mjs <seed> <calls>`
 */
import { writeSync } from "node:fs";

import * as fc from "fast-check";

import { loadAddon, makeObjects } from "./addon.mjs";

const [seed, numRuns] = process.argv.slice(2).map(Number);
const { native, scratch } = loadAddon();
// Excludes user events, because waiting for one that never completes would hang.
const names = Object.keys(native).filter((name) => name !== "initialize" && name !== "createUserEvent");
let made = 0;
let thrown = 0;

const objects = makeObjects(native, scratch);
const handles = [
  ...[objects.live, objects.foreign, objects.released, objects.recycled].flatMap(Object.values),
  objects.platform,
  objects.device,
  objects.context,
  objects.other,
];
const pointers = [objects.context, objects.live.queue, objects.live.buffer, objects.device].map((one) =>
  native.pointerOf(one),
);

const handle = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...handles) },
  { weight: 1, arbitrary: fc.constantFrom(...handles).map((one) => one ^ (1 << 22)) },
  { weight: 1, arbitrary: fc.integer() },
);
const number = fc.oneof(
  fc.integer({ min: -2, max: 130 }),
  fc.constantFrom(NaN, -1, 1.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, -Infinity, 0x1083, 0x4230),
);
const bigint = fc.oneof(
  fc.constantFrom(0n, 1n, -1n, 2n ** 64n - 1n, 2n ** 70n, 0x1084n, ...pointers),
  fc.bigInt({ min: 0n, max: 2n ** 64n }),
);
const view = fc.oneof(
  fc.array(handle, { maxLength: 4 }).map((list) => Int32Array.from(list)),
  fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { maxLength: 5 }).map((list) => BigUint64Array.from(list)),
  fc.uint8Array({ maxLength: 80 }),
  fc
    .constantFrom(
      () => new Float64Array(8),
      () => new DataView(new ArrayBuffer(8)),
      () => new ArrayBuffer(64),
      () => new Uint8Array(new SharedArrayBuffer(16)),
      () => new Uint8Array(new ArrayBuffer(8, { maxByteLength: 16 })),
      detached,
    )
    .map((make) => make()),
);
const odd = fc.constantFrom(
  undefined,
  null,
  true,
  false,
  "",
  "f",
  "-D X",
  Symbol("s"),
  {},
  [],
  [new Uint8Array(4)],
  ["a"],
  () => undefined,
  new Proxy([], {}),
  withGetter(),
);
const argument = fc.oneof(
  { weight: 6, arbitrary: handle },
  { weight: 3, arbitrary: number },
  { weight: 1, arbitrary: bigint },
  { weight: 3, arbitrary: view },
  { weight: 3, arbitrary: odd },
);
const call = fc.tuple(
  fc.constantFrom(...names),
  fc.array(argument, { maxLength: 9 }),
  fc.array(fc.tuple(fc.nat(255), fc.oneof(handle, fc.integer())), { maxLength: 6 }),
  // Boxes and image descriptors.
  fc.array(fc.oneof({ weight: 8, arbitrary: fc.nat(4) }, number), { maxLength: 13 }),
);

fc.assert(
  fc.property(call, ([name, args, writes, box]) => {
    made++;
    const memory = new Int32Array(scratch.buffer);
    for (const [at, value] of writes) memory[at] = value;
    new Float64Array(scratch.buffer).set(box);
    writeSync(1, `${name}(${args.map((one) => describe(one)).join(", ")})\n`);
    try {
      native[name](...args);
    } catch {
      thrown++;
    }
  }),
  { seed, numRuns, endOnFailure: true },
);
globalThis.gc();
writeSync(1, `\n${JSON.stringify({ made, thrown, problems: [] })}\n`);
// Pending work may keep the event loop open.
process.exit(0);

function detached() {
  const array = new Uint8Array(8);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}

/** Returns an array whose first element throws when it is read. */
function withGetter() {
  const list = [0, 0];
  Object.defineProperty(list, 0, {
    get() {
      throw new Error("evil");
    },
  });
  return list;
}

function describe(value) {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength})`;
  return typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value);
}
