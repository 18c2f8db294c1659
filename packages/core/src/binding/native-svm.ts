/** Native calls on shared virtual memory. */
import type { Handle } from "./handle.js";

type Waits = Int32Array | undefined;

/** What the addon exports for shared virtual memory. Offsets and counts in bytes. */
export interface NativeSvm {
  /** The id under which we are told that there is memory to reap. */
  svmListen(id: number): void;
  /** Frees what no command uses any more; how many blocks are still to be freed. */
  svmReap(): number;
  createSvm(context: Handle, flags: number, bytes: number, alignment: number): Handle;
  /** Host memory, where devices can use any. */
  wrapSvm(context: Handle, host: ArrayBufferView): Handle;
  /** The ArrayBuffer over all of it; once. */
  svmMemory(svm: Handle): ArrayBuffer;
  /** Detaches the ArrayBuffer and releases the handle. */
  releaseSvm(svm: Handle, memory: ArrayBuffer | undefined): void;
  /** A queue of 0 unbinds. */
  bindSvm(svm: Handle, queue: Handle): void;
  /** Detaches the ArrayBuffer, enqueues the release, releases the handle; its event. */
  enqueueSvmFree(svm: Handle, queue: Handle, memory: ArrayBuffer | undefined, waitFor: Waits): Handle;
  /** The side whose handle is 0 is the host array. Nothing if it blocks, else the event. */
  svmCopy(
    queue: Handle,
    target: Handle,
    targetOffset: number,
    source: Handle,
    sourceOffset: number,
    host: ArrayBufferView | undefined,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): Handle | undefined;
  svmFill(queue: Handle, svm: Handle, pattern: ArrayBufferView, offset: number, bytes: number, waitFor: Waits): Handle;
  /** Ranges are [offset, bytes] for each. */
  svmMigrate(queue: Handle, svms: Int32Array, ranges: BigUint64Array, flags: number, waitFor: Waits): Handle;
  /** [map, event or 0]; then as any map */
  mapSvm(
    queue: Handle,
    svm: Handle,
    flags: number,
    offset: number,
    bytes: number,
    blocking: boolean,
    waitFor: Waits,
  ): [Handle, Handle];
  createSvmBuffer(svm: Handle, flags: number, offset: number, bytes: number): Handle;
  /** Memory that a kernel reaches through pointers; it has a share of it until it is told otherwise. */
  setKernelSvm(kernel: Handle, svms: Int32Array): void;
  /** Whether a kernel may reach any memory of the process. */
  setKernelReachesAll(kernel: Handle, all: boolean): void;
}
