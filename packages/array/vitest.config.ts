import { testsOf } from "../../vitest.shared.js";

export default testsOf("array", ["../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
