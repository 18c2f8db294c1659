import path from "node:path";
import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { decodeEntry } from "../../src/cache/entry.js";
import { bundleCache, runFixture } from "./fixtures/cache-process.js";
import { listEntries, scratchDirectory, sentenceWith } from "./fixtures/cache-scratch.js";

test("eight processes that concurrently read, write, replace and evict never read a torn entry and leave no other files", async () => {
  const module = await bundleCache(scratchDirectory());
  const directory = path.join(scratchDirectory(), "programs");
  const maxBytes = 2_000_000;
  const workers = Array.from({ length: 8 }, () =>
    runFixture("cache-hammer.mjs", [module, directory, "150", String(maxBytes)]),
  );
  const counts = await Promise.all(workers);

  for (const count of counts as { hits: number; stores: number }[]) {
    expect(count.hits).toBeGreaterThan(0);
    expect(count.stores).toBeGreaterThan(0);
  }
  const { entries, others } = listEntries(directory);
  expect(others).toEqual([]);
  for (const name of entries) {
    const bytes = new Uint8Array(readFileSync(path.join(directory, name)));
    expect(decodeEntry(bytes, name.slice(0, 64))).not.toBeNull();
  }
}, 240_000);

test.runIf(process.platform !== "win32")(
  "a read-only cache still serves hits, and ignores failed stores",
  async () => {
    const module = await bundleCache(scratchDirectory());
    expect(await runFixture("cache-read-only.mjs", [module, scratchDirectory()])).toEqual({
      hit: true,
      missed: true,
      files: 1,
      blockedMisses: true,
      reason: sentenceWith("EACCES"),
    });
  },
  240_000,
);
