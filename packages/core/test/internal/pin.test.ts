import { expect, test } from "vitest";
import { CommandQueue, Context, UserEvent } from "@cl/core";

import { native } from "../../src/binding/native.js";
import { heldCount, hold, holdUntil } from "../../src/binding/pin.js";
import { handleOf } from "../../src/binding/resource.js";

const context = Context.create();
const queue = new CommandQueue(context);

test("each command pins its memory until it completes or fails", async () => {
  const memory = new ArrayBuffer(8);
  const gates = [new UserEvent(context), new UserEvent(context)] as const;
  const [first, second] = gates.map((gate) => queue.enqueueMarker(gate)) as [
    ReturnType<CommandQueue["enqueueMarker"]>,
    ReturnType<CommandQueue["enqueueMarker"]>,
  ];
  hold(handleOf(first), memory);
  hold(handleOf(second), memory);
  expect(heldCount()).toBe(2);
  gates[0].complete();
  await expect.poll(heldCount).toBe(1);
  gates[1].fail(-5);
  await expect.poll(heldCount).toBe(0);
});

test("nothing is held where native code pins", () => {
  if (native.canPin()) holdUntil(0, new ArrayBuffer(8));
  expect(heldCount()).toBe(0);
});
