import { inspect } from "node:util";
import { expect, test } from "vitest";
import { CommandQueue, Context, type Resource, UserEvent } from "@cl/core";
import { onFake } from "./support/on-fake.js";
import { context } from "./support/kernels.js";

const [device] = context.devices;
const queue = new CommandQueue(context, { profiling: true });

const objects: [string, Resource, RegExp][] = [
  ["Platform", context.platform, /^Platform \{ '.+', OpenCL .+ \}$/],
  ["Device", device as Resource, /^Device \{ '.+', (CPU|GPU|ACCELERATOR|CUSTOM), OpenCL \d\.\d, \d+ CU \}$/],
  ["Context", context, /^Context \{ '.+' \}$/],
  ["CommandQueue", queue, /^CommandQueue \{ '.+', in order, profiling \}$/],
  ["CommandEvent", queue.enqueueMarker(), /^CommandEvent \{ MARKER, \w+ \}$/],
  ["UserEvent", new UserEvent(context), /^UserEvent \{ USER, SUBMITTED \}$/],
];

test.each(objects)("console.log of a %s prints one line", (_, object, line) => {
  expect(inspect(object)).toMatch(line);
  expect(String(object)).toBe(inspect(object));
  expect(inspect({ nested: [object] }, { breakLength: Infinity })).toContain(inspect(object));
});

test("the label is printed, and can be set, changed and removed later", () => {
  expect(inspect(Context.fromType(0xffff_ffff, { label: "left" }))).toMatch(/^Context "left" \{ /);
  expect(inspect(Context.fromPointer(context.pointer, { label: "right" }))).toMatch(/^Context "right" \{ /);
  const event = queue.enqueueMarker();
  expect(event.label).toBeUndefined();
  event.label = "a";
  event.label = "b";
  expect(String(event)).toMatch(/^CommandEvent "b"/);
  event.label = undefined;
  expect(String(event)).toMatch(/^CommandEvent \{/);
});

test("a released object is printed as released", () => {
  const event = queue.enqueueMarker();
  event.release();
  expect(inspect(event)).toBe("CommandEvent (released)");
  const labelled = new UserEvent(context, { label: "go" });
  labelled.release();
  expect(inspect(labelled)).toBe('UserEvent "go" (released)');
});

test("printing does not throw if a driver query fails", async () => {
  const { lines } = await onFake(`
    const event = queue.enqueueMarker();
    process.env.FAKE_CL_FAIL = "clGetEventInfo=-6,clGetPlatformInfo=-6";
    console.log(event);
    console.log(getPlatforms()[0]);`);
  expect(lines).toEqual(["CommandEvent", "Platform"]);
});

test("objects have no enumerable properties", () => {
  for (const [, object] of objects) expect(Object.keys(object)).toEqual([]);
});
