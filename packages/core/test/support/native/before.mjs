/** The addon's functions must throw before initialize() is called, and a second initialize() must throw. */
import { writeSync } from "node:fs";
import { requireAddon } from "./find-addon.mjs";

const native = requireAddon();
const problems = [];
const harmless = new Set([
  "canPin",
  "handleCounts",
  "release",
  "recycle",
  "waitSync",
  "profilingTimes",
  "hasLeakedSubBuffers",
]);
for (const [name, run] of Object.entries(native)) {
  for (const args of [[], [1, 1, 1, 1, 1, 1, 1, 1, 1], [undefined, {}, "x"], [Int32Array.of(1), 2n, null]]) {
    writeSync(1, `${name} ${args.length}\n`);
    try {
      run(...args);
      if (!harmless.has(name)) problems.push(`${name} with ${args.length} arguments worked before initialize()`);
    } catch {
      // Expected.
    }
  }
}
const scratch = new Uint8Array(64 * 1024);
const completions = new Float64Array(2);
native.initialize(
  () => new Error("failure"),
  () => undefined,
  scratch,
  completions,
);
try {
  native.initialize(
    () => undefined,
    () => undefined,
    scratch,
    completions,
  );
  problems.push("initialize() twice worked");
} catch {
  // Expected.
}
writeSync(1, `\n${JSON.stringify({ made: Object.keys(native).length, problems })}\n`);
