import { testsOf } from "../../vitest.shared.js";

export default testsOf("characterize", ["../base/scripts/bundle.mjs", "../core/scripts/bundle.mjs"]);
