/** The page of the constants. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { constantsPage } from "../../scripts/constants.mjs";

test("the tables of docs/constants.md have the descriptions of the source; node docs/scripts/constants.mjs updates them", () => {
  expect(readFileSync(new URL("../../constants.md", import.meta.url), "utf8")).toBe(constantsPage());
});
