/** ListOfListsBuilder: shared counts, empty lists, several lists, arguments of all kinds, and errors. */
import { ListOfListsBuilder } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";
import { BuildError } from "@cl/core";
import { errorLike, outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

import { queue, xp } from "./support/device.js";

test("lists contain what each object appended, in the order of the objects", { tags: "ci" }, async () => {
  const builder = new ListOfListsBuilder(
    "const int *keys, int most",
    { below: "int32", halves: "float16", large: "uint8" },
    `for (int k = 0; k < keys[i]; k++) {
       APPEND_below(k);
       if (k % 2) APPEND_halves(k * 0.5f);
     }
     if (keys[i] > most) APPEND_large(keys[i]);`,
  );
  for (const n of [0, 1, 255, 257, 4096, 4101, 20_000]) {
    const keys = Int32Array.from({ length: n }, (_, i) => (i * 7) % 11);
    const array = xp.array(keys).slice("::-1");
    const { below, halves, large } = await builder.build({ objects: n }, array, 8);
    const own = Array.from(keys.toReversed());
    let at = 0;
    const starts = own.map((key) => (at += key) - key);
    expect(Array.from(await below.starts.data(), Number), String(n)).toEqual([...starts, at]);
    expect([below.count, below.lists]).toEqual([at, n]);
    const values = own.flatMap((key) => Array.from({ length: key }, (_, k) => k));
    expect(Array.from(await below.values.data())).toEqual(values);
    expect(await halves.values.astype("float32").toNested()).toEqual(
      values.filter((k) => k % 2 === 1).map((k) => k / 2),
    );
    expect(Array.from(await large.values.data())).toEqual(own.filter((key) => key > 8));
  }
});

test("lists with shared counts share one array of starts", { tags: "ci" }, async () => {
  const builder = new ListOfListsBuilder(
    "",
    { number: "int32", square: "float32", other: "int64" },
    `for (int k = 0; k < i % 3; k++) {
       APPEND_number((int)i);
       APPEND_square((float)(i * i));
       APPEND_other(-i);
     }`,
    { countSharing: { square: "number", other: "number" }, eliminateEmpty: ["number"] },
  );
  const { number, square, other } = await builder.build({ objects: 7, xp });
  expect(await number.values.toNested()).toEqual([1, 2, 2, 4, 5, 5]);
  expect(await square.values.toNested()).toEqual([1, 4, 4, 16, 25, 25]);
  expect(await other.values.toNested()).toEqual([-1n, -2n, -2n, -4n, -5n, -5n]);
  expect(await square.starts.toNested()).toEqual([0, 1, 3, 4, 6]);
  expect(await other.nonempty?.toNested()).toEqual([1, 2, 4, 5]);
  // Each can be released separately.
  number.release();
  expect(await square.starts.toNested()).toEqual([0, 1, 3, 4, 6]);
  const none = await builder.build({ objects: 0, xp });
  expect([none.square.lists, none.square.nonempty?.size, none.other.count]).toEqual([0, 0, 0]);
  const empty = await builder.build({ objects: 1, xp });
  expect([empty.square.lists, empty.square.nonempty?.size, empty.other.count]).toEqual([0, 0, 0]);
  expect(await empty.number.compressed?.toNested()).toEqual([0, 0]);
});

test("lists can be omitted, and functions can append", async () => {
  const builder = new ListOfListsBuilder("", { one: "int32", two: "int32" }, "both(LIST_ARGUMENTS, i);", {
    preamble: `void both(LIST_PARAMETERS, const int i) {
      APPEND_one(i);
      if (i > 1) return;
      APPEND_two(10 * i);
    }`,
  });
  const all = await builder.build({ objects: 3, xp });
  expect(await all.one.values.toNested()).toEqual([0, 1, 2]);
  expect(await all.two.values.toNested()).toEqual([0, 10]);
  const some = builder.buildSync({ objects: 3, xp, omit: ["one"] });
  expect(Object.keys(some)).toEqual(["two"]);
  expect(await some.two.values.toNested()).toEqual([0, 10]);
});

test("releases its memory on success and failure", { tags: "ci" }, async () => {
  const { pool, xp: own } = pooled(queue);
  const builder = new ListOfListsBuilder("const int *x", { a: "int32" }, "if (x[i]) APPEND_a(i);", {
    eliminateEmpty: ["a"],
  });
  const x = own.arange(5000, { dtype: "int32" });
  await own.check();
  const before = pool.activeBytes;
  for (let k = 0; k < 3; k++) {
    using built = (await builder.build({ objects: 5000 }, x)).a;
    expect([built.count, built.lists]).toEqual([4999, 4999]);
  }
  expect(() => builder.buildSync({ objects: 5001 }, x)).toThrow(outOfRange("options.range"));
  await expect(builder.build({ objects: 5000, signal: AbortSignal.abort() }, x)).rejects.toThrow(
    expect.objectContaining({ name: "AbortError" }),
  );
  const promise = builder.build({ objects: 5000 }, x);
  expect(() => x.assign(0)).toThrow(wrongState());
  (await promise).a.release();
  expect(pool.activeBytes).toBe(before);
});

test("rejects invalid arguments", () => {
  const make = (lists: unknown, options?: object): unknown =>
    new ListOfListsBuilder("", lists as { a: "int32" }, "APPEND_a(1);", options);
  expect(() => make({})).toThrow(wrongValue("lists"));
  expect(() => make({ a: "float3" })).toThrow(wrongType("lists.a"));
  expect(() => make({ a: "int32" }, { countSharing: { b: "a" } })).toThrow(wrongValue("options.countSharing"));
  expect(() => make({ a: "int32" }, { countSharing: { a: "a" } })).toThrow(wrongValue("options.countSharing"));
  expect(() => make({ a: "int32", b: "int8" }, { countSharing: { b: "a" }, eliminateEmpty: ["b"] })).toThrow(
    wrongValue("options.eliminateEmpty"),
  );
  const builder = new ListOfListsBuilder("", { a: "int32", b: "int8" }, "", { countSharing: { b: "a" } });
  expect(() => builder.buildSync({ objects: 2 })).toThrow(wrongValue("options.xp"));
  expect(() => builder.buildSync({ objects: -1, xp })).toThrow(outOfRange("options.objects"));
  expect(() => builder.buildSync({ objects: 1, xp, omit: ["a"] })).toThrow(wrongValue("options.omit"));
  expect(() => new ListOfListsBuilder("", { a: "int32" }, "APPEND_b(1);").buildSync({ objects: 1, xp })).toThrow(
    errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"),
  );
});
