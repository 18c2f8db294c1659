import { testsOf } from "../../vitest.shared.js";

export default testsOf("array", ["../base/scripts/bundle.mjs", "../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
