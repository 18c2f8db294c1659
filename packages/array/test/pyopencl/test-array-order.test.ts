/** PyOpenCL's test_array.py, re-expressed: copies, out-of-order queues, and commands that wait for events. */
import { CommandQueue, UserEvent } from "@cl/core";
import { arrays } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { roundTrip } from "@cl/testing/round-trip";
import { context, queue, xp } from "../support/device.js";
import { randomFloats } from "../support/numbers.js";

const loose = arrays(new CommandQueue(context, { outOfOrder: true }));

test("copies are equal and independent (test_copy)", async () => {
  const values = randomFloats(1000);
  const a = xp.array(values);
  const b = a.copy();
  a.assign(0);
  expect(await b.data()).toEqual(values);
  // A copy on another queue than the source's.
  const c = loose.empty([1000], { dtype: "float32" });
  c.assign(b);
  expect(c.xp.queue).not.toBe(queue);
  expect(await c.data()).toEqual(values);
});

test("reading waits for enqueued commands and for the caller's events (test_get_async)", async (run) => {
  needs(run, !queue.device.name.includes("Oclgrind"), "user events hang on this device");
  const values = randomFloats(100_000);
  const a = loose.array(values);
  const gate = new UserEvent(context);
  let opened = false;
  // The barrier blocks all later commands of the queue.
  loose.queue.enqueueBarrier([gate]);
  const read = a.mul(a).add(1).data();
  const result = read.then((data) => ({ data, opened }));
  await roundTrip(context);
  opened = true;
  gate.complete();
  expect(await result).toEqual({
    data: values.map((value) => Math.fround(Math.fround(value * value) + 1)),
    opened: true,
  });
});

test("a thousand fills retain no events and do not wait for the device (test_event_management)", async () => {
  const a = loose.zeros([1000], { dtype: "float32" });
  for (let k = 0; k < 1000; k++) a.assign(k);
  for (const result of [a.add(a), a.mul(a), a.mul(2), a.div(2)]) expect(result.size).toBe(1000);
  expect(new Set(await a.data())).toEqual(new Set([999]));
});

test("results are correct on an out-of-order queue (test_outoforderqueue_get, …_copy, …_clmath)", async () => {
  const values = randomFloats(100_000);
  const a = loose.array(values);
  const b = a.copy();
  const c = b.mul(5).sin().absolute();
  expect(await b.data()).toEqual(values);
  const expected = values.map((value) => Math.abs(Math.sin(5 * value)));
  const actual = await c.data();
  const error = actual.reduce((sum, value, i) => sum + Math.abs(value - (expected[i] as number)), 0) / actual.length;
  expect(error).toBeLessThan(1e-5);
});

test("indexing and assignment are ordered on an out-of-order queue (test_outoforderqueue_indexing)", async () => {
  const n = 100_000;
  const values = randomFloats(n);
  const a = loose.array(values);
  const indices = loose.arange(n, { dtype: "int32" });
  const shifted = a.mul(a).take(indices.sub(1000), { mode: "wrap" });
  expect((await shifted.data()).slice(0, 1)).toEqual(Float32Array.of((values[n - 1000] as number) ** 2));
  const b = loose.zeros([n], { dtype: "float32" });
  b.slice(":50000").assign(a.slice("50000:").mul(2));
  b.setAt([loose.arange(50_000, { dtype: "int32" }).add(50_000)], a.slice(":50000"));
  b.slice("::7").assign(b.slice("::7").add(1));
  const expected = values.map((_, i) => {
    const value = i < n / 2 ? 2 * (values[i + n / 2] as number) : (values[i - n / 2] as number);
    return i % 7 === 0 ? value + 1 : value;
  });
  expect(await b.data()).toEqual(expected);
});
