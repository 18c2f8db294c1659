// Gray-Scott reaction-diffusion: 2,000 timesteps of two kernels each, with progress, pictures and a check.
import { parseArgs } from "node:util";

import { demo, type DemoOptions } from "./demo.js";

/** Parses the command line. */
function optionsOf(): DemoOptions {
  const { values } = parseArgs({
    options: {
      steps: { type: "string", default: "2000" },
      size: { type: "string", default: "512" },
      out: { type: "string", default: "build/gray-scott" },
    },
  });
  const [steps, size] = [Number(values.steps), Number(values.size)];
  if (!Number.isSafeInteger(steps) || steps < 1) {
    throw new RangeError(`--steps must be a positive integer, received ${values.steps}`);
  }
  if (!Number.isSafeInteger(size) || size < 16 || size % 8 !== 0) {
    throw new RangeError(`--size must be a multiple of 8 and at least 16, received ${values.size}`);
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
