import type { KernelKind, LaunchShape, LoopForm } from "@cl/characterize";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { DeviceFacts } from "../../src/device/facts.js";
import { type ShapeRequest, shapeOf } from "../../src/launch/shape-rules.js";
import { itemsOf, ownerOf } from "../support/coverage.js";
import {
  adrenoDevice,
  amdDevice,
  appleDevice,
  cpuDevice,
  describeDevice,
  intelDevice,
  maliDevice,
  nvidiaDevice,
  platforms,
} from "./described-devices.js";
import { outOfRange } from "@cl/testing/error-like";

const h200 = nvidiaDevice(9, 0, { maxComputeUnits: 132 });
const pocl = cpuDevice(platforms.pocl, "AuthenticAMD");
const devices: readonly DeviceFacts[] = [
  h200,
  pocl,
  nvidiaDevice(1, 3, {
    maxWorkGroupSize: 512,
    maxWorkItemSizes: [512, 512, 64],
    localMemSize: 16_384,
    addressBits: 32,
  }),
  amdDevice("gfx90a", { maxComputeUnits: 104, maxWorkGroupSize: 256, maxWorkItemSizes: [1024, 1024, 1024] }),
  intelDevice("Intel(R) Arc(TM) A770 Graphics"),
  // Apple's CPU driver has groups of 1024 but a maximum of 1 in the first dimension.
  cpuDevice(platforms.apple, "Intel", { maxWorkGroupSize: 1024, maxWorkItemSizes: [1024, 1, 1] }),
  appleDevice("Apple M1", "Apple", { maxWorkGroupSize: 256, maxWorkItemSizes: [256, 256, 256] }),
  maliDevice("Mali-G71"),
  adrenoDevice({ maxWorkGroupSize: 192 }),
  describeDevice({ maxComputeUnits: 1, maxWorkGroupSize: 1, maxWorkItemSizes: [1, 1, 1], localMemSize: 1024 }),
  cpuDevice(platforms.pocl, "x", { maxComputeUnits: 128, addressBits: 32, globalMemCacheSize: 0 }),
];

const request: ShapeRequest = {
  kind: "elementwise",
  itemSize: 4,
  forms: ["single", "chunk", "grid-stride"],
  vectorWidth: 1,
  localBytesPerWorkItem: 0,
  localBytesPerGroup: 0,
  maxWorkGroupSize: Infinity,
  maxGroups: Infinity,
  multiple: undefined,
  fixed: undefined,
};

const kinds: readonly KernelKind[] = ["elementwise", "reduction", "scan"];
const forms: readonly LoopForm[] = ["single", "chunk", "grid-stride"];

const anyDevice = fc.constantFrom(...devices);
const anyRequest: fc.Arbitrary<ShapeRequest> = fc.record({
  kind: fc.constantFrom(...kinds),
  itemSize: fc.constantFrom(1, 2, 4, 8, 16, 24, 128),
  forms: fc.uniqueArray(fc.constantFrom(...forms), { minLength: 1 }),
  vectorWidth: fc.constantFrom(1, 2, 4, 8, 16),
  localBytesPerWorkItem: fc.constantFrom(0, 4, 8, 100, 512),
  localBytesPerGroup: fc.constantFrom(0, 4, 256),
  maxWorkGroupSize: fc.constantFrom(Infinity, 1024, 256, 100, 7, 1),
  maxGroups: fc.constantFrom(Infinity, 1_000_000, 16, 1),
  multiple: fc.constantFrom(undefined, 1, 8, 32, 64),
  fixed: fc.constant(undefined),
});
const few = fc.oneof(fc.integer({ min: 0, max: 6000 }), fc.constantFrom(0, 1, 2, 3, 5, 31, 127, 1009, 4096, 5003));
const many = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 40 }),
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 - 5, 2 ** 32, 2 ** 32 + 1, 2 ** 32 + 15, 10 ** 12 + 39),
);

/** Returns the shape, or undefined if a kernel with one item per work-item cannot have that many. */
function shapeIfAny(facts: DeviceFacts, n: number, asked: ShapeRequest): LaunchShape | undefined {
  try {
    return shapeOf(facts, n, asked);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    expect(asked.forms).toEqual(["single"]);
    return undefined;
  }
}

describe("launchShape", () => {
  test("assigns every item to exactly one work-item, in every form", () => {
    fc.assert(
      fc.property(anyDevice, few, anyRequest, (facts, n, asked) => {
        const shape = shapeIfAny(facts, n, asked);
        if (shape === undefined) return;
        const taken = new Uint8Array(n);
        for (let workItem = 0; workItem < shape.global; workItem++) {
          let count = 0;
          for (const item of itemsOf(shape, workItem)) {
            taken[item] = (taken[item] ?? 0) + 1;
            count += 1;
          }
          expect(count).toBeLessThanOrEqual(shape.itemsPerWorkItem);
        }
        expect(taken.every((times) => times === 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("assigns every item to a work-item for more than 2 ** 32 items", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(anyDevice, many, anyRequest, share, (facts, n, asked, where) => {
        const shape = shapeIfAny(facts, n, asked);
        if (shape === undefined || n === 0) return;
        for (const item of [0, Math.min(n - 1, Math.floor(where * n)), n - 1]) {
          const owner = ownerOf(shape, item);
          expect(owner).toBeDefined();
          if (shape.itemsPerWorkItem > 100_000) continue;
          // Its loop visits the item once.
          expect([...itemsOf(shape, owner ?? 0)].filter((own) => own === item)).toHaveLength(1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("respects the limits of the device, the kernel and the caller", () => {
    fc.assert(
      fc.property(anyDevice, many, anyRequest, (facts, n, asked) => {
        const shape = shapeIfAny(facts, n, asked);
        if (shape === undefined) return;
        const { form, local, global, groups, itemsPerWorkItem, vectorWidth } = shape;
        expect(asked.forms).toContain(form);
        expect(global).toBe(groups * local);
        expect(local).toBeGreaterThanOrEqual(1);
        expect(local).toBeLessThanOrEqual(
          Math.min(facts.maxWorkGroupSize, facts.maxWorkItemSizes[0] ?? 0, asked.maxWorkGroupSize),
        );
        const bytes = local * asked.localBytesPerWorkItem + asked.localBytesPerGroup;
        expect(bytes).toBeLessThanOrEqual(facts.localMemSize);
        expect(groups).toBeLessThanOrEqual(Math.min(asked.maxGroups, 2 ** 31 - 1));
        expect(Number.isSafeInteger(global)).toBe(true);
        expect(global <= 2 ** 32 - 1 || facts.addressBits === 64).toBe(true);
        // Vectors do not cross chunk boundaries.
        expect(form === "chunk" ? itemsPerWorkItem % vectorWidth : 0).toBe(0);
        expect([1, asked.vectorWidth]).toContain(vectorWidth);
        // Tree reductions need a power of two.
        expect(shape.kind === "elementwise" || Number.isInteger(Math.log2(local))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(forms)("has no work-items for n = 0, but one group for an empty sum, in the form %s", (form) => {
    for (const facts of devices) {
      for (const kind of kinds) {
        const shape = shapeOf(facts, 0, { ...request, kind, forms: [form] });
        expect(shape).toMatchObject({ n: 0, groups: kind === "reduction" ? 1 : 0, allowEmpty: true });
      }
    }
  });

  test("throws with the maximum number of items for the form 'single', and uses another form if allowed", () => {
    const n = 2 ** 42;
    expect(() => shapeOf(h200, n, { ...request, forms: ["single"] })).toThrow(outOfRange("n"));
    expect(shapeOf(h200, n, request)).toMatchObject({ form: "grid-stride", local: 256 });
    expect(shapeOf(h200, n, { ...request, forms: ["single", "chunk"] }).form).toBe("chunk");
  });

  test.each(forms)("uses a kernel's required work-group size in the form %s", (form) => {
    for (const kind of kinds) {
      const shape = shapeOf(h200, 10_007, { ...request, kind, forms: [form], fixed: 64 });
      expect([shape.local, shape.global % 64]).toEqual([64, 0]);
      for (const item of [0, 5000, 10_006]) expect(ownerOf(shape, item)).toBeDefined();
    }
  });
});

describe("on a CPU", () => {
  test("an element-wise kernel uses one item per work-item within the cache, and one chunk per core beyond it", () => {
    expect(shapeOf(pocl, 100_000, request)).toMatchObject({ form: "single", local: 1024, groups: 98 });
    expect(shapeOf(pocl, 10_000_000, request)).toMatchObject({ form: "chunk", local: 1, groups: 8 });
    expect(shapeOf(pocl, 10_000_000, { ...request, forms: ["single", "grid-stride"] }).form).toBe("single");
    // With vectors, chunks are better within the cache, too, unless n is small.
    const vectors = { ...request, vectorWidth: 16 };
    expect(shapeOf(pocl, 100_000, vectors)).toMatchObject({ form: "single", local: 1024 });
    expect(shapeOf(pocl, 1_000_000, vectors)).toMatchObject({ form: "chunk", local: 1, groups: 8 });
  });

  test("the form 'grid-stride' is avoided, and uses few groups of one work-item if the kernel supports no other form", () => {
    for (const kind of kinds) {
      for (const n of [1000, 100_000, 10_000_000]) {
        expect(shapeOf(pocl, n, { ...request, kind }).form).not.toBe("grid-stride");
        const strided = shapeOf(pocl, n, { ...request, kind, forms: ["grid-stride"] });
        expect(strided.local).toBe(1);
        expect(strided.groups).toBeLessThanOrEqual(16);
      }
    }
  });

  test("reductions and scans use one chunk for few items, and 2 to 16 groups of one work-item on few cores", () => {
    for (const kind of ["reduction", "scan"] as const) {
      expect(shapeOf(pocl, 10_000, { ...request, kind })).toMatchObject({ form: "chunk", groups: 1, local: 1 });
      const large = shapeOf(pocl, 10_000_000, { ...request, kind });
      expect(large).toMatchObject({ form: "chunk", local: 1 });
      expect(large.groups).toBeGreaterThanOrEqual(2);
      expect(large.groups).toBeLessThanOrEqual(16);
    }
  });

  test("chunks do not share cache lines", () => {
    for (const itemSize of [1, 2, 4, 8, 16, 24]) {
      const { itemsPerWorkItem } = shapeOf(pocl, 3_000_001, { ...request, kind: "reduction", itemSize });
      expect(itemsPerWorkItem * itemSize).toBeGreaterThanOrEqual(64);
      expect((itemsPerWorkItem * itemSize) % (itemSize === 24 ? 8 : 64)).toBe(0);
    }
  });

  test("the work-group size does not depend on n, because each size is compiled separately", () => {
    for (const n of [1, 12_345, 1_000_000]) {
      expect(shapeOf(pocl, n, { ...request, forms: ["single"] }).local).toBe(1024);
    }
  });
});

describe("on a GPU", () => {
  test("an element-wise kernel uses groups of 256 with one item or one 16-byte vector per work-item", () => {
    expect(shapeOf(h200, 1e8, request)).toMatchObject({ form: "single", local: 256 });
    expect(shapeOf(h200, 1e8, { ...request, vectorWidth: 4 })).toMatchObject({ form: "chunk", itemsPerWorkItem: 4 });
    expect(shapeOf(h200, 1e8, { ...request, vectorWidth: 16 })).toMatchObject({ form: "single", vectorWidth: 1 });
  });

  test("few items are distributed over the compute units, in groups of at least 64", () => {
    expect(shapeOf(h200, 1000, request)).toMatchObject({ local: 64, groups: 16 });
    expect(shapeOf(h200, 132 * 128, request)).toMatchObject({ local: 128, groups: 132 });
  });

  test("a reduction uses a grid-stride loop with as many groups as run simultaneously", () => {
    const sum = { ...request, kind: "reduction", localBytesPerWorkItem: 4 } as const;
    expect(shapeOf(h200, 1e8, sum)).toMatchObject({ form: "grid-stride", local: 256, groups: 132 * 8 });
    // Six groups of 38 KiB would fit into 228 KiB if CUDA did not reserve 1 KiB per group.
    expect(shapeOf(h200, 1e8, { ...sum, localBytesPerWorkItem: 152 }).groups).toBe(132 * 5);
    expect(shapeOf(h200, 1e8, { ...sum, localBytesPerWorkItem: 96 }).groups).toBe(132 * 8);
    expect(shapeOf(h200, 1e8, { ...sum, maxGroups: 1 })).toMatchObject({ groups: 1, form: "grid-stride" });
    // No more groups than needed.
    expect(shapeOf(h200, 10_000, sum).groups).toBe(157);
  });

  test.each(["reduction", "scan"] as const)("a %s of few items uses one group", (kind) => {
    const few = { ...request, kind, localBytesPerWorkItem: 4 } as const;
    expect(shapeOf(h200, 1000, few)).toMatchObject({ form: "chunk", groups: 1, local: 512, itemsPerWorkItem: 2 });
    expect(shapeOf(h200, 8192, { ...few, vectorWidth: 4 })).toMatchObject({ groups: 1, itemsPerWorkItem: 16 });
    expect(shapeOf(h200, 8193, few).groups).toBeGreaterThan(1);
  });

  test("a scan uses a few items per work-item", () => {
    const scan = { ...request, kind: "scan", localBytesPerWorkItem: 4 } as const;
    expect(shapeOf(h200, 1e8, scan)).toMatchObject({ form: "chunk", local: 256, itemsPerWorkItem: 4 });
    expect(shapeOf(h200, 1e8, { ...scan, vectorWidth: 4 })).toMatchObject({ form: "chunk", itemsPerWorkItem: 8 });
  });

  test("group sizes are multiples of the wave size", () => {
    const odd = { ...request, maxWorkGroupSize: 200 };
    expect(shapeOf(amdDevice("gfx90a"), 1e8, odd).local).toBe(192);
    expect(shapeOf(h200, 1e8, { ...odd, multiple: 64 }).local).toBe(192);
    expect(shapeOf(h200, 1e8, { ...odd, kind: "reduction" }).local).toBe(128);
    expect(shapeOf(h200, 1e8, { ...request, maxWorkGroupSize: 20 }).local).toBe(20);
  });
});
