/** The native calls of pipes, semaphores, external memory and command buffers. */
import type { Handle } from "./handle.js";

type Waits = Int32Array | undefined;

/** See native/objects/pipe.cc, semaphore.cc, external_memory.cc, command_buffer.cc and launch.cc. */
export interface NativeInterop {
  createPipe(context: Handle, flags: number, packetSize: number, maxPackets: number): Handle;
  getPipeInfo(pipe: Handle, param: number): Uint8Array;

  /** No devices are all of the context's; an import type of 0 makes a new one. */
  createSemaphore(
    context: Handle,
    devices: Int32Array,
    exportTypes: Int32Array,
    importType: number,
    descriptor: number,
  ): Handle;
  signalSemaphores(queue: Handle, semaphores: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  waitSemaphores(queue: Handle, semaphores: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  /** A file descriptor, the caller's from now on. */
  exportSemaphore(semaphore: Handle, device: Handle, type: number): number;

  importBuffer(
    context: Handle,
    flags: number,
    bytes: number,
    type: number,
    descriptor: number,
    devices: Int32Array,
  ): Handle;
  acquireExternal(queue: Handle, memories: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  releaseExternal(queue: Handle, memories: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;

  createCommandBuffer(queue: Handle, simultaneousUse: boolean): Handle;
  recordKernel(buffer: Handle, kernel: Handle): void;
  recordCopy(
    buffer: Handle,
    source: Handle,
    target: Handle,
    sourceOffset: number,
    targetOffset: number,
    bytes: number,
  ): void;
  recordFill(buffer: Handle, target: Handle, pattern: ArrayBufferView, offset: number, bytes: number): void;
  recordBarrier(buffer: Handle): void;
  finalizeCommandBuffer(buffer: Handle): void;
  enqueueCommandBuffer(buffer: Handle, waitFor: Waits): Handle;
  /** Whether a run of it has not ended. */
  commandBufferRuns(buffer: Handle): boolean;

  /** For the sizes in the scratch block. */
  suggestedLocalSize(queue: Handle, kernel: Handle): number[];
}
