import { Context } from "@cl/core";
import { describeAllocator, describeDevices } from "@cl/tools/testing";
import { beforeAll, describe, expect, test } from "vitest";

import { Arena } from "./support/arena.js";
import { type Outcome, runSuite } from "./support/run-suites.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

describeDevices("on each device", ({ device }) => {
  describeAllocator("a user-defined arena", ({ context }) => new Arena(context, 2 ** 26), {
    context: () => new Context(device),
    usedBytes: (arena) => arena.usedBytes,
  });
});

describe("the battery detects", { tags: "ci" }, () => {
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    ({ outcomes } = await runSuite("broken-allocators.suite.ts", {}));
  }, 240_000);

  test.each([
    ["overlapping parts", "of parts over each other", /keeps contents intact while other memory is allocated/],
    ["too few bytes", "of too few bytes", /returns live memory of its context with at least the requested size/],
    ["memory for 0 bytes", "of something for nothing", /returns null for 0 bytes/],
    ["an allocator that retains memory", "that keeps what it gave", /releases dropped memory when it is collected/],
    ["counters that include failures", "that counts what it did not get", /upstream result is out of memory/],
    ["swallowed errors", "that makes a null of every error", /upstream result is out of memory/],
    ["memory with two owners", "that gives the same twice", /keeps contents intact while other memory is allocated/],
    ["unchecked results of the upstream", "of too few bytes", /upstream result is undefined/],
  ])("%s", (_, name, title) => {
    const failed = outcomes.filter((one) => one.status === "failed" && one.name.includes(name)).map((one) => one.name);
    expect(failed.join("\n")).toMatch(title);
  });
});

test.each<[unknown[], Error]>([
  [[7, () => undefined], wrongType("name")],
  [["x", {}], wrongType("factory")],
  [["x", () => undefined, { memory: "image" }], wrongType("options.memory")],
  [["x", () => undefined, { maxBytes: 0 }], outOfRange("options.maxBytes")],
])("describeAllocator rejects an invalid argument (%#)", (args, error) => {
  expect((): unknown => Reflect.apply(describeAllocator, undefined, args)).toThrow(error);
});
