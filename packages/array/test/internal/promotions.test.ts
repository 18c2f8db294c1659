/** The promotion table is NumPy's. */
import { expect, test } from "vitest";

import { promotions } from "../../src/types/promotions.js";
import { askNumPy, needsNumPy } from "../support/numpy.js";

test("every pair of dtypes promotes as in NumPy", (run) => {
  needsNumPy(run);
  expect(promotions).toEqual(askNumPy("promotions", Object.keys(promotions)));
});
