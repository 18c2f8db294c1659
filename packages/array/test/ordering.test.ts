/** Ordering costs nothing on one in-order queue, and one marker when a second queue is involved. */
import { CommandQueue } from "@cl/core";
import { type Arrays, arrays } from "@cl/array";
import { expect, test, vi } from "vitest";

import { context } from "./support/device.js";

test("needs no markers on one in-order queue, and one marker per batch on two", async () => {
  const queue = new CommandQueue(context);
  const [xp, other] = [queue, new CommandQueue(context)].map((one) => arrays(one, { eager: true })) as [Arrays, Arrays];
  const markers = vi.spyOn(queue, "enqueueMarker");
  const a = xp.zeros([100], { dtype: "int32" });
  for (let i = 0; i < 10; i++) a.add(1, { out: a });
  expect(new Set(await a.slice("::-1").data())).toEqual(new Set([10]));
  expect(markers).not.toHaveBeenCalled();
  const seen = [other.zeros([100], { dtype: "int32" }).add(a), other.zeros([100], { dtype: "int32" }).add(a)];
  expect(markers).toHaveBeenCalledTimes(1);
  // Must not overtake the pending reads of the other queue.
  a.assign(0);
  for (const sum of seen) expect(new Set(await sum.data())).toEqual(new Set([10]));
});
