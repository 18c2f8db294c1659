import { testsOf } from "../../vitest.shared.js";

export default testsOf("cli", ["../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
