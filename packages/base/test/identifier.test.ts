import { checkIdentifier } from "@cl/base";
import { expect, test } from "vitest";

test("checkIdentifier accepts valid C identifiers and gives the reason for rejecting others", () => {
  for (const name of ["a", "_x1", "particle", "float5", "x__offset"]) expect(checkIdentifier(name, "name")).toBe(name);
  expect(() => checkIdentifier("a b", "name")).toThrow(/^name must be a C identifier/);
  expect(() => checkIdentifier("", "name")).toThrow(/^name must be a C identifier/);
  expect(() => checkIdentifier("float4", "name")).toThrow(/^name must be a name that is not reserved/);
  expect(() => checkIdentifier("__x", "name")).toThrow(/^name must be a name that does not begin with two underscores/);
  expect(() => checkIdentifier(1, "name")).toThrow(/^name must be a string/);
});
