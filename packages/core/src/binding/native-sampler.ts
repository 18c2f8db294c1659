/** The native calls of samplers. */
import type { Handle } from "./handle.js";

/** See native/objects/sampler.cc. */
export interface NativeSampler {
  /** Property pairs without their closing 0. A runtime of OpenCL 1.x is asked in its own way. */
  createSampler(context: Handle, properties: BigUint64Array): Handle;
}
