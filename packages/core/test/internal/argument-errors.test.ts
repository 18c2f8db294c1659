/** Native failures become errors with Node.js codes. */
import { expect, test } from "vitest";
import { createNativeError } from "../../src/binding/errors.js";

test.each([
  ["WRONG_KIND", TypeError, "ERR_INVALID_ARG_TYPE"],
  ["WRONG_CONTEXT", TypeError, "ERR_INVALID_ARG_VALUE"],
  ["ARGUMENT_NOT_SET", TypeError, "ERR_INVALID_STATE"],
  ["NOT_AN_OBJECT", TypeError, "ERR_INVALID_ARG_VALUE"],
  ["ESCAPED", TypeError, "ERR_INVALID_STATE"],
  ["TOO_MANY_OBJECTS", RangeError, "ERR_OUT_OF_RANGE"],
  ["INVALID", TypeError, "ERR_INVALID_ARG_VALUE"],
] as const)("%s is a %o with the code %s", (kind, type, code) => {
  const error = createNativeError(kind, "queue", 0, "9", -1);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ code });
});
