/**
 * The native layer as TypeScript sees it: flat functions over integer handles. Nothing outside this package sees it.
 * Every function throws what {@link createNativeError} makes of a failure, before or after the driver was asked.
 */
import { loadBinary } from "../binary.js";
import { createNativeError } from "./errors.js";
import type { Handle } from "./handle.js";
import type { NativeHostFunctions } from "./native-host-function.js";
import type { NativeImage } from "./native-image.js";
import type { NativeInterop } from "./native-interop.js";
import type { NativeLending } from "./native-lending.js";
import type { NativeNativeKernel } from "./native-native-kernel.js";
import type { NativeProfile } from "./native-profile.js";
import type { NativeSampler } from "./native-sampler.js";
import type { NativeSvm } from "./native-svm.js";
import { scratch, completions } from "./scratch.js";

export type { Handle } from "./handle.js";

/** The kinds of handles, in the order of the native enum. */
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
] as const;

/** The kinds of kernel arguments, in the order of the native enum. */
export const argumentKinds = { memory: 0, local: 1, value: 2, sampler: 3, queue: 4 } as const;

type Waits = Int32Array | undefined;
type Bytes = Uint8Array;
/** Any typed array: native code reads its memory, offset and length. */
type HostArray = ArrayBufferView;

/** What the addon exports. Positions in errors count these arguments from 0. */
export interface Native
  extends
    NativeHostFunctions,
    NativeImage,
    NativeInterop,
    NativeLending,
    NativeNativeKernel,
    NativeProfile,
    NativeSampler,
    NativeSvm {
  initialize(
    createError: typeof createNativeError,
    settle: (count: number) => void,
    scratch: Uint8Array,
    completions: Float64Array,
  ): void;
  /** Drops our reference; false if that had happened. */
  release(handle: Handle): boolean;
  /** Gives the slot back; only when no JavaScript object can name it any more. */
  recycle(handle: Handle): void;
  /** Whether the completion channel keeps the event loop open. */
  holdLoop(hold: boolean): void;
  /** Fails open user events and waits, a bounded time, until builds and queues have ended. */
  quiesce(): void;
  /** The text of the i-th completion of the current batch. */
  completionText(index: number): string;
  handleCounts(): number[];

  platforms(): Handle[];
  devices(platform: Handle, type: number): Handle[];
  devicePlatform(device: Handle): Handle;
  subDevices(device: Handle, properties: BigUint64Array): Handle[];
  deviceTimers(device: Handle): Bytes;
  hostTimer(device: Handle): Bytes;
  unloadCompiler(platform: Handle): void;
  runtimePath(): string;

  getInfo(handle: Handle, param: number): Bytes;
  getImageInfo(image: Handle, param: number): Bytes;
  getBuildInfo(program: Handle, device: Handle, param: number): Bytes;
  getWorkGroupInfo(kernel: Handle, device: Handle, param: number): Bytes;
  getSubGroupInfo(kernel: Handle, device: Handle, param: number, input: BigUint64Array): Bytes;
  getArgInfo(kernel: Handle, index: number, param: number): Bytes;

  /** Property lists come without their closing 0. Messages of the driver arrive under `messageId`. */
  createContext(devices: Int32Array, properties: BigUint64Array | undefined, messageId: number | undefined): Handle;
  createContextFromType(type: number, properties: BigUint64Array | undefined, messageId: number | undefined): Handle;
  contextDevices(context: Handle): Handle[];
  setDefaultDeviceQueue(context: Handle, device: Handle, queue: Handle): void;

  /** After `depth` launches the queue is paced (native/objects/pace.h); 0 never. */
  createQueue(context: Handle, device: Handle, properties: BigUint64Array, depth: number): Handle;
  flush(queue: Handle): void;
  finishSync(queue: Handle): void;
  /** True if nothing is in the queue, nor can be: nobody else enqueues to it. */
  isEmpty(queue: Handle): boolean;
  /** For wasEmpty, when all that is in the queue now has completed. */
  queueUses(queue: Handle): number;
  wasEmpty(queue: Handle, uses: number): void;
  marker(queue: Handle, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  barrier(queue: Handle, waitFor: Waits, wantEvent: boolean): Handle | undefined;

  createUserEvent(context: Handle): Handle;
  setUserEventStatus(event: Handle, status: number): void;
  /** Settles waits for events that have failed, and frees what they pin: some drivers do not report failures. */
  endFailedWatches(): void;
  /** Gives back events that were held for a failure long enough; true if there are more. */
  giveBackHeld(): boolean;
  eventStatus(event: Handle): number;
  watchEvent(event: Handle, stage: number, id: number): void;
  waitSync(events: Int32Array): void;
  profilingTimes(events: Int32Array, fields: Int32Array, into: BigInt64Array): void;

  /** In host memory of ours, in pages of 2 MiB where the system has them; the flags get USE_HOST_PTR. */
  createLargePageBuffer(context: Handle, flags: number, bytes: number): Handle;
  createBuffer(
    context: Handle,
    flags: number,
    bytes: number,
    host: HostArray | undefined,
    properties: BigUint64Array | undefined,
  ): Handle;
  /** `like` is the part that it is a part of; it ends with that one's loan. */
  createSubBuffer(buffer: Handle, flags: number, origin: number, bytes: number, like: Handle, kept: boolean): Handle;
  /** Whether there were parts that lie over each other and that the driver cannot give back. */
  partsStay(): boolean;
  /** Another handle of the same memory. */
  sameBuffer(buffer: Handle): Handle;
  watchDestruction(memory: Handle, id: number): void;

  /** True if host memory is pinned natively while a command uses it. */
  canPin(): boolean;
  /** Blocking calls return nothing, others the event. Offsets and counts in bytes. */
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
  writeBuffer(
    queue: Handle,
    buffer: Handle,
    offset: number,
    host: HostArray,
    hostOffset: number,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  /** Rectangles lie in the scratch block (writeRectangle in scratch.ts), the buffer's side first. */
  readRectangle(
    queue: Handle,
    buffer: Handle,
    host: HostArray,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  writeRectangle(
    queue: Handle,
    buffer: Handle,
    host: HostArray,
    hostOffset: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
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

  /** [map, event or 0] */
  mapBuffer(
    queue: Handle,
    buffer: Handle,
    flags: number,
    offset: number,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): [Handle, Handle];
  /** The ArrayBuffer over a completed map; once. */
  mapMemory(map: Handle): ArrayBuffer;
  /** Detaches the ArrayBuffer, enqueues the unmap, releases the map; its event. */
  unmap(map: Handle, memory: ArrayBuffer | undefined, waitFor: Waits): Handle;
  /** [landing, event]: a read into memory that JavaScript gets by takeLanding, after the event has completed. */
  readLanding(queue: Handle, buffer: Handle, offset: number, bytes: number, waitFor: Waits): [Handle, Handle];
  /** Makes the ring of pinned memory for the stage… calls on this queue, which copy with so many threads. */
  prepareStaging(queue: Handle, device: Handle, outOfOrder: boolean, lanes: number): void;
  stageRead: Native["readBuffer"];
  stageWrite: Native["writeBuffer"];
  stageLanding: Native["readLanding"];
  takeLanding(landing: Handle, bytes: number): ArrayBuffer;

  programFromSource(context: Handle, source: string): Handle;
  programFromBinaries(context: Handle, devices: Int32Array, binaries: readonly Bytes[]): Handle;
  programFromIL(context: Handle, il: Bytes): Handle;
  programFromBuiltInKernels(context: Handle, devices: Int32Array, names: string): Handle;
  /** With an id the work runs on a thread and its status arrives as a completion; without, it is returned. */
  buildProgram(program: Handle, devices: Int32Array, options: string, id: number | undefined): number | undefined;
  compileProgram(
    program: Handle,
    devices: Int32Array,
    options: string,
    headers: Int32Array,
    headerNames: readonly string[],
    id: number | undefined,
  ): number | undefined;
  /** [link, status]; then linkedProgram(link) gives the program, or 0 if there is none. */
  linkProgram(
    context: Handle,
    devices: Int32Array,
    options: string,
    programs: Int32Array,
    id: number | undefined,
  ): [Handle, number];
  linkedProgram(link: Handle): Handle;
  programBinaries(program: Handle): Bytes[];
  /** Lets the driver make what programBinaries then copies; with an id on a thread. */
  prepareBinaries(program: Handle, id: number | undefined): number | undefined;
  setSpecializationConstant(program: Handle, id: number, bytes: Bytes): void;

  createKernel(program: Handle, name: string): Handle;
  createKernels(program: Handle): Handle[];
  cloneKernel(kernel: Handle, program: Handle, name: string): Handle;
  /** [kind, size, offset in the scratch block] for each argument. */
  describeKernel(kernel: Handle, layout: Int32Array): void;
  setKernelArgument(kernel: Handle, index: number): void;
  setKernelArguments(kernel: Handle): void;
  /** Puts what the argument was set to last into the scratch block, where it is set from. */
  readKernelArgument(kernel: Handle, index: number): void;
  /** From now on every argument goes to the driver, since others may set them too. */
  shareKernel(kernel: Handle): void;
  setKernelExecInfo(kernel: Handle, param: number, bytes: Bytes): void;

  /** Queue, kernel and flags lie in the scratch block (setLaunch in scratch.ts), and what else the launch needs. */
  launch(waitFor?: Int32Array): Handle | undefined;
  launchBound(): void;
  /** `scalars` are [argument, type] for each column. */
  launchRows(queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array): void;
  /** Returns the event of the last row's launch; each launch begins when the one before it has ended. */
  enqueueRows(queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array, waitFor?: Int32Array): Handle;
  fixKernel(kernel: Handle): void;

  createList(context: Handle, follows: boolean): Handle;
  /** `after` in these four: the commands of the list that the new one begins after. */
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
  /** `what` is twice the number of values that lie in the scratch block, plus 1 for an event. */
  launchList(queue: Handle, list: Handle, what: number, waitFor?: Int32Array): Handle | undefined;

  adopt(kind: number, pointer: bigint, retain: boolean): Handle;
  pointerOf(handle: Handle): bigint;
  retainRaw(handle: Handle): void;
}

/** The addon of this environment: every worker loads its own. */
export const native: Native = loadBinary() as Native;

/** Connects the addon to this module's memory and to whoever settles completions. Called once, by completion.ts. */
export function connect(settle: (count: number) => void): void {
  native.initialize(createNativeError, settle, scratch, completions);
}
