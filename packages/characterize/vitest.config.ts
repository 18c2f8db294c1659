import { testsOf } from "../../vitest.shared.js";

export default testsOf("characterize", ["../core/scripts/bundle.mjs"]);
