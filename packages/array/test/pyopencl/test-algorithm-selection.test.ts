/** PyOpenCL's test_algorithm.py, re-expressed: copy_if, partition, unique and list builders. */
import { type DeviceArray, ListOfListsBuilder } from "@cl/array";
import { DeviceBuffer } from "@cl/core";
import { expect, test } from "vitest";

import { context, xp } from "../support/device.js";
import { testsEveryCase } from "@cl/testing/level";

const everyCase = testsEveryCase(import.meta.url);

const counts = [
  10, 255, 256, 257, 1019, 1024, 1029, 4091, 4096, 4101, 786_432, 786_437, 1_048_577, 1_048_576, 8_388_611,
].filter((n) => everyCase || n < 10_000 || n === 786_437);

/** Integers from 0 to 999. */
function drawn(n: number): Int32Array<ArrayBuffer> {
  let state = 15;
  return Int32Array.from({ length: n }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % 1001;
  });
}

test("test_copy_if", async () => {
  for (const n of counts) {
    const host = drawn(n);
    const a = xp.fromHost(host);
    const options = { parameters: "int myval", args: [300] } as const;
    const selected = await xp.copyIf(a, "a[i] > myval", options);
    expect(Buffer.compare(bytes(await selected.data()), bytes(host.filter((one) => one > 300))), String(n)).toBe(0);
    const removed = xp.removeIfSync(a, "a[i] > myval", options);
    expect(Buffer.compare(bytes(await removed.data()), bytes(host.filter((one) => one <= 300))), String(n)).toBe(0);
    for (const one of [a, selected, removed]) one.release();
  }
});

test("test_partition", async () => {
  for (const n of counts) {
    const host = drawn(n);
    const a = xp.fromHost(host);
    const [selected, others] = await xp.partitionIf(a, "a[i] > myval", { parameters: "int myval", args: [300] });
    expect(Buffer.compare(bytes(await selected.data()), bytes(host.filter((one) => one > 300))), String(n)).toBe(0);
    expect(Buffer.compare(bytes(await others.data()), bytes(host.filter((one) => one <= 300))), String(n)).toBe(0);
    for (const one of [a, selected, others] as DeviceArray[]) one.release();
  }
});

test("test_unique", async () => {
  for (const n of counts) {
    const host = drawn(n).sort();
    const a = xp.fromHost(host);
    const different = await xp.uniqueConsecutive(a);
    expect(Buffer.compare(bytes(await different.data()), bytes(Int32Array.from(new Set(host)))), String(n)).toBe(0);
    for (const one of [a, different]) one.release();
  }
});

const manyOfEach = "const int count = i % 4; for (int j = 0; j < count; j++) APPEND_mylist(count);";

test("test_list_builder", async () => {
  const builder = new ListOfListsBuilder("", { mylist: "int32" }, manyOfEach);
  const { mylist } = await builder.build({ objects: 2000, xp });
  expect(mylist.count).toBe(3000);
  expect((await mylist.values.data()).slice(-6)).toEqual(Int32Array.of(1, 2, 2, 3, 3, 3));
});

test("test_list_builder_with_memoryobject", async () => {
  // A builder accepts an array over foreign memory.
  const buffer = new DeviceBuffer(context, 40_000);
  const zeros = xp.asArray(buffer, { dtype: "int32", shape: [10_000] });
  zeros.assign(0);
  const builder = new ListOfListsBuilder(
    "const int *input_list",
    { mylist: "int32" },
    "const int count = i % 4; for (int j = 0; j < count; j++) APPEND_mylist(count + input_list[i]);",
  );
  const { mylist } = await builder.build({ objects: 2000 }, zeros);
  expect(mylist.count).toBe(3000);
  expect((await mylist.values.data()).slice(-6)).toEqual(Int32Array.of(1, 2, 2, 3, 3, 3));
});

test("test_list_builder_with_offset", async () => {
  const n = 1000;
  const whole = xp.zeros([n + 10], { dtype: "int32" });
  const input = whole.slice("10:");
  input.assign(1);
  const builder = new ListOfListsBuilder("const int *input_list", { mylist: "int32" }, "APPEND_mylist(input_list[i]);");
  const { mylist } = await builder.build({ objects: n }, input);
  expect(mylist.count).toBe(n);
  expect(await mylist.values.sum().item()).toBe(BigInt(n));
});

test("test_list_builder_with_empty_elim", async () => {
  const builder = new ListOfListsBuilder(
    "",
    { mylist1: "int32", mylist2: "int32", mylist3: "int32" },
    `if (i % 5 != 0) return;
     for (int j = 0; j < i / 5; j++) {
       APPEND_mylist1(j);
       APPEND_mylist2(j + 1);
       APPEND_mylist3(j);
     }`,
    { eliminateEmpty: ["mylist1", "mylist2"] },
  );
  const { mylist1, mylist2, mylist3 } = await builder.build({ objects: 1000, xp });
  const first = async (array: { data(): Promise<ArrayLike<unknown>> } | undefined, n: number): Promise<number[]> =>
    Array.from((await array?.data()) as ArrayLike<number>, Number).slice(0, n);
  for (const one of [mylist1, mylist2]) {
    expect(one.count).toBe(19_900);
    expect(await first(one.starts, 5)).toEqual([0, 1, 3, 6, 10]);
    expect(one.nonempty?.size).toBe(199);
    expect(await first(one.nonempty, 5)).toEqual([5, 10, 15, 20, 25]);
    expect(await first(one.compressed, 12)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]);
  }
  expect(await first(mylist1.values, 6)).toEqual([0, 0, 1, 0, 1, 2]);
  expect(await first(mylist2.values, 6)).toEqual([1, 1, 2, 1, 2, 3]);
  expect(mylist3.count).toBe(19_900);
  expect(await first(mylist3.starts, 10)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
  expect(mylist3.nonempty).toBeUndefined();
});

function bytes({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}
