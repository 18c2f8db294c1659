import { testsOf } from "../../vitest.shared.js";

export default testsOf("tools", ["../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
