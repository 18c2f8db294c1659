import { testsOf } from "../../vitest.shared.js";

export default testsOf("launcher", ["../core/scripts/bundle.mjs", "scripts/bundle.mjs"]);
