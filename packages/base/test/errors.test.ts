/** Argument errors have Node.js's classes and codes. */
import { illegalConstructor, outOfRange, rangeError, typeError, wrongState, wrongType, wrongValue } from "@cl/base";
import { expect, test } from "vitest";

test.each([
  [typeError("x", "a number", "5"), TypeError, "ERR_INVALID_ARG_TYPE", "x must be a number, received string '5'"],
  [rangeError("x", "at most 4", 5), RangeError, "ERR_OUT_OF_RANGE", "x must be at most 4, received number 5"],
  [wrongType("no"), TypeError, "ERR_INVALID_ARG_TYPE", "no"],
  [wrongValue("no"), TypeError, "ERR_INVALID_ARG_VALUE", "no"],
  [wrongState("no"), TypeError, "ERR_INVALID_STATE", "no"],
  [illegalConstructor("no"), TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "no"],
  [outOfRange("no"), RangeError, "ERR_OUT_OF_RANGE", "no"],
  [outOfRange("no", { code: "ERR_CL_X" }), RangeError, "ERR_CL_X", "no"],
] as const)("%o is a %o with the code %s", (error, type, code, message) => {
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string });
});

test("outOfRange keeps the cause", () => {
  const cause = new Error("why");
  expect(outOfRange("no", { cause }).cause).toBe(cause);
});
