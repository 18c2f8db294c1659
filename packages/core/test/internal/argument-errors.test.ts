/** That there is one way to refuse an argument, with Node's codes. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";
import {
  illegalConstructor,
  outOfRange,
  rangeError,
  typeError,
  wrongState,
  wrongType,
  wrongValue,
} from "../../src/check.js";
import { createNativeError } from "../../src/errors.js";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

test.each([
  [typeError("x", "a number", "5"), TypeError, "ERR_INVALID_ARG_TYPE", "x must be a number, but string '5' came"],
  [rangeError("x", "at most 4", 5), RangeError, "ERR_OUT_OF_RANGE", "x must be at most 4, but number 5 came"],
  [wrongType("no"), TypeError, "ERR_INVALID_ARG_TYPE", "no"],
  [wrongValue("no"), TypeError, "ERR_INVALID_ARG_VALUE", "no"],
  [wrongState("no"), TypeError, "ERR_INVALID_STATE", "no"],
  [illegalConstructor("no"), TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "no"],
  [outOfRange("no"), RangeError, "ERR_OUT_OF_RANGE", "no"],
  [outOfRange("no", { code: "ERR_CL_X" }), RangeError, "ERR_CL_X", "no"],
  [
    createNativeError("WRONG_KIND", "queue", 0, "kernel", -1),
    TypeError,
    "ERR_INVALID_ARG_TYPE",
    /^a kernel was expected/,
  ],
  [createNativeError("WRONG_CONTEXT", "", 0, "queue", -1), TypeError, "ERR_INVALID_ARG_VALUE", /another context$/],
  [createNativeError("ARGUMENT_NOT_SET", "", 0, "", -1), TypeError, "ERR_INVALID_STATE", /never set$/],
  [createNativeError("NOT_AN_OBJECT", "", 0, "queue", -1), TypeError, "ERR_INVALID_ARG_VALUE", /^this pointer is not/],
  [createNativeError("ESCAPED", "", 0, "", -1), TypeError, "ERR_INVALID_STATE", /transferred away/],
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

test("the cause goes along", () => {
  const cause = new Error("why");
  expect(outOfRange("no", { cause }).cause).toBe(cause);
});

test("no source makes such an error by itself, which would have no code", () => {
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(150);
  const isBare = (file: string): boolean => /new (Type|Range)Error\(/.test(readFileSync(`${sources}${file}`, "utf8"));
  expect(files.filter((file) => file !== "check.ts" && isBare(file))).toEqual([]);
});
