import { testsOf } from "../vitest.shared.js";

export default testsOf("docs", ["../packages/base/scripts/bundle.mjs", "../packages/core/scripts/bundle.mjs"]);
