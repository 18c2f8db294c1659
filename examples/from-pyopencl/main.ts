// A program of PyOpenCL, and what became of it: a drum that vibrates, with and without damping.
import { patched, struck, vibrate } from "./membrane.js";

for (const damping of [0, 0.002]) {
  const result = await vibrate(struck(96), patched(96), { steps: 600, damping });
  console.log(`damping ${damping}: energy ${result.energies.map((energy) => energy.toFixed(2)).join(" ")}`);
  console.log(`the skin is between ${Math.min(...result.u).toFixed(2)} and ${Math.max(...result.u).toFixed(2)}`);
  // Another one each time, so beside the results.
  console.error(`leapfrog: ${(result.nanoseconds / 600 / 1000).toFixed(1)} µs a step on the device`);
}
