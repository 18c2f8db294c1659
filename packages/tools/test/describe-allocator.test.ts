import { Context } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";
import { describeAllocator, describeDevices } from "@cl/tools/testing";
import { beforeAll, describe, expect, test } from "vitest";

import { Arena } from "./support/arena.js";
import { type Outcome, runSuite } from "./support/run-suites.js";

describeDevices("on each device", ({ device }) => {
  describeAllocator("an arena of somebody's own", ({ context }) => new Arena(context, 2 ** 26), {
    context: () => new Context(device),
    usedBytes: (arena) => arena.usedBytes,
  });
});

describe("the battery finds", () => {
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    ({ outcomes } = await runSuite("broken-allocators.suite.ts", {}));
  }, 240_000);

  test.each([
    ["parts over each other", "of parts over each other", /keeps contents intact while other memory is allocated/],
    ["too few bytes", "of too few bytes", /returns live memory of its context with at least the requested size/],
    ["something where nothing was asked for", "of something for nothing", /returns null for 0 bytes/],
    ["an allocator that keeps what it gave", "that keeps what it gave", /releases dropped memory when it is collected/],
    ["books that count failures", "that counts what it did not get", /upstream result is out of memory/],
    ["errors that are swallowed", "that makes a null of every error", /upstream result is out of memory/],
    ["memory with two owners", "that gives the same twice", /keeps contents intact while other memory is allocated/],
    ["answers that nobody looked at", "of too few bytes", /upstream result is undefined/],
  ])("%s", (_, name, title) => {
    const failed = outcomes.filter((one) => one.status === "failed" && one.name.includes(name)).map((one) => one.name);
    expect(failed.join("\n")).toMatch(title);
  });
});

const nothing = (): undefined => undefined;

test.each([
  ["a name that is none", [7, nothing], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "name")],
  ["a factory that is none", ["x", {}], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "factory")],
  [
    "memory of a kind that there is not",
    ["x", nothing, { memory: "image" }],
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.memory"),
  ],
  [
    "a largest size of nothing",
    ["x", nothing, { maxBytes: 0 }],
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.maxBytes"),
  ],
])("describeAllocator refuses %s", (_, args, message) => {
  expect((): unknown => Reflect.apply(describeAllocator, undefined, args)).toThrow(message);
});
