import { Context, DeviceBuffer, DeviceView, HostView, Image, ImageFormat, structType } from "@cl/core";
import { CopyLauncher, type CopyLauncherEnd, FillLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { caseCount } from "@cl/testing/level";
import { needs } from "@cl/base/testing";
import { context, ints, needsUserEvents, outOfOrder, program, queue, targets } from "./support/device.js";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

const [device] = context.devices;

/** A slice of an axis: `count` indices from `start`, `step` apart. */
interface Part {
  readonly extent: number;
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

const partOf = (count: number): fc.Arbitrary<Part> =>
  fc.record({ before: fc.nat(2), after: fc.nat(2), step: fc.constantFrom(1, 1, 2, 3, -1, -2) }).map((given) => {
    const reach = count === 0 ? 0 : (count - 1) * Math.abs(given.step) + 1;
    const start = given.step > 0 ? given.before : given.before + reach - 1;
    return { extent: given.before + reach + given.after + 1, start: Math.max(start, 0), step: given.step, count };
  });

/** Slices of a source and a target with the same shape. */
const sides = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 })
  .chain((counts) => fc.tuple(...[0, 1].map(() => fc.tuple(...counts.map(partOf)))));

const shapeOf = (parts: readonly Part[]): number[] => parts.map(({ extent }) => extent);
const sizeOf = (parts: readonly Part[]): number => shapeOf(parts).reduce((all, extent) => all * extent, 1);
/** Returns the flat indices of the elements in a slice. */
const indicesOf = (parts: readonly Part[]): number[] =>
  parts.reduce(
    (indices, { extent, start, step, count }) =>
      indices.flatMap((index) => Array.from({ length: count }, (_, i) => index * extent + start + i * step)),
    [0],
  );
const sliced = <V extends DeviceView | HostView>(view: V, parts: readonly Part[]): V =>
  view.slice(
    ...parts.map(({ start, step, count }) => {
      const end = start + count * step;
      return [start, end < 0 ? null : end, step] as never;
    }),
  ) as V;

/** Creates a sliced view of values on the host or the device, and a function that reads all values. */
function side(where: "host" | "device", values: Int32Array, parts: readonly Part[]) {
  if (where === "host") {
    const array = values.slice();
    return { view: sliced(new HostView(array, { shape: shapeOf(parts) }), parts), read: () => [...array] };
  }
  const buffer = DeviceBuffer.from(context, values);
  return {
    view: sliced(new DeviceView(buffer, { shape: shapeOf(parts) }), parts),
    read: () => [...queue.readSync(buffer)],
  };
}

const directions = [
  ["host", "device"],
  ["device", "host"],
  ["device", "device"],
  ["host", "host"],
] as const;

describe.each(targets)("a copy between views on %s", (_, target) => {
  test.for(directions)("from %s to %s copies each element, alone and in a list", async ([from, to], run) => {
    needsUserEvents(run);
    await fc.assert(
      fc.asyncProperty(sides, fc.boolean(), async ([one, other], inList) => {
        const [sourceParts, targetParts] = [one as Part[], other as Part[]];
        const source = side(
          from,
          Int32Array.from({ length: sizeOf(sourceParts) }, (__, i) => i + 1),
          sourceParts,
        );
        const end = side(to, new Int32Array(sizeOf(targetParts)), targetParts);
        const copy = new CopyLauncher("copy", { source: source.view, target: end.view });
        await (inList ? new ListLauncher("list").push(copy) : copy).enqueue(target).wait();
        const expected = Array.from({ length: sizeOf(targetParts) }, () => 0);
        const indices = indicesOf(sourceParts);
        for (const [i, index] of indicesOf(targetParts).entries()) expected[index] = (indices[i] as number) + 1;
        expect(end.read()).toEqual(expected);
      }),
      { numRuns: caseCount(60) },
    );
  });

  test("runs in order with the other members of a list", async (run) => {
    needsUserEvents(run);
    const [x, y] = [ints(1, 2, 3, 4, 5, 6), ints(0, 0, 0, 0, 0, 0)];
    const [grid, other] = [x, y].map((buffer) => new DeviceView(buffer, { shape: [2, 3] })) as [DeviceView, DeviceView];
    const out = new HostView(new Int32Array(6), { shape: [3, 2] });
    const add = (buffer: typeof x, a: number) =>
      new KernelLauncher("add", program.kernel("add"), { args: [buffer, a], global: 6 });
    for (const order of ["sequential", "graph"] as const) {
      queue.writeSync(x, Int32Array.of(1, 2, 3, 4, 5, 6));
      queue.writeSync(y, new Int32Array(6));
      const list = new ListLauncher("list", { order })
        .push(add(x, 10))
        .pushCopyDeviceToDevice("mirror", grid.slice(":", "::-1"), other)
        .push(add(y, 100))
        .pushCopyDeviceToHost("turn", other.transpose(), out);
      list.launch(target);
      await list.enqueue(target).wait();
      // The second launch adds to the first launch's x, and copies it again.
      expect(out.toNested()).toEqual([
        [123, 126],
        [122, 125],
        [121, 124],
      ]);
    }
  });
});

describe("a copy between a view and memory", () => {
  const grid = (): DeviceView =>
    new DeviceView(ints(...Array.from({ length: 16 }, (_, i) => i)), { shape: [4, 4] }).slice("1:3", "1:3");

  test("treats the memory as contiguous elements", async () => {
    const array = new Int32Array(4);
    const bytes = new Uint8Array(16);
    const buffer = ints(0, 0, 0, 0);
    const plain = new DeviceBuffer(context, 16);
    const list = new ListLauncher("list")
      .pushCopyDeviceToHost("array", grid(), array)
      .pushCopyDeviceToHost("bytes", grid(), bytes.buffer)
      .pushCopyDeviceToDevice("buffer", grid(), buffer)
      .pushCopyDeviceToDevice("plain", grid(), plain);
    await list.enqueue(queue).wait();
    const expected = [5, 6, 9, 10];
    expect([...array]).toEqual(expected);
    expect([...new Int32Array(bytes.buffer)]).toEqual(expected);
    expect([...(await queue.read(buffer))]).toEqual(expected);
    expect([...(await queue.read(plain, Int32Array))]).toEqual(expected);
    const back = grid();
    await new CopyLauncher("back", { source: Int32Array.of(1, 2, 3, 4), target: back }).enqueue(queue).wait();
    expect([...(await back.read(queue))]).toEqual([1, 2, 3, 4]);
  });

  test("reads host memory when it runs", async (run) => {
    needsUserEvents(run);
    const [x, y] = [ints(0, 0, 0, 0), ints(0, 0, 0, 0)];
    const array = Int32Array.of(1, 2, 3, 4);
    const rows = new HostView(array, { shape: [2, 2] });
    const list = new ListLauncher("list")
      .pushCopyHostToHost("change", Int32Array.of(5, 6, 7, 8), array)
      .pushCopyHostToDevice("rows", rows, new DeviceView(x, { shape: [2, 2] }))
      .pushCopyHostToDevice("turned", rows.slice("::-1", "::-1").transpose(), new DeviceView(y, { shape: [2, 2] }));
    await list.enqueue(queue).wait();
    expect([...(await queue.read(x))]).toEqual([5, 6, 7, 8]);
    expect([...(await queue.read(y))]).toEqual([8, 6, 7, 5]);
  });

  const view = grid();
  const repeated = new DeviceView(ints(0), { shape: [2, 2], strides: [0, 0] });
  const floats = DeviceBuffer.empty(context, Float32Array, 4);
  const locked = new HostView(new Int32Array(4), { shape: [2, 2], readonly: true });
  test.each<[string, { source: CopyLauncherEnd; target: CopyLauncherEnd } & object, Error]>([
    ["different shapes", { source: view, target: view.slice(0) }, outOfRange("source")],
    [
      "different element types",
      { source: view, target: new DeviceView(floats, { shape: [2, 2] }) },
      wrongType("source"),
    ],
    ["memory of a different size", { source: view, target: new Int32Array(5) }, outOfRange()],
    ["arrays with a different element type", { source: new Float32Array(4), target: view }, wrongType("source")],
    ["buffers with a different element type", { source: floats, target: view }, wrongType("source")],
    ["a read-only target", { source: view, target: locked }, wrongState()],
    ["a target with repeated elements", { source: view, target: repeated }, wrongState()],
    ["offsets", { source: view, target: view, bytes: 4 } as never, wrongValue("options.bytes")],
  ])("rejects %s", (_, options, message) => {
    expect(() => new CopyLauncher("c", options)).toThrow(message);
  });

  test("between two contexts is rejected at construction, for views and memory", () => {
    const elsewhere = DeviceBuffer.from(Context.create(), new Int32Array(4));
    const error = wrongValue();
    const there = new DeviceView(elsewhere, { shape: [2, 2] });
    expect(() => new CopyLauncher("c", { source: view, target: there })).toThrow(error);
    expect(() => new CopyLauncher("c", { source: ints(1, 2, 3, 4), target: elsewhere })).toThrow(error);
    expect(() => new CopyLauncher("c", { source: ints(1, 2, 3, 4), target: elsewhere, region: [4, 2] })).toThrow(error);
  });
});

describe("a box of bytes", () => {
  test("is validated at construction", () => {
    const [x, y] = [ints(1, 2, 3, 4), ints(0, 0, 0, 0)];
    const make = (range: object) => () => new CopyLauncher("c", { source: x, target: y, ...range });
    expect(make({ region: [8, 3] })).toThrow(outOfRange());
    expect(make({ region: [8, 1], sourcePitches: [4] })).toThrow(outOfRange());
    expect(make({ sourceOrigin: [4] })).toThrow(wrongType("options.region"));
    expect(make({ region: [4], bytes: 4 })).toThrow(wrongValue("options.bytes"));
    expect(() => new CopyLauncher("c", { source: x, target: x, region: [8], targetOrigin: [4] })).toThrow(outOfRange());
  });

  test("is copied in all directions", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...directions.slice(0, 3)),
        fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })),
        fc.tuple(fc.nat(3), fc.nat(2)),
        fc.tuple(fc.nat(3), fc.nat(2)),
        fc.constantFrom(queue, outOfOrder),
        async ([from, to], [bytes, rows], sourceOrigin, targetOrigin, target) => {
          const all = Uint8Array.from({ length: 40 }, (_, i) => i + 1);
          const ends = [from, to].map((where, i) => {
            const memory = i === 0 ? all.slice() : new Uint8Array(40);
            return where === "host" ? memory : DeviceBuffer.from(context, memory);
          }) as [CopyLauncherEnd, CopyLauncherEnd];
          const range = {
            region: [bytes, rows],
            sourceOrigin,
            targetOrigin,
            sourcePitches: [8],
            targetPitches: [8],
          } as const;
          await new ListLauncher("list")
            .pushCopy("box", ...ends, range)
            .enqueue(target)
            .wait();
          const expected = new Uint8Array(40);
          for (let row = 0; row < rows; row++) {
            for (let byte = 0; byte < bytes; byte++) {
              const indexAt = ([x, y]: readonly [number, number]): number => (y + row) * 8 + x + byte;
              expected[indexAt(targetOrigin)] = all[indexAt(sourceOrigin)] as number;
            }
          }
          const end = ends[1];
          expect([
            ...(end instanceof DeviceBuffer ? queue.readSync(end as DeviceBuffer<Uint8Array>) : (end as Uint8Array)),
          ]).toEqual([...expected]);
        },
      ),
      { numRuns: caseCount(60) },
    );
  });
});

describe("images", () => {
  const noImages = "the device has no images";
  const hasImages = device?.imageSupport === true;
  const format = (): ImageFormat => new ImageFormat("RGBA", "UNSIGNED_INT8");
  const pixels = (count: number): Uint8Array => Uint8Array.from({ length: 4 * count }, (_, i) => i);
  const empty = (): Image => Image.empty(context, format(), [4, 3]);

  test("are copied from and to the host, buffers and other images in a list", async (run) => {
    needs(run, hasImages, noImages);
    for (const target of [queue, outOfOrder]) {
      const [one, two, three] = [empty(), empty(), empty()];
      const buffer = DeviceBuffer.empty(context, Uint8Array, 48);
      const out = new Uint8Array(48);
      const list = new ListLauncher("list")
        .pushCopyHostToDevice("up", pixels(12), one)
        .pushCopyDeviceToDevice("between", one, two)
        .pushCopyDeviceToDevice("flatten", two, buffer)
        .pushCopyDeviceToDevice("again", buffer, three)
        .pushCopyDeviceToHost("down", three, out);
      await list.enqueue(target).wait();
      expect([...out]).toEqual([...pixels(12)]);
    }
  });

  test("are copied in boxes with origins in pixels", async (run) => {
    needs(run, hasImages, noImages);
    const image = empty();
    await queue.write(image, new Uint8Array(48));
    const range = { region: [2, 2], targetOrigin: [1, 1], sourceOffset: 4 } as const;
    const down = { region: [2, 1], sourceOrigin: [1, 2], targetOffset: 4 } as const;
    const out = new Uint8Array(12);
    await new ListLauncher("list")
      .pushCopy("part", pixels(5), image, range)
      .pushCopy("row", image, out, down)
      .enqueue(queue)
      .wait();
    expect([...out]).toEqual([0, 0, 0, 0, 12, 13, 14, 15, 16, 17, 18, 19]);
  });

  test("are filled completely or in a box, with a copy of the color", async (run) => {
    needs(run, hasImages, noImages);
    const image = empty();
    const color = [1, 2, 3, 4];
    const list = new ListLauncher("list").push(
      new FillLauncher("all", { target: image, pattern: color }),
      new FillLauncher("box", { target: image, pattern: [9, 9, 9, 9], origin: [1, 1], region: [2, 1] }),
    );
    color[0] = 7;
    for (const target of [queue, outOfOrder]) await list.enqueue(target).wait();
    const expected = Array.from({ length: 12 }, (_, i) => (i === 5 || i === 6 ? [9, 9, 9, 9] : [1, 2, 3, 4]));
    expect([...(await queue.read(image))]).toEqual(expected.flat());
  });

  test("reject mismatched copies and fills at construction", (run) => {
    needs(run, hasImages, noImages);
    const image = empty();
    const other = Image.empty(context, new ImageFormat("RGBA", "UNSIGNED_INT16"), [4, 3]);
    const copy =
      (source: CopyLauncherEnd, target: CopyLauncherEnd, range = {}) =>
      () =>
        new CopyLauncher("c", { source, target, ...range });
    expect(copy(image, other)).toThrow(wrongValue());
    expect(copy(image, new Uint8Array(47))).toThrow(outOfRange());
    expect(copy(image, DeviceBuffer.empty(context, Uint8Array, 48), { targetPitches: [16] })).toThrow(
      wrongType("options"),
    );
    expect(copy(image, image)).toThrow(outOfRange());
    expect(copy(image, new HostView(new Uint8Array(48)))).toThrow(wrongType("source"));
    const fill = (options: object) => (): unknown =>
      Reflect.construct(FillLauncher, ["f", { target: image, ...options }]);
    expect(fill({ pattern: [1, 2, 3] })).toThrow(wrongType("color"));
    expect(fill({ pattern: [256, 0, 0, 0] })).toThrow(outOfRange("color[0]"));
    expect(fill({ pattern: [1, 2, 3, 4], origin: [5] })).toThrow(outOfRange("options.origin[0]"));
    expect(fill({ pattern: [1, 2, 3, 4], offset: 4 })).toThrow(wrongType("options"));
  });
});

describe("a fill of a view", () => {
  test("sets exactly the elements of the view", async () => {
    await fc.assert(
      fc.asyncProperty(sides, fc.integer(), fc.constantFrom(queue, outOfOrder), async ([given], value, target) => {
        const parts = given as Part[];
        const { view, read } = side("device", new Int32Array(sizeOf(parts)), parts);
        const fill = new FillLauncher("fill", { target: view as DeviceView, pattern: value });
        await new ListLauncher("list").push(fill).enqueue(target).wait();
        const expected = Array.from({ length: sizeOf(parts) }, () => 0);
        for (const index of indicesOf(parts)) expected[index] = value;
        expect(read()).toEqual(expected);
        fill.release();
      }),
      { numRuns: caseCount(60) },
    );
  });

  test("supports elements of any type", async () => {
    const three = DeviceView.empty(context, [2, 2], structType("three", { a: "uint8", b: "uint8", c: "uint8" }));
    const vector = DeviceView.empty(context, [3], "float4");
    await new ListLauncher("list")
      .push(new FillLauncher("struct", { target: three, pattern: { a: 1, b: 2, c: 3 } }))
      .push(new FillLauncher("vector", { target: vector, pattern: [1, 2, 3, 4] }))
      .enqueue(queue)
      .wait();
    expect([...(await three.read(queue))]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
    expect([...(await vector.read(queue))]).toEqual([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]);
  });

  test("rejects values that do not fit the elements, and read-only views", () => {
    const view = new DeviceView(ints(1, 2, 3, 4));
    const fill = (options: object) => (): unknown => Reflect.construct(FillLauncher, ["f", options]);
    expect(fill({ target: view, pattern: 0.5 })).toThrow(outOfRange("value"));
    expect(fill({ target: view.slice("0:1").broadcastTo([3]), pattern: 1 })).toThrow(wrongState());
    expect(fill({ target: view, pattern: 1, bytes: 4 })).toThrow(wrongType("options"));
  });
});
