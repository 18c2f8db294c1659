/**
 * The TypeScript interface of the native addon: flat functions over integer handles, internal to this package. Every
 * function throws the error that {@link createNativeError} returns for a failure.
 */
import { loadBinary } from "../binary.js";
import { createNativeError } from "./errors.js";
import type { Handle } from "./handle.js";
import type { NativeHostFunctions } from "./native-host-function.js";
import type { NativeImage } from "./native-image.js";
import type { NativeInterop } from "./native-interop.js";
import type { NativeLoans } from "./native-loans.js";
import type { NativeNativeKernel } from "./native-native-kernel.js";
import type { NativeProfile } from "./native-profile.js";
import type { NativeRelay } from "./native-relay.js";
import type { NativeSampler } from "./native-sampler.js";
import type { NativeSvm } from "./native-svm.js";
import { scratch, completions } from "./scratch.js";

export type { Handle } from "./handle.js";

/** Kinds of handles, in the order of the native enum. */
export const handleKinds = [
  "none",
  "platform",
  "device",
  "context",
  "queue",
  "event",
  "memory",
  "sampler",
  "program",
  "kernel",
  "svm",
  "list",
  "map",
  "semaphore",
  "commandBuffer",
  "statistics",
  "trace",
  "relay",
] as const;

/** Kinds of kernel arguments, in the order of the native enum. */
export const argumentKinds = { memory: 0, local: 1, value: 2, sampler: 3, queue: 4 } as const;

type Waits = Int32Array | undefined;
type Bytes = Uint8Array;
/** Any typed array or DataView: native code reads its memory, offset and length. */
type HostArray = ArrayBufferView;

/** The exports of the addon. Argument positions in errors count from 0. */
export interface Native
  extends
    NativeHostFunctions,
    NativeImage,
    NativeInterop,
    NativeLoans,
    NativeNativeKernel,
    NativeProfile,
    NativeRelay,
    NativeSampler,
    NativeSvm {
  initialize(
    createError: typeof createNativeError,
    settle: (count: number) => void,
    scratch: Uint8Array,
    completions: Float64Array,
  ): void;
  /** Releases our reference. Returns false if it was already released. */
  release(handle: Handle): boolean;
  /** Releases the handle and frees its slot. Call it only when no JavaScript object refers to the handle. */
  recycle(handle: Handle): void;
  /** Sets whether the completion channel keeps the event loop alive. */
  holdLoop(hold: boolean): void;
  /** Fails pending user events and waits, for a limited time, until builds and queues have finished. */
  quiesce(): void;
  /** Returns the text of the i-th completion of the current batch. */
  completionText(index: number): string;
  handleCounts(): number[];

  platforms(): Handle[];
  devices(platform: Handle, type: number): Handle[];
  devicePlatform(device: Handle): Handle;
  subDevices(device: Handle, properties: BigUint64Array): Handle[];
  deviceTimers(device: Handle): Bytes;
  hostTimer(device: Handle): Bytes;
  unloadCompiler(platform: Handle): void;
  /** Opens a library as an additional runtime. `variables` has the names and values of environment variables. */
  addRuntime(path: string, name: string, variables: readonly string[]): void;
  runtimePaths(): string[];
  /** Returns the name and the path of the platform's runtime. */
  platformRuntime(platform: Handle): [name: string, path: string];

  getInfo(handle: Handle, param: number): Bytes;
  getImageInfo(image: Handle, param: number): Bytes;
  getBuildInfo(program: Handle, device: Handle, param: number): Bytes;
  getWorkGroupInfo(kernel: Handle, device: Handle, param: number): Bytes;
  getSubGroupInfo(kernel: Handle, device: Handle, param: number, input: BigUint64Array): Bytes;
  getArgInfo(kernel: Handle, index: number, param: number): Bytes;

  /** Takes property lists without the terminating 0. Driver messages call the listener with id `messageId`. */
  createContext(devices: Int32Array, properties: BigUint64Array | undefined, messageId: number | undefined): Handle;
  createContextFromType(type: number, properties: BigUint64Array | undefined, messageId: number | undefined): Handle;
  contextDevices(context: Handle): Handle[];
  setDefaultDeviceQueue(context: Handle, device: Handle, queue: Handle): void;

  /** Creates a queue that is paced after `depth` launches (native/objects/pace.h); 0 disables pacing. */
  createQueue(context: Handle, device: Handle, properties: BigUint64Array, depth: number): Handle;
  flush(queue: Handle): void;
  finishSync(queue: Handle): void;
  /** Returns whether the queue is empty. False if other code in the process may enqueue to it. */
  isEmpty(queue: Handle): boolean;
  /** Returns a counter to pass to `wasEmpty` once all current commands of the queue have completed. */
  queueUses(queue: Handle): number;
  wasEmpty(queue: Handle, uses: number): void;
  marker(queue: Handle, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  barrier(queue: Handle, waitFor: Waits, wantEvent: boolean): Handle | undefined;

  createUserEvent(context: Handle): Handle;
  setUserEventStatus(event: Handle, status: number): void;
  /** Ends the watches of failed events and frees memory pinned for them; some drivers do not report failures. */
  endFailedWatches(): void;
  /** Releases events that were held long enough after a failure. Returns whether there are more. */
  releaseHeldEvents(): boolean;
  eventStatus(event: Handle): number;
  watchEvent(event: Handle, stage: number, id: number): void;
  waitSync(events: Int32Array): void;
  profilingTimes(events: Int32Array, fields: Int32Array, into: BigInt64Array): void;

  /** Creates a buffer in host memory with 2 MiB pages if available. Adds USE_HOST_PTR to the flags. */
  createLargePageBuffer(context: Handle, flags: number, bytes: number): Handle;
  createBuffer(
    context: Handle,
    flags: number,
    bytes: number,
    host: HostArray | undefined,
    properties: BigUint64Array | undefined,
  ): Handle;
  /**
   * Creates a sub-buffer of a root buffer. `parent` is the sub-buffer that it was requested from, or the root buffer; the
   * part ends with the parent's loan. `leaksOverlaps`: the driver cannot release overlapping sub-buffers.
   */
  createSubBuffer(
    buffer: Handle,
    flags: number,
    origin: number,
    bytes: number,
    parent: Handle,
    leaksOverlaps: boolean,
  ): Handle;
  /** Returns whether overlapping sub-buffers exist that the driver cannot release. */
  hasLeakedSubBuffers(): boolean;
  /** Returns another handle of the same memory. */
  aliasBuffer(buffer: Handle): Handle;
  watchDestruction(memory: Handle, id: number): void;

  /** Returns whether native code pins host memory while a command uses it. */
  canPin(): boolean;
  /** Returns the event unless the call blocks. Offsets and counts are in bytes. */
  readBuffer(
    queue: Handle,
    buffer: Handle,
    offset: number,
    host: HostArray,
    hostOffset: number,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  writeBuffer: Native["readBuffer"];
  /** Rectangles are passed in the scratch block (writeRectangle in scratch.ts), the buffer's side first. */
  readRectangle(
    queue: Handle,
    buffer: Handle,
    host: HostArray,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  writeRectangle: Native["readRectangle"];
  copyBuffer(
    queue: Handle,
    source: Handle,
    target: Handle,
    sourceOffset: number,
    targetOffset: number,
    bytes: number,
    waitFor: Waits,
    wantEvent: boolean,
  ): Handle | undefined;
  copyRectangle(queue: Handle, source: Handle, target: Handle, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  fillBuffer(
    queue: Handle,
    buffer: Handle,
    pattern: HostArray,
    offset: number,
    bytes: number,
    waitFor: Waits,
    wantEvent: boolean,
  ): Handle | undefined;
  migrate(queue: Handle, memories: Int32Array, flags: number, waitFor: Waits, wantEvent: boolean): Handle | undefined;

  /** Returns [map, event or 0]. */
  mapBuffer(
    queue: Handle,
    buffer: Handle,
    flags: number,
    offset: number,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): [Handle, Handle];
  /** Returns the ArrayBuffer over a completed map. Can be called once. */
  mapMemory(map: Handle): ArrayBuffer;
  /** Detaches the ArrayBuffer, enqueues the unmap and releases the map. Returns the event. */
  unmap(map: Handle, memory: ArrayBuffer | undefined, waitFor: Waits): Handle;
  /** Reads into native memory. Returns [landing, event]; call takeLanding after the event has completed. */
  readLanding(queue: Handle, buffer: Handle, offset: number, bytes: number, waitFor: Waits): [Handle, Handle];
  /** Allocates the ring of pinned memory for the stage… calls on this queue, which copy with `lanes` threads. */
  prepareStaging(queue: Handle, device: Handle, outOfOrder: boolean, lanes: number): void;
  stageRead: Native["readBuffer"];
  stageWrite: Native["writeBuffer"];
  stageLanding: Native["readLanding"];
  takeLanding(landing: Handle, bytes: number): ArrayBuffer;

  programFromSource(context: Handle, source: string): Handle;
  programFromBinaries(context: Handle, devices: Int32Array, binaries: readonly Bytes[]): Handle;
  programFromIL(context: Handle, il: Bytes): Handle;
  programFromBuiltInKernels(context: Handle, devices: Int32Array, names: string): Handle;
  /** With an id, builds on another thread and reports the status as a completion; without one, returns the status. */
  buildProgram(program: Handle, devices: Int32Array, options: string, id: number | undefined): number | undefined;
  compileProgram(
    program: Handle,
    devices: Int32Array,
    options: string,
    headers: Int32Array,
    headerNames: readonly string[],
    id: number | undefined,
  ): number | undefined;
  /** Returns [link, status]; linkedProgram(link) then returns the program, or 0 if linking failed. */
  linkProgram(
    context: Handle,
    devices: Int32Array,
    options: string,
    programs: Int32Array,
    id: number | undefined,
  ): [Handle, number];
  linkedProgram(link: Handle): Handle;
  programBinaries(program: Handle): Bytes[];
  /** Queries the binaries that the next programBinaries returns; with an id, on another thread. */
  prepareBinaries(program: Handle, id: number | undefined): number | undefined;
  /** Recycles the handle, and releases the program on another thread. */
  discardProgram(program: Handle, id: number): void;
  setSpecializationConstant(program: Handle, id: number, bytes: Bytes): void;

  createKernel(program: Handle, name: string): Handle;
  createKernels(program: Handle): Handle[];
  cloneKernel(kernel: Handle, program: Handle, name: string): Handle;
  /** `layout` has [kind, size, offset in the scratch block] for each argument. */
  describeKernel(kernel: Handle, layout: Int32Array): void;
  setKernelArgument(kernel: Handle, index: number): void;
  setKernelArguments(kernel: Handle): void;
  /** Copies the argument's current value into its place in the scratch block. */
  readKernelArgument(kernel: Handle, index: number): void;
  /** Disables caching of arguments, because other code may set them too. */
  shareKernel(kernel: Handle): void;
  setKernelExecInfo(kernel: Handle, param: number, bytes: Bytes): void;

  /** Launches with the queue, kernel, flags, sizes and arguments in the scratch block (setLaunch in scratch.ts). */
  launch(waitFor?: Int32Array): Handle | undefined;
  launchBound(): void;
  /** `scalars` has [argument, type] for each column of `rows`. */
  launchRows(queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array): void;
  /** Enqueues one launch per row, each after the one before. Returns the event of the last launch. */
  enqueueRows(queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array, waitFor?: Int32Array): Handle;
  fixKernel(kernel: Handle): void;

  createList(context: Handle, waitForPrevious: boolean): Handle;
  /** In the following four functions, `after` has the indices of commands that the new command waits for. */
  pushKernel(list: Handle, kernel: Handle, after: Int32Array, scalars: Int32Array): void;
  pushCopy(
    list: Handle,
    source: Handle,
    target: Handle,
    sourceOffset: number,
    targetOffset: number,
    bytes: number,
    after: Int32Array,
  ): void;
  pushFill(list: Handle, target: Handle, pattern: HostArray, offset: number, bytes: number, after: Int32Array): void;
  pushBarrier(list: Handle, after: Int32Array): void;
  /** `flags` is twice the number of values in the scratch block, plus 1 to return an event. */
  launchList(queue: Handle, list: Handle, flags: number, waitFor?: Int32Array): Handle | undefined;

  adopt(kind: number, pointer: bigint, retain: boolean): Handle;
  pointerOf(handle: Handle): bigint;
  retainRaw(handle: Handle): void;
}

/** The addon. Every worker thread has its own instance. */
export const native: Native = loadBinary() as Native;

/** Initializes the addon with the shared memory blocks and the completion callback. Called once, by completion.ts. */
export function connect(settle: (count: number) => void): void {
  native.initialize(createNativeError, settle, scratch, completions);
}
