/**
 * For each OpenCL routine, calls of the package that lead to it. `may` says which statuses mean something else than an
 * error; `falls` that another routine does the work where this one fails or is absent, `older` where it is absent;
 * `fails` that some driver refuses it, for its age or altogether.
 */
import {
  CommandEvent,
  CommandQueue,
  Context,
  DeviceBuffer,
  getPlatforms,
  Kernel,
  LaunchList,
  Program,
  UserEvent,
  waitForSync,
} from "@cl/core";

import { interopActions, moreInteropActions, interopReleases } from "./actions-interop.mjs";
import { source } from "../bad-input/environment.mjs";

const il = () => Uint8Array.from([3, 2, 0x23, 7, ...new TextEncoder().encode(source)]);
// Where a driver says CL_INVALID_VALUE to a box, its rows are copied one by one.
const box = { region: [4, 2], sourcePitches: [8], targetPitches: [8] };

/** Each action gets an Environment and may return a promise. */
export const actions = {
  clGetPlatformIDs: { run: () => getPlatforms(), may: [-1001] },
  clGetPlatformInfo: { run: (e) => e.platform.getInfo(0x902) },
  clGetDeviceIDs: { run: (e) => e.platform.getDevices(), may: [-1, -31] },
  // The count of references may change, so it is asked each time.
  clGetDeviceInfo: { run: (e) => e.device.referenceCount, fails: true },
  clCreateSubDevices: { run: (e) => e.device.createSubDevices({ equally: 1 }) },
  clGetDeviceAndHostTimer: { run: (e) => e.device.timers() },
  clGetHostTimer: { run: (e) => e.device.hostTimer() },
  clUnloadPlatformCompiler: { run: (e) => e.platform.unloadCompiler() },
  clCreateContext: { run: (e) => new Context(e.device) },
  clCreateContextFromType: { run: (e) => Context.fromType(e.device.type) },
  clGetContextInfo: { run: (e) => e.context.referenceCount },
  clRetainContext: { run: (e) => Context.fromPointer(e.context.pointer) },
  clCreateCommandQueueWithProperties: { run: (e) => new CommandQueue(e.context), older: true },
  clRetainCommandQueue: { run: (e) => CommandQueue.fromPointer(e.context, e.queue.pointer) },
  clGetCommandQueueInfo: { run: (e) => e.queue.referenceCount },
  clFlush: { run: (e) => e.queue.flush() },
  clFinish: { run: (e) => e.queue.finishSync() },
  clEnqueueMarkerWithWaitList: { run: (e) => e.queue.enqueueMarker(), older: true },
  clEnqueueBarrierWithWaitList: { run: (e) => e.queue.enqueueBarrier() },
  clCreateUserEvent: { run: (e) => new UserEvent(e.context) },
  clSetUserEventStatus: { run: (e) => e.userEvent.complete() },
  clGetEventInfo: { run: (e) => e.event.referenceCount },
  clRetainEvent: { run: (e) => CommandEvent.fromPointer(e.context, e.event.pointer) },
  clSetEventCallback: { run: (e) => e.event.wait() },
  clWaitForEvents: { run: (e) => waitForSync([e.event]) },
  clGetEventProfilingInfo: { run: (e) => e.event.duration },
  clCreateBuffer: { run: (e) => new DeviceBuffer(e.context, 16) },
  clCreateBufferWithProperties: {
    run: (e) => new DeviceBuffer(e.context, { size: 16, properties: [[1, 2]] }),
    fails: true,
  },
  clCreateSubBuffer: { run: (e) => e.buffer.slice(0, 2) },
  clRetainMemObject: { run: (e) => DeviceBuffer.fromPointer(e.context, e.buffer.pointer) },
  clGetMemObjectInfo: { run: (e) => e.buffer.referenceCount },
  clSetMemObjectDestructorCallback: { run: (e) => e.buffer.onDestroyed(() => undefined) },
  clEnqueueReadBuffer: { run: (e) => e.queue.read(e.buffer) },
  clEnqueueReadBufferRect: { run: (e) => e.queue.copySync(e.array, e.buffer, box), may: [-30] },
  clEnqueueWriteBuffer: { run: (e) => e.queue.write(e.buffer, e.array) },
  clEnqueueWriteBufferRect: { run: (e) => e.queue.copySync(e.buffer, e.array, box), may: [-30] },
  clEnqueueCopyBuffer: { run: (e) => e.queue.enqueueCopy(e.target, e.buffer) },
  clEnqueueCopyBufferRect: { run: (e) => e.queue.enqueueCopy(e.target, e.buffer, box), may: [-30] },
  clEnqueueFillBuffer: { run: (e) => e.queue.enqueueFill(e.buffer, 1) },
  clEnqueueMigrateMemObjects: { run: (e) => e.queue.enqueueMigrate(e.buffer) },
  clEnqueueMapBuffer: { run: async (e) => (await e.queue.map(e.buffer)).release() },
  clEnqueueUnmapMemObject: { run: (e) => e.mapped.unmap() },
  clCreateProgramWithSource: { run: (e) => new Program(e.context, source) },
  clCreateProgramWithBinary: { run: (e) => Program.fromBinaries(e.context, e.program.binaries) },
  clCreateProgramWithIL: { run: (e) => Program.fromIL(e.context, il()) },
  clCreateProgramWithBuiltInKernels: {
    run: (e) => Program.fromBuiltInKernels(e.context, e.device.builtInKernels),
    fails: true,
  },
  clRetainProgram: { run: (e) => Program.fromPointer(e.context, e.program.pointer) },
  clSetProgramSpecializationConstant: {
    run: (e) => Program.fromIL(e.context, il()).setSpecializationConstant(1, Int32Array.of(1)),
  },
  clBuildProgram: { run: (e) => e.fresh.build() },
  clCompileProgram: { run: (e) => e.fresh.compile() },
  clLinkProgram: { run: (e) => Program.link(e.context, [e.compiled]) },
  clGetProgramInfo: { run: (e) => e.program.referenceCount },
  clGetProgramBuildInfo: { run: (e) => e.program.getBuildInfo(e.device, 0x1181) },
  clCreateKernel: { run: (e) => new Kernel(e.program, "f") },
  clRetainKernel: { run: (e) => Kernel.fromPointer(e.program, e.kernel.pointer) },
  // A new kernel of the same name does as well.
  clCloneKernel: { run: (e) => e.kernel.clone(), falls: true },
  clSetKernelArg: { run: (e) => e.kernel.setArg("a", 1) },
  clGetKernelInfo: { run: (e) => e.kernel.referenceCount },
  clGetKernelArgInfo: { run: (e) => e.kernel.getArgInfo(0, 0x1196) },
  clGetKernelWorkGroupInfo: { run: (e) => e.kernel.getWorkGroupInfo(0x11b0) },
  clGetKernelSubGroupInfo: { run: (e) => e.kernel.getSubGroupInfo(0x2033, [4]) },
  clEnqueueNDRangeKernel: { run: (e) => e.kernel.launch(e.queue, { global: 4 }, e.buffer, 1, 4) },
  ...interopActions,
};

/** The same routines by other ways. */
export const moreActions = [
  ["clEnqueueNDRangeKernel", (e) => e.bound.launch(e.queue)],
  ["clEnqueueNDRangeKernel", (e) => e.bound.enqueue(e.queue)],
  ["clEnqueueNDRangeKernel", (e) => e.list.launch(e.queue)],
  ["clEnqueueNDRangeKernel", (e) => e.kernel.enqueue(e.queue, { global: 4 }, e.buffer, 1, 4)],
  ["clFinish", (e) => e.kernel.launchAndFinishSync(e.queue, { global: 4 }, e.buffer, 1, 4)],
  ["clFinish", (e) => e.bound.launchAndFinishSync(e.queue)],
  ["clEnqueueMarkerWithWaitList", (e) => e.queue.finish()],
  ["clEnqueueMarkerWithWaitList", (e) => e.list.enqueue(e.queue)],
  ["clEnqueueBarrierWithWaitList", (e) => new LaunchList(e.context).pushBarrier().launch(e.queue)],
  ["clEnqueueCopyBuffer", (e) => new LaunchList(e.context).pushCopy(e.target, e.buffer).launch(e.queue)],
  ["clEnqueueFillBuffer", (e) => new LaunchList(e.context).pushFill(e.buffer, 1).launch(e.queue)],
  ["clEnqueueReadBuffer", (e) => e.queue.readSync(e.buffer)],
  ["clEnqueueReadBuffer", (e) => e.queue.read(e.buffer, { into: new Float32Array(4) })],
  ["clEnqueueReadBuffer", (e) => e.queue.enqueueCopy(e.array, e.buffer)],
  ["clEnqueueWriteBuffer", (e) => e.queue.writeSync(e.buffer, e.array)],
  ["clEnqueueWriteBuffer", (e) => e.queue.enqueueCopy(e.buffer, e.array)],
  ["clEnqueueMapBuffer", (e) => e.queue.mapSync(e.buffer).release()],
  ["clRetainMemObject", (e) => e.queue.mapSync(e.buffer).release()],
  ["clRetainCommandQueue", (e) => e.queue.map(e.buffer)],
  ["clRetainMemObject", (e) => e.buffer.as(Int32Array)],
  ["clSetMemObjectDestructorCallback", (e) => new DeviceBuffer(e.context, { host: e.array, hostPointer: "use" })],
  ["clSetEventCallback", (e) => e.queue.finish()],
  ["clSetEventCallback", (e) => e.queue.map(e.buffer)],
  ["clSetEventCallback", (e) => e.queue.read(e.buffer)],
  ["clBuildProgram", (e) => e.fresh.buildSync()],
  ["clCompileProgram", (e) => e.fresh.compileSync()],
  ["clCreateProgramWithSource", (e) => e.fresh.compile({ headers: { "a.h": "int a;" } })],
  ["clRetainProgram", (e) => e.fresh.build()],
  ["clRetainProgram", (e) => Program.link(e.context, [e.compiled])],
  ["clLinkProgram", (e) => Program.linkSync(e.context, [e.compiled])],
  ["clSetKernelArg", (e) => e.kernel.launch(e.queue, { global: 4 }, e.buffer, 1, 4)],
  ["clSetKernelArg", (e) => e.kernel.setArgs(e.buffer, 1, 4)],
  ["clGetContextInfo", (e) => e.context.getInfo(0x1080)],
  ["clGetEventInfo", (e) => e.event.status],
  ...moreInteropActions,
];

/** Releases have no caller who could be told. */
export const releases = [
  ["clReleaseContext", (e) => e.context.release()],
  ["clReleaseCommandQueue", (e) => e.queue.release()],
  ["clReleaseEvent", (e) => e.event.release()],
  ["clReleaseMemObject", (e) => e.buffer.release()],
  ["clReleaseProgram", (e) => e.fresh.release()],
  ["clReleaseKernel", (e) => e.kernel.release()],
  ...interopReleases,
  ["clReleaseDevice", (e) => e.device.createSubDevices({ equally: 1 }).forEach((part) => part.release())],
];

/** Resolved for what later parts of the package will call. */
export const unused =
  /Image|Pipe|SVM|^clCreateSampler$|NativeKernel|^clSetContextDestructorCallback|^clSetKernelExecInfo|^clGetExtensionFunctionAddress|^clSetDefaultDeviceCommandQueue|^clRetainDevice|^clCreateKernelsInProgram|^clEnqueueMarker$|^clEnqueueBarrier$|^clCreateCommandQueue$/;
