/** The native function for samplers. */
import type { Handle } from "./handle.js";

/** The native function of native/objects/sampler.cc. */
export interface NativeSampler {
  /** Takes property pairs without the terminating 0. Uses `clCreateSampler` on OpenCL 1.x. */
  createSampler(context: Handle, properties: BigUint64Array): Handle;
}
