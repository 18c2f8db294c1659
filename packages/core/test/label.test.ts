import { expect, test } from "vitest";
import { CommandQueue, Context, type Resource, UserEvent } from "@cl/core";

const context = Context.create();

test.each<[string, (label: string) => Resource]>([
  ["Context", (label) => Context.create({ label })],
  ["Context from a type", (label) => Context.fromType(0xffff_ffff, { label })],
  ["Context from a pointer", (label) => Context.fromPointer(context.pointer, { label })],
  ["CommandQueue", (label) => new CommandQueue(context, { label })],
  ["UserEvent", (label) => new UserEvent(context, { label })],
])("%s accepts a label, prints it, and names it in errors", (_, make) => {
  const object = make("the blue one");
  expect(object.label).toBe("the blue one");
  expect(String(object)).toContain('"the blue one"');
  object.release();
  expect(() => object.pointer).toThrow(/"the blue one" has been released/);
});

test("a label can be set, changed and removed later", () => {
  const event = new CommandQueue(context).enqueueMarker();
  expect(event.label).toBeUndefined();
  event.label = "a";
  event.label = "b";
  expect(String(event)).toMatch(/^CommandEvent "b"/);
  event.label = undefined;
  expect(String(event)).toMatch(/^CommandEvent \{/);
});
