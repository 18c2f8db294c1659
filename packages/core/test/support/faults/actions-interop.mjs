/** Calls of samplers, pipes and extensions for each OpenCL routine; see actions.mjs. */
import { CommandBuffer, importBuffer, MemoryObject, Pipe, Sampler, Semaphore } from "@cl/core";

const opaque = 0x2055;
const memory = (e) => ({ handleType: 0x2060, fd: e.descriptor, size: 16 });

export const interopActions = {
  clCreateSamplerWithProperties: { run: (e) => new Sampler(e.context), older: true },
  clRetainSampler: { run: (e) => Sampler.fromPointer(e.context, e.sampler.pointer) },
  clGetSamplerInfo: { run: (e) => e.sampler.referenceCount },
  clCreatePipe: { run: (e) => new Pipe(e.context, { packetSize: 16, maxPackets: 4 }) },
  clGetPipeInfo: { run: (e) => e.pipe.packetSize },
};

export const moreInteropActions = [
  ["clGetSamplerInfo", (e) => Sampler.fromPointer(e.context, e.sampler.pointer)],
  ["clGetPipeInfo", (e) => MemoryObject.fromPointer(e.context, e.pipe.pointer)],
];

export const interopReleases = [["clReleaseSampler", (e) => e.sampler.release()]];

/** Routines of extensions, which the library does not export. */
export const extensionActions = [
  ["clCreateSemaphoreWithPropertiesKHR", (e) => new Semaphore(e.context)],
  [
    "clCreateSemaphoreWithPropertiesKHR",
    (e) => Semaphore.import(e.context, { type: opaque, fd: e.semaphore.export(opaque) }),
  ],
  ["clGetSemaphoreInfoKHR", (e) => e.semaphore.payload],
  ["clEnqueueSignalSemaphoresKHR", (e) => e.semaphore.enqueueSignal(e.queue)],
  ["clEnqueueWaitSemaphoresKHR", (e) => e.signalled.enqueueWait(e.queue)],
  ["clGetSemaphoreHandleForTypeKHR", (e) => e.semaphore.export(opaque)],
  ["clCreateBufferWithProperties", (e) => importBuffer(e.context, memory(e))],
  ["clEnqueueAcquireExternalMemObjectsKHR", (e) => e.queue.enqueueAcquireExternal(e.external)],
  ["clEnqueueReleaseExternalMemObjectsKHR", (e) => e.queue.enqueueReleaseExternal(e.external)],
  ["clGetKernelSuggestedLocalWorkSizeKHR", (e) => e.ready.suggestedLocalSize(e.queue, { global: 4 })],
  ["clCreateCommandBufferKHR", (e) => new CommandBuffer(e.queue)],
  ["clRetainCommandQueue", (e) => new CommandBuffer(e.queue)],
  ["clGetCommandBufferInfoKHR", (e) => e.recording.state],
  ["clFinalizeCommandBufferKHR", (e) => e.recording.finalize()],
  ["clEnqueueCommandBufferKHR", (e) => e.finalized.enqueue()],
  ["clRetainEvent", (e) => e.finalized.enqueue()],
  ["clCommandBarrierWithWaitListKHR", (e) => e.recording.pushBarrier()],
  ["clCommandCopyBufferKHR", (e) => e.recording.pushCopy(e.target, e.buffer)],
  ["clRetainMemObject", (e) => e.recording.pushCopy(e.target, e.buffer)],
  ["clCommandFillBufferKHR", (e) => e.recording.pushFill(e.buffer, 1)],
  ["clCommandNDRangeKernelKHR", (e) => e.recording.push(e.bound)],
  ["clRetainKernel", (e) => e.recording.push(e.bound)],
];

export const extensionReleases = [
  ["clReleaseSemaphoreKHR", (e) => e.semaphore.release()],
  ["clReleaseCommandBufferKHR", (e) => e.recording.release()],
];
