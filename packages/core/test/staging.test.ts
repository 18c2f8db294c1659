// Large transfers through pinned memory. It is disabled on devices where it is not faster, so this file enables it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, OpenCLError, Program, UserEvent } from "@cl/core";

import { sample } from "@cl/testing/level";
import { roundTrip } from "@cl/testing/round-trip";
import { runChild } from "./fixtures/child.js";
import { onFake } from "./support/on-fake.js";
import { collectGarbage } from "@cl/base/testing";
import { context } from "./support/kernels.js";

const mebi = 2 ** 20;
const before = process.env["CL_STAGING"];
beforeAll(() => {
  process.env["CL_STAGING"] = "always";
});
afterAll(() => {
  if (before === undefined) delete process.env["CL_STAGING"];
  else process.env["CL_STAGING"] = before;
});

const counting = (bytes: number, seed: number): Uint32Array => {
  const array = new Uint32Array(bytes / 4);
  for (let i = 0; i < array.length; i++) array[i] = Math.imul(i ^ seed, 2654435761);
  return array;
};
/** Compares megabytes faster than toEqual. */
const same = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  Buffer.compare(
    Buffer.from(a.buffer, a.byteOffset, a.byteLength),
    Buffer.from(b.buffer, b.byteOffset, b.byteLength),
  ) === 0;

describe.each([
  ["in-order", false],
  ["out-of-order", true],
] as const)("on an %s queue", (_, outOfOrder) => {
  const queue = new CommandQueue(context, { outOfOrder });

  test.each(sample([8 * mebi + 4, 8 * mebi, 33 * mebi + 12], 1))("transfers %i bytes correctly", async (bytes) => {
    const array = counting(bytes, 1);
    const buffer = DeviceBuffer.empty(context, Uint32Array, array.length);
    await queue.write(buffer, array);
    expect(same(await queue.read(buffer), array)).toBe(true);
    const [more, into] = [counting(bytes, 2), new Uint32Array(array.length)];
    queue.writeSync(buffer, more);
    queue.readSync(buffer, { into });
    expect(same(into, more)).toBe(true);
    into.fill(0);
    await queue.read(buffer, { into });
    expect(same(into, more)).toBe(true);
    await queue.enqueueCopy(buffer, array).wait();
    into.fill(0);
    queue.copySync(into, buffer);
    expect(same(into, array)).toBe(true);
    buffer.release();
  });

  test("transfers between parts of arrays and buffers leave other elements unchanged", async () => {
    const buffer = DeviceBuffer.from(context, new Uint32Array(4 * mebi));
    const part = counting(12 * mebi, 3).subarray(5, 5 + 2.5 * mebi);
    await queue.write(buffer, part, { offset: 7 });
    const all = await queue.read(buffer);
    expect(all.subarray(0, 7).every((value) => value === 0)).toBe(true);
    expect(same(all.subarray(7, 7 + part.length), part)).toBe(true);
    expect(all.subarray(7 + part.length).every((value) => value === 0)).toBe(true);
    expect(same(await queue.read(buffer, { offset: 9, length: 2.25 * mebi }), part.subarray(2, 2 + 2.25 * mebi))).toBe(
      true,
    );
    buffer.release();
  });

  test("a transfer runs after its wait list, and fails if an event of it fails", async () => {
    const buffer = DeviceBuffer.empty(context, Uint32Array, 4 * mebi);
    const array = new Uint32Array(4 * mebi).fill(1);
    const gate = new UserEvent(context);
    let done = false;
    const writing = queue.write(buffer, array, { waitFor: gate }).then(() => (done = true));
    await roundTrip(context);
    expect(done).toBe(false);
    array.fill(2);
    gate.complete();
    await writing;
    expect((await queue.read(buffer)).every((value) => value === 2)).toBe(true);

    const own = new CommandQueue(context, { outOfOrder });
    const failing = new UserEvent(context);
    const late = own.write(buffer, array, { waitFor: failing });
    failing.fail(-7);
    await expect(late).rejects.toThrow(OpenCLError);
    buffer.release();
  });

  test("a signal aborts the wait, but not the transfer", async () => {
    const buffer = DeviceBuffer.empty(context, Uint32Array, 4 * mebi);
    const array = counting(16 * mebi, 4);
    const gate = new UserEvent(context);
    const stop = new AbortController();
    const writing = queue.write(buffer, array, { waitFor: gate, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(writing).rejects.toThrow("enough");
    gate.complete();
    await queue.finish();
    expect(same(await queue.read(buffer), array)).toBe(true);
    buffer.release();
  });

  test("a write from an array that is transferred meanwhile has the original contents", async () => {
    const buffer = DeviceBuffer.empty(context, Uint8Array, 16 * mebi);
    const gate = new UserEvent(context);
    let array: Uint8Array | undefined = new Uint8Array(16 * mebi).fill(5);
    const writing = queue.write(buffer, array, { waitFor: gate });
    structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
    array = undefined;
    await collectGarbage();
    gate.complete();
    await writing;
    expect((await queue.read(buffer)).every((value) => value === 5)).toBe(true);
    buffer.release();
  });
});

test("an in-order queue runs unawaited kernels and transfers in order", async () => {
  const queue = new CommandQueue(context);
  const program = await new Program(
    context,
    "__kernel void twice(__global uint *x) { x[get_global_id(0)] *= 2; }",
  ).build();
  const twice = program.kernel("twice");
  const length = 4 * mebi;
  const buffer = DeviceBuffer.empty(context, Uint32Array, length);
  const results: Promise<Uint32Array>[] = [];
  for (let round = 1; round <= 6; round++) {
    void queue.write(buffer, new Uint32Array(length).fill(round));
    twice.launch(queue, { global: [length] }, buffer);
    results.push(queue.read(buffer));
  }
  const values = await Promise.all(results);
  values.forEach((array, i) => expect(array.every((value) => value === 2 * (i + 1))).toBe(true));
});

test("objects that are released meanwhile are used until the transfer completes", async () => {
  const own = Context.create();
  const queue = new CommandQueue(own);
  const buffer = DeviceBuffer.empty(own, Uint32Array, 4 * mebi);
  const writing = queue.write(buffer, counting(16 * mebi, 6));
  const reading = queue.read(buffer);
  buffer.release();
  queue.release();
  own.release();
  await writing;
  expect(same(await reading, counting(16 * mebi, 6))).toBe(true);
});

test.each([
  ["exit", 0],
  ["gated", 0],
  ["throw", 1],
  ["worker", 0],
] as const)("a process that exits during a transfer exits normally (%s)", { tags: "ci" }, async (how, code) => {
  const end = await runChild("staging.mjs", { args: [how], limit: 60_000 });
  expect(end, end.stderr).toMatchObject({ code, signal: null, hung: false });
});

test("a transfer fails with any failing driver call, and leaks nothing", { tags: "ci" }, async () => {
  const { lines, report } = await onFake(`
    process.env.CL_STAGING = "always";
    const bytes = 9 * 2 ** 20;
    const array = new Uint8Array(bytes).fill(3);
    let failures = 0;
    for (let n = 1; n < 45; n++) {
      process.env.FAKE_CL_FAIL = "*@" + n + "=-5";
      const made = [];
      const keep = (object) => (made.unshift(object), object);
      try {
        const context = keep(Context.create());
        const queue = keep(new CommandQueue(context));
        const buffer = keep(new DeviceBuffer(context, bytes));
        await queue.write(buffer, array);
        queue.writeSync(buffer, array);
        const back = await queue.read(buffer, Uint8Array);
        if (!back.every((value) => value === 3)) throw new Error("wrong contents at " + n);
        queue.readSync(buffer, Uint8Array);
      } catch (error) {
        if (!(error instanceof OpenCLError)) throw error;
        failures++;
      }
      process.env.FAKE_CL_FAIL = "";
      for (const object of made) object.release();
    }
    for (const one of [queue, context]) one.release();
    console.log(failures > 20);`);
  expect(lines).toEqual(["true"]);
  expect(Object.entries(report.live).filter(([, count]) => count !== 0)).toEqual([]);
});
