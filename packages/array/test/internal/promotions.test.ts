/** The promotion table is NumPy's. */
import { expect, test } from "vitest";

import { promotions } from "../../src/types/promotions.js";
import { evalTexts, needsNumPy } from "../support/numpy-eval.js";

test("every pair of dtypes promotes as in NumPy", (run) => {
  needsNumPy(run);
  const names = JSON.stringify(Object.keys(promotions));
  const table = `(lambda names: {a: {b: np.promote_types(a, b).name for b in names} for a in names})(${names})`;
  expect(promotions).toEqual(JSON.parse(evalTexts([`json.dumps(${table})`])[0] as string));
});
