import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntry, encodeEntry } from "../../src/cache/entry.js";
import type { CacheEntry } from "../../src/cache/entry.js";

const KEY = "a".repeat(64);

const arbitraryEntry = fc
  .array(fc.record({ binary: fc.uint8Array({ minLength: 1, maxLength: 200 }), log: fc.string({ unit: "grapheme" }) }), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((devices) =>
    fc
      .array(fc.record({ path: fc.string(), sha256: fc.option(fc.constant("b".repeat(64))) }), { maxLength: 3 })
      .map((dependencies): CacheEntry => ({
        key: KEY,
        dependencies,
        binaries: devices.map((device) => device.binary),
        logs: devices.map((device) => device.log),
      })),
  );

describe("a cache entry", () => {
  test("decodes to what was encoded, with binaries aligned to 16 bytes", () => {
    fc.assert(
      fc.property(arbitraryEntry, (entry) => {
        const decoded = decodeEntry(encodeEntry(entry), KEY);
        expect(decoded).toEqual(entry);
        for (const binary of decoded?.binaries ?? []) expect(binary.byteOffset % 16).toBe(0);
      }),
    );
  });

  test("is rejected if any byte changes", () => {
    fc.assert(
      fc.property(arbitraryEntry, fc.nat(), fc.integer({ min: 1, max: 255 }), (entry, place, change) => {
        const bytes = encodeEntry(entry);
        const index = place % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ change;
        expect(decodeEntry(bytes, KEY)).toBeNull();
      }),
    );
  });

  test("is rejected if truncated or extended", () => {
    const bytes = encodeEntry({ key: KEY, dependencies: [], binaries: [new Uint8Array(40)], logs: [""] });
    for (let length = 0; length < bytes.length; length++) expect(decodeEntry(bytes.slice(0, length), KEY)).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), (tail) => {
        expect(decodeEntry(new Uint8Array([...bytes, ...tail]), KEY)).toBeNull();
      }),
    );
  });

  test("is rejected under another key", () => {
    const bytes = encodeEntry({ key: KEY, dependencies: [], binaries: [Uint8Array.of(1)], logs: [""] });
    expect(decodeEntry(bytes, "c".repeat(64))).toBeNull();
  });
});
