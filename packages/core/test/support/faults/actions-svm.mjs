/** The routines of shared virtual memory; see actions.mjs. */
import { SvmAllocation } from "@cl/core";

export const svmActions = {
  // Returns no status.
  clSVMAlloc: { run: (e) => new SvmAllocation(e.context, 16), fallsBack: true },
  clEnqueueSVMFree: { run: (e) => e.boundSvm.enqueueRelease() },
  clEnqueueSVMMemcpy: { run: (e) => e.queue.read(e.svm) },
  clEnqueueSVMMemFill: { run: (e) => e.queue.enqueueSvmFill(e.svm, Uint8Array.of(1)) },
  clEnqueueSVMMap: { run: async (e) => (await e.svm.map(e.queue)).release() },
  clEnqueueSVMUnmap: { run: (e) => e.mappedSvm.unmap() },
  clEnqueueSVMMigrateMem: { run: (e) => e.queue.enqueueSvmMigrate(e.svm) },
  clSetKernelArgSVMPointer: { run: (e) => e.kernel.setArg("x", e.svm) },
  clSetKernelExecInfo: { run: (e) => e.kernel.setSvmPointers([e.svm]) },
};

/** Other calls that use the same routines, and routines that these calls also use. */
export const moreSvmActions = [
  ["clEnqueueSVMFree", (e) => e.svm.enqueueRelease(e.queue)],
  ["clEnqueueMarkerWithWaitList", (e) => e.usedSvm.enqueueRelease(e.queue)],
  ["clEnqueueBarrierWithWaitList", (e) => e.usedSvm.bindToQueue(e.queue)],
  ["clFinish", (e) => e.boundSvm.unbindFromQueueSync()],
  ["clEnqueueMarkerWithWaitList", (e) => e.boundSvm.unbindFromQueue()],
  ["clEnqueueSVMMemcpy", (e) => e.queue.readSync(e.svm)],
  ["clEnqueueSVMMemcpy", (e) => e.queue.write(e.svm, e.array)],
  ["clEnqueueSVMMemcpy", (e) => e.queue.writeSync(e.svm, e.array)],
  ["clEnqueueSVMMemcpy", (e) => e.queue.enqueueCopy(e.fineSvm, e.svm)],
  ["clEnqueueSVMMemcpy", (e) => e.queue.copySync(e.array, e.svm)],
  ["clEnqueueCopyBuffer", (e) => e.queue.enqueueCopy(e.buffer, e.svm)],
  ["clCreateBuffer", (e) => e.svm.asBuffer()],
  ["clSetMemObjectDestructorCallback", (e) => e.svm.asBuffer()],
  ["clSetEventCallback", (e) => e.svm.map(e.queue)],
  ["clEnqueueSVMMap", (e) => e.svm.mapSync(e.queue).release()],
  ["clRetainCommandQueue", (e) => e.svm.mapSync(e.queue).release()],
  ["clSetKernelArgSVMPointer", (e) => e.kernel.launch(e.queue, { global: 4 }, e.svm, 1, 4)],
  ["clEnqueueNDRangeKernel", (e) => e.kernel.launch(e.queue, { global: 4 }, e.svm, 1, 4)],
  ["clSetKernelExecInfo", (e) => e.kernel.setSvmFineGrainSystem(false)],
];

/** Releases, whose failures are not reported. */
export const svmReleases = [
  ["clSVMFree", (e) => e.svm.release()],
  ["clEnqueueSVMFree", (e) => e.boundSvm.release()],
  ["clEnqueueMarkerWithWaitList", (e) => e.usedSvm.release()],
  ["clGetEventInfo", (e) => e.usedSvm.release()],
];
