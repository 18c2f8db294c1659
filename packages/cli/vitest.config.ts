import { testsOf } from "../../vitest.shared.js";

export default testsOf("cli", ["../base/scripts/bundle.mjs", "../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
