import { expect, test } from "vitest";
import { CommandEvent } from "../../src/event/event.js";
import { UserEvent } from "../../src/event/user-event.js";
import { CommandQueue } from "../../src/command-queue/command-queue.js";
import { Context } from "../../src/platform/context.js";
import { native } from "../../src/binding/native.js";
import { handleOf, type Resource } from "../../src/binding/resource.js";
import { wrongValue } from "@cl/testing/error-like";

const context = Context.create();
const kinds: [string, () => Resource & { referenceCount: number }, (pointer: bigint, retain: boolean) => Resource][] = [
  ["Context", () => Context.create(), (pointer, retain) => Context.fromPointer(pointer, { retain })],
  [
    "CommandQueue",
    () => new CommandQueue(context),
    (pointer, retain) => CommandQueue.fromPointer(context, pointer, { retain }),
  ],
  [
    "UserEvent",
    () => new UserEvent(context),
    (pointer, retain) => CommandEvent.fromPointer(context, pointer, { retain }),
  ],
];

test.each(kinds)("a %s that is adopted without retain takes over the caller's reference", (_, make, adopt) => {
  const own = make();
  const { pointer } = own;
  const before = own.referenceCount;
  // Other code holds the remaining reference.
  native.retainRaw(handleOf(own));
  own.release();
  const taken = adopt(pointer, false) as typeof own;
  expect(taken.referenceCount).toBe(before);
  const other = adopt(pointer, true);
  expect(taken.referenceCount).toBe(before + 1);
  expect(() => adopt(pointer, false)).toThrow(wrongValue("options.retain"));
  other.release();
  expect(taken.referenceCount).toBe(before);
  taken.release();
});
