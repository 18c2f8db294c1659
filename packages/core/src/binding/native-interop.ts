/** Native functions for pipes, semaphores, external memory and command buffers. */
import type { Handle } from "./handle.js";

type Waits = Int32Array | undefined;

/** Native functions of native/objects/{pipe,semaphore,external_memory}.cc and native/commands/{command_buffer,launch}.cc. */
export interface NativeInterop {
  createPipe(context: Handle, flags: number, packetSize: number, maxPackets: number): Handle;
  getPipeInfo(pipe: Handle, param: number): Uint8Array;

  /** An empty device list means all devices of the context; an import type of 0 creates a new semaphore. */
  createSemaphore(
    context: Handle,
    devices: Int32Array,
    exportTypes: Int32Array,
    importType: number,
    descriptor: number,
  ): Handle;
  signalSemaphores(queue: Handle, semaphores: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  waitSemaphores(queue: Handle, semaphores: Int32Array, waitFor: Waits, wantEvent: boolean): Handle | undefined;
  /** Returns a file descriptor that the caller owns. */
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

  createCommandBuffer(queue: Handle, simultaneousUse: boolean, takesProperties: boolean): Handle;
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
  /** Returns whether an earlier enqueue of the command buffer has not completed. */
  commandBufferRuns(buffer: Handle): boolean;

  /** Returns the driver's local size for the sizes in the scratch block. */
  suggestedLocalSize(queue: Handle, kernel: Handle): number[];
}
