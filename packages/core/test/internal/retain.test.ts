import { expect, test } from "vitest";
import { CommandEvent } from "../../src/event/event.js";
import { UserEvent } from "../../src/event/user-event.js";
import { CommandQueue } from "../../src/queue/queue.js";
import { Context } from "../../src/platform/context.js";
import { native } from "../../src/binding/native.js";
import { handleOf, type Resource } from "../../src/binding/resource.js";

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

test.each(kinds)("a %s that is adopted without retain takes the caller's reference over", (_, make, adopt) => {
  const own = make();
  const before = own.referenceCount;
  // As somebody outside would hold it.
  native.retainRaw(handleOf(own));
  const taken = adopt(own.pointer, false);
  expect(own.referenceCount).toBe(before + 1);
  taken.release();
  expect(own.referenceCount).toBe(before);
});

test.each(kinds)("a %s that is adopted with retain has a reference of its own", (_, make, adopt) => {
  const own = make();
  const before = own.referenceCount;
  const adopted = adopt(own.pointer, true);
  expect(own.referenceCount).toBe(before + 1);
  adopted.release();
  expect(own.referenceCount).toBe(before);
});
