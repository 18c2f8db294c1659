import { testsOf } from "../../vitest.shared.js";

export default testsOf("pocl", ["../base/scripts/bundle.mjs", "../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
