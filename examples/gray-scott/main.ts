// A chemical reaction that grows corals: 2,000 timesteps of two kernels each, with progress, pictures and a check.
import { parseArgs } from "node:util";

import { demo, type DemoOptions } from "./demo.js";

/** What to run, of the words on the command line. */
function optionsOf(): DemoOptions {
  const { values } = parseArgs({
    options: {
      steps: { type: "string", default: "2000" },
      size: { type: "string", default: "512" },
      out: { type: "string", default: "build/gray-scott" },
    },
  });
  const [steps, size] = [Number(values.steps), Number(values.size)];
  if (!Number.isSafeInteger(steps) || steps < 1) throw new RangeError(`--steps ${values.steps}: 1 or more are needed`);
  if (!Number.isSafeInteger(size) || size < 16 || size % 8 !== 0) {
    throw new RangeError(`--size ${values.size}: a multiple of 8, at least 16, is needed`);
  }
  return { steps, size, out: values.out };
}

let options: DemoOptions;
try {
  options = optionsOf();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(2);
}
await demo(options);
