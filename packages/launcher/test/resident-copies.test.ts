/** Copies and fills in resident lists: the same bytes as by their own commands. */
import { randomNumbers } from "@cl/base";
import { DeviceBuffer, DeviceView, Program, structType, SvmAllocation, type TypedArray } from "@cl/core";
import { caseCount, sample } from "@cl/testing/level";
import { hasSvm } from "@cl/testing/svm";
import { needs } from "@cl/base/testing";
import {
  CopyLauncher,
  type CopyLauncherRange,
  FillLauncher,
  KernelLauncher,
  type Launcher,
  ListLauncher,
} from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { context, queue } from "./support/device.js";

const bytes = 4096;
const program = new Program(
  context,
  `__kernel void mix(__global uchar *x, __global const uchar *y) {
    const int i = get_global_id(0);
    x[i] = 5 * x[i] + y[i] + 1;
  }`,
).buildSync();

/** Two buffers with different bytes. */
function twoBuffers(): readonly [DeviceBuffer<Uint8Array>, DeviceBuffer<Uint8Array>] {
  const from = (factor: number): DeviceBuffer<Uint8Array> =>
    DeviceBuffer.from(
      context,
      Uint8Array.from({ length: bytes }, (_, i) => i * factor + (i >> 8)),
    );
  return [from(1), from(7)];
}

type Make = (x: DeviceBuffer<Uint8Array>, y: DeviceBuffer<Uint8Array>) => readonly Launcher[];

/** Returns the contents after three launches of a list, with or without merged members. */
async function contentsAfter(make: Make, isResident: boolean): Promise<readonly Uint8Array[]> {
  const [x, y] = twoBuffers();
  const members = make(x, y);
  const list = new ListLauncher("list").push(...members);
  if (isResident) {
    const residencies = await list.resident();
    expect(residencies.map(({ members: names, resident, apart }) => [names.length, resident, apart])).toEqual([
      [members.length, true, undefined],
    ]);
  }
  for (let step = 0; step < 3; step++) list.launch(queue);
  const contents = [await queue.read(x), await queue.read(y)];
  for (const one of [list, ...members, x, y]) one.release();
  return contents;
}

async function both(make: Make): Promise<{ readonly found: unknown; readonly expected: unknown }> {
  return { found: await contentsAfter(make, true), expected: await contentsAfter(make, false) };
}

const mix = (x: DeviceBuffer, y: DeviceBuffer): Launcher =>
  new KernelLauncher("mix", program, { args: [x, y], global: bytes });
const copy = (source: DeviceBuffer, target: DeviceBuffer, range: CopyLauncherRange): Launcher =>
  new CopyLauncher("copy", { source, target, ...range });
const grid = (x: DeviceBuffer, dtype: "uint8" | "float32" | "float64", shape: readonly number[]): DeviceView =>
  new DeviceView(x, { dtype, shape });

describe("a list computes the same, resident or not,", () => {
  const lists: readonly (readonly [string, Make])[] = [
    ["with copies of whole buffers", (x, y) => [mix(x, y), copy(x, y, {}), mix(x, y)]],
    [
      "with copies of unaligned bytes",
      (x, y) => [copy(x, y, { bytes: 13, sourceOffset: 5, targetOffset: 1002 }), mix(x, y), mix(y, x)],
    ],
    [
      "with copies within one buffer",
      (x, y) => [copy(x, x, { bytes: 1000, sourceOffset: 16, targetOffset: 1016 }), mix(y, x)],
    ],
    [
      "with boxes",
      (x, y) => [
        mix(x, y),
        copy(x, y, {
          region: [8, 5, 3],
          sourceOrigin: [16, 2, 1],
          sourcePitches: [64, 640],
          targetOrigin: [4, 1],
          targetPitches: [32, 320],
        }),
        copy(x, x, {
          region: [12, 4],
          sourceOrigin: [0, 0, 0],
          targetOrigin: [12, 0, 0],
          sourcePitches: [32],
          targetPitches: [32],
        }),
        mix(x, y),
      ],
    ],
    [
      "with views",
      (x, y) => [
        new CopyLauncher("rows", {
          source: grid(x, "float32", [32, 32]).slice("1:9", "3:7"),
          target: grid(y, "float32", [32, 32]).slice("20:28", "8:12"),
        }),
        mix(x, y),
        new CopyLauncher("column to column of one grid", {
          source: grid(x, "float64", [16, 32]).slice(":", 1),
          target: grid(x, "float64", [16, 32]).slice(":", -1),
        }),
        new CopyLauncher("transposed and reversed", {
          source: grid(x, "uint8", [64, 64]).slice("::-1", "::2").transpose(),
          target: grid(y, "uint8", [32, 128]).slice(":", ":64"),
        }),
        new CopyLauncher("four axes", {
          source: grid(x, "uint8", [8, 8, 8, 8]).slice("::2", ":3", "1:5", "::3"),
          target: grid(y, "uint8", [8, 8, 8, 8]).slice(":4", ":3", ":4", ":3"),
        }),
        mix(x, y),
      ],
    ],
    [
      "with fills",
      (x, y) => [
        new FillLauncher("number", { target: x, pattern: 200, offset: 3, bytes: 77 }),
        new FillLauncher("two bytes", { target: y, pattern: Uint8Array.of(1, 2), offset: 6, bytes: 10 }),
        mix(x, y),
        new FillLauncher("wide", { target: y, pattern: Float64Array.of(NaN, -0), offset: 16, bytes: 1600 }),
        new FillLauncher("wider than words", {
          target: x,
          pattern: Float32Array.from({ length: 32 }, (_, i) => i / 3),
          offset: 128,
          bytes: 1280,
        }),
        new FillLauncher("column", { target: grid(x, "float32", [32, 32]).slice(":", 3), pattern: 0.1 }),
        new FillLauncher("rows", { target: grid(y, "uint8", [64, 64]).slice("3:6", "::-1"), pattern: 9 }),
        new FillLauncher("three bytes", {
          target: new DeviceView(y, {
            dtype: structType("three", { a: "uint8", b: "uint8", c: "uint8" }),
            shape: [20, 20],
          }).slice(":", "2:19"),
          pattern: { a: 1, b: 2, c: 3 },
        }),
        mix(x, y),
      ],
    ],
  ];
  test.each(sample(lists, 3))("%s", async (_, make) => {
    const { found, expected } = await both(make);
    expect(found).toEqual(expected);
  });

  test("with shared virtual memory", async (run) => {
    needs(run, hasSvm("COARSE_GRAIN_BUFFER"), "the device has no shared virtual memory");
    using shared = new SvmAllocation(context, bytes);
    const { found, expected } = await both((x, y) => [
      new FillLauncher("clear", { target: shared, pattern: Uint8Array.of(3) }),
      new CopyLauncher("store", { source: x, target: shared.part(1), bytes: 1000 }),
      mix(x, y),
      new CopyLauncher("load", { source: shared, target: y }),
      mix(x, y),
    ]);
    expect(found).toEqual(expected);
  });

  test("with memory of the host at an odd address", async () => {
    const host = new Uint8Array(bytes + 1).subarray(1);
    const { found, expected } = await both((x, y) => {
      host.fill(1);
      const odd = new DeviceBuffer(context, { host, hostPointer: "use" });
      return [
        copy(x, odd, {}),
        mix(odd, y),
        copy(odd, y, {}),
        new FillLauncher("fill", { target: odd, pattern: new Float64Array(1) }),
      ];
    });
    expect(found).toEqual(expected);
  });
});

test("copies and fills alone are merged, and parameters of kernels among them are passed", async () => {
  const add = new Program(
    context,
    "__kernel void add(__global int *x, int a) { x[get_global_id(0)] += a; }",
  ).buildSync();
  const [x, y] = [DeviceBuffer.from(context, Int32Array.of(1, 2)), DeviceBuffer.from(context, Int32Array.of(0, 0))];
  const moves = [
    new FillLauncher("fill", { target: y, pattern: 4 }),
    new CopyLauncher("copy", { source: y, target: x, bytes: 4 }),
  ];
  const alone = new ListLauncher("alone").push(...moves);
  expect(await alone.resident()).toMatchObject([{ members: ['fill "fill"', 'copy "copy"'], resident: true }]);
  alone.launch(queue);
  expect(Array.from(await queue.read(x))).toEqual([4, 2]);
  const list = new ListLauncher("list").push(
    new ListLauncher("inner").push(...moves),
    new KernelLauncher("add", add, { args: { x }, parameters: ["a"], global: 2 }),
  );
  expect(await list.resident()).toMatchObject([{ members: ['list "inner"', 'launcher "add"'], resident: true }]);
  list.launch(queue, { a: 10 });
  list.launch(queue, { a: 20 });
  expect(Array.from(await queue.read(x))).toEqual([24, 32]);
});

test("random copies, fills and kernels leave the same bytes", { tags: "ci" }, async () => {
  for (let seed = 1; seed <= caseCount(12); seed++) {
    const { found, expected } = await both((x, y) => {
      const random = randomNumbers(seed);
      return Array.from({ length: 12 }, () => randomMember(random, x, y));
    });
    expect(found, `seed ${seed}`).toEqual(expected);
  }
});

/** Returns an integer in [low, high]. */
function integer(random: () => number, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

function randomMember(random: () => number, x: DeviceBuffer<Uint8Array>, y: DeviceBuffer<Uint8Array>): Launcher {
  const any = (low: number, high: number): number => integer(random, low, high);
  const [target, source] = random() < 0.5 ? [x, y] : [y, x];
  // Small powers of two make words wider than a byte likely.
  const unit = 2 ** any(0, 5);
  switch (any(0, 4)) {
    case 0:
      return mix(target, source);
    case 1: {
      const count = any(1, 512 / unit);
      const offset = (): number => unit * any(0, bytes / unit - count);
      return copy(source, target, { bytes: unit * count, sourceOffset: offset(), targetOffset: offset() });
    }
    case 2: {
      const region = [unit * any(1, 2), any(1, 5), any(1, 3)] as const;
      const place = (): { origin: readonly [number, number, number]; pitches: readonly [number, number] } => {
        const row = region[0] + unit * any(0, 2);
        const slice = row * (region[1] + any(0, 2));
        return { origin: [unit * any(0, 1), any(0, 1), any(0, 1)], pitches: [row, slice] };
      };
      const [from, to] = [place(), place()];
      return copy(source, target, {
        region,
        sourceOrigin: from.origin,
        sourcePitches: from.pitches,
        targetOrigin: to.origin,
        targetPitches: to.pitches,
      });
    }
    case 3: {
      const pattern: TypedArray = Uint8Array.from({ length: unit }, () => any(0, 255));
      const count = any(1, 512 / unit);
      return new FillLauncher("fill", {
        target,
        pattern,
        offset: unit * any(0, bytes / unit - count),
        bytes: unit * count,
      });
    }
    default: {
      const dtype = (["uint8", "float32", "float64"] as const)[any(0, 2)] ?? "uint8";
      const side = dtype === "uint8" ? 64 : 16;
      const part = (memory: DeviceBuffer): DeviceView => {
        const [row, column] = [any(0, side - 8), any(0, side - 8)];
        return grid(memory, dtype, [side, side]).slice(`${row}:${row + 8}`, `${column}:${column + 8}`);
      };
      if (random() < 0.3) return new FillLauncher("part", { target: part(target), pattern: any(0, 99) });
      return new CopyLauncher("part", { source: part(source).slice("::-1"), target: part(target) });
    }
  }
}
