/** Native failures become errors with Node.js codes, and all sources use the helpers of `@cl/base`. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import { createNativeError } from "../../src/binding/errors.js";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

test.each([
  [createNativeError("WRONG_KIND", "queue", 0, "kernel", -1), TypeError, "ERR_INVALID_ARG_TYPE", /^expected a kernel/],
  [createNativeError("WRONG_CONTEXT", "", 0, "queue", -1), TypeError, "ERR_INVALID_ARG_VALUE", /another context$/],
  [createNativeError("ARGUMENT_NOT_SET", "", 0, "", -1), TypeError, "ERR_INVALID_STATE", /never set$/],
  [createNativeError("NOT_AN_OBJECT", "", 0, "queue", -1), TypeError, "ERR_INVALID_ARG_VALUE", /^the pointer is not/],
  [createNativeError("ESCAPED", "", 0, "", -1), TypeError, "ERR_INVALID_STATE", /was transferred/],
  [
    createNativeError("TOO_MANY_OBJECTS", "", 0, "9", -1),
    RangeError,
    "ERR_OUT_OF_RANGE",
    /^more than 9 OpenCL objects/,
  ],
  [createNativeError("INVALID", "", 0, "no", -1), TypeError, "ERR_INVALID_ARG_VALUE", "no"],
] as const)("%o is a %o with the code %s", (error, type, code, message) => {
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test("no source constructs such an error directly, without a code", () => {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(150);
  const isBare = (file: string): boolean => /new (Type|Range)Error\(/.test(readFileSync(`${sources}${file}`, "utf8"));
  expect(files.filter(isBare)).toEqual([]);
});
