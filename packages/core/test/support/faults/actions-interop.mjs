/** Calls of samplers, pipes and extensions for each OpenCL routine; see actions.mjs. */
import { Sampler } from "@cl/core";

export const interopActions = {
  clCreateSamplerWithProperties: { run: (e) => new Sampler(e.context), older: true },
  clRetainSampler: { run: (e) => Sampler.fromPointer(e.context, e.sampler.pointer) },
  clGetSamplerInfo: { run: (e) => e.sampler.referenceCount },
};

export const moreInteropActions = [["clGetSamplerInfo", (e) => Sampler.fromPointer(e.context, e.sampler.pointer)]];

export const interopReleases = [["clReleaseSampler", (e) => e.sampler.release()]];
