import { checkIdentifier } from "@cl/base";
import { expect, test } from "vitest";

import { wrongType } from "@cl/testing/error-like";

test("checkIdentifier accepts valid C identifiers and rejects others", () => {
  for (const name of ["a", "_x1", "particle", "float5", "x__offset"]) expect(checkIdentifier(name, "name")).toBe(name);
  for (const name of ["a b", "", "float4", "__x", 1]) {
    expect(() => checkIdentifier(name, "name"), String(name)).toThrow(wrongType("name"));
  }
});
