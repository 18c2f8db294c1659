import { testsOf } from "../vitest.shared.js";

export default testsOf("docs", ["../packages/core/scripts/bundle.mjs"]);
