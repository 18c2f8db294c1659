/** The promotion table is NumPy's. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { promotions } from "../../src/types/promotions.js";
import { askNumPy, hasNumPy } from "../support/numpy.js";

test("every pair of dtypes promotes as in NumPy", (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  expect(promotions).toEqual(askNumPy("promotions", Object.keys(promotions)));
});
