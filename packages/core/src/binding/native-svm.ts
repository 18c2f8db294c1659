/** Native functions for shared virtual memory. */
import type { Handle } from "./handle.js";

type Waits = Int32Array | undefined;

/** Native functions for shared virtual memory. Offsets and counts are in bytes. */
export interface NativeSvm {
  /** Sets the listener id that is called when there is memory to reap. */
  svmListen(id: number): void;
  /** Frees released memory that no command uses. Returns the number of blocks still to be freed. */
  svmReap(): number;
  createSvm(context: Handle, flags: number, bytes: number, alignment: number): Handle;
  /** Wraps host memory, for devices with fine-grained system SVM. */
  wrapSvm(context: Handle, host: ArrayBufferView): Handle;
  /** Returns the ArrayBuffer over the whole memory. Can be called once. */
  svmMemory(svm: Handle): ArrayBuffer;
  /** Detaches the ArrayBuffer and releases the handle. */
  releaseSvm(svm: Handle, memory: ArrayBuffer | undefined): void;
  /** Binds the memory to a queue; 0 unbinds it. */
  bindSvm(svm: Handle, queue: Handle): void;
  /** Detaches the ArrayBuffer, enqueues the release and releases the handle. Returns the event. */
  enqueueSvmFree(svm: Handle, queue: Handle, memory: ArrayBuffer | undefined, waitFor: Waits): Handle;
  /** Copies; the side whose handle is 0 is the host array. Returns the event unless the call blocks. */
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
  /** `ranges` has [offset, bytes] for each of `svms`. */
  svmMigrate(queue: Handle, svms: Int32Array, ranges: BigUint64Array, flags: number, waitFor: Waits): Handle;
  /** Returns [map, event or 0]. */
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
  /** Sets the memory that a kernel accesses through pointers. The kernel holds a reference until the next call. */
  setKernelSvm(kernel: Handle, svms: Int32Array): void;
  /** Sets whether a kernel may access any memory of the process. */
  setKernelReachesAll(kernel: Handle, enabled: boolean): void;
}
