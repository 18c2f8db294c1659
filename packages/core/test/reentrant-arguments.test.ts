/** The caller's code that runs during a call, in a getter, a function or a trap, and launches kernels itself. */
import { describe, expect, test } from "vitest";
import { DeviceBuffer, kernelArgument, LaunchList, type LaunchSizes } from "@cl/core";

import { context, kernelOf, queue } from "./support/kernels.js";

const fill = kernelOf(`__kernel void fill_with(__global int *out, int value, int4 more) {
  out[get_global_id(0) + 8 * get_global_id(1)] = value + more.x + more.y + more.z + more.w;
}`);
const many = kernelOf(`__kernel void many(__global int *out, int a, int b, int c) {
  out[get_global_id(0)] = a * 10000 + b * 100 + c;
}`);
const scratch = DeviceBuffer.from(context, new Int32Array(64));

/** Uses all parts of a launch, with other values. */
function launchOther(): void {
  many.launch(queue, { global: [7, 1, 1], local: [1, 1, 1], offset: [1, 0, 0] }, scratch, 9, 9, 9);
  fill.launch(queue, { global: [3, 1] }, scratch, 99, [90, 90, 90, 90]);
  queue.enqueueCopy(scratch, new Int32Array(16), { region: [8, 2] });
}

/** Returns an array whose last element is a getter that launches other kernels. */
function trapped<T>(values: readonly T[]): T[] {
  const array = [...values];
  const last = array.length - 1;
  const value = array[last];
  Object.defineProperty(array, last, {
    enumerable: true,
    get: () => {
      launchOther();
      return value;
    },
  });
  return array;
}

function written(sizes: LaunchSizes, value: unknown, more: unknown): number[] {
  const out = DeviceBuffer.from(context, new Int32Array(64));
  fill.launch(queue, sizes, out, value, more);
  return [...queue.readSync(out)].flatMap((item, i) => (item === 0 ? [] : [i, item]));
}

const expected = [0, 11, 1, 11, 8, 11, 9, 11];

describe("a launch keeps its sizes and arguments", () => {
  test.each<[string, () => LaunchSizes]>([
    ["global", () => ({ global: trapped([2, 2]) })],
    ["local", () => ({ global: [2, 2], local: trapped([1, 1]) })],
    ["offset", () => ({ global: [2, 2], offset: trapped([0, 0]) })],
    ["every array", () => ({ global: trapped([2, 2]), local: trapped([1, 1]), offset: trapped([0, 0]) })],
  ])("if a getter in `%s` launches another kernel", (_, sizes) => {
    expect(written(sizes(), 1, [1, 2, 3, 4])).toEqual(expected);
  });

  test("if an argument's protocol method and a size function launch other kernels", () => {
    const four = {
      [kernelArgument]: () => {
        launchOther();
        return { bytes: Int32Array.of(1, 2, 3, 4) };
      },
    };
    const global = (): readonly number[] => {
      launchOther();
      return trapped([2, 2]);
    };
    expect(written({ global, local: trapped([1, 1]) }, 1, four)).toEqual(expected);
  });

  test("and asks each object that stands for memory once, also if it launches another kernel", () => {
    const out = DeviceBuffer.from(context, new Int32Array(64));
    for (const launches of [0, 1, 2]) {
      const asked: string[] = [];
      const standFor = <T>(name: string, value: T): { [kernelArgument]: () => T } => ({
        [kernelArgument]: () => {
          asked.push(name);
          for (let k = 0; k < launches; k++) launchOther();
          return value;
        },
      });
      const more = standFor("more", { bytes: Int32Array.of(1, 2, 3, launches) });
      fill.launch(queue, { global: [2, 2] }, standFor("out", { memory: out }), 1, more);
      expect(asked).toEqual(["out", "more"]);
      expect([...queue.readSync(out).subarray(0, 10)]).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => (i % 8 < 2 ? 7 + launches : 0)),
      );
    }
  });

  test("if arguments are set one by one, or bound", () => {
    const out = DeviceBuffer.from(context, new Int32Array(64));
    const kernel = fill.clone();
    kernel
      .setArg(0, out)
      .setArg(1, 1)
      .setArg(2, trapped([1, 2, 3, 4]));
    kernel.launchWithSetArgs(queue, { global: trapped([2, 2]) });
    expect(queue.readSync(out)[9]).toBe(11);
    const bound = fill.bind({ global: trapped([2, 2]) }, out, 2, trapped([1, 2, 3, 4]));
    bound.launch(queue);
    expect(queue.readSync(out)[9]).toBe(12);
  });

  test("if the values of a list launch another kernel", () => {
    const out = DeviceBuffer.from(context, new Int32Array(4));
    const bound = many.bind({ global: 4 }, out, 0, 0, 0);
    const list = new LaunchList(context).push(bound, { scalars: { a: 0, b: 1, c: 2 } });
    list.launch(queue, trapped([1, 2, 3]));
    expect([...queue.readSync(out)]).toEqual(Array(4).fill(10203));
  });
});
