/** Native code that must name every entry point. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string): string => readFileSync(new URL(`../../native/driver/${file}`, import.meta.url), "utf8");

test("every command is noted, so that its event is held if a user event fails", () => {
  // The predecessors of the functions with wait lists are called only on drivers before OpenCL 1.2.
  const others = ["clEnqueueMarker", "clEnqueueBarrier"];
  const commands = [...read("entry_points.h").matchAll(/X\((clEnqueue\w+),/g)].map(([, name]) => name as string);
  expect(commands.length).toBeGreaterThan(20);
  const noted = new Set(read("held_events.cc").match(/clEnqueue\w+/g));
  expect(commands.filter((name) => !others.includes(name) && !noted.has(name))).toEqual([]);
});
