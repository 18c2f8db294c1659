import { testsOf } from "../../vitest.shared.js";

export default testsOf("core", ["../base/scripts/bundle.mjs", "scripts/bundle.mjs"]);
