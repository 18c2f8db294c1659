/** All calls that block the thread until commands of a queue complete. */
import {
  type CommandEvent,
  type CommandQueue,
  type Context,
  DeviceBuffer,
  Image,
  ImageFormat,
  type Kernel,
  LaunchList,
  Program,
  SvmAllocation,
  waitForEventsSync,
} from "@cl/core";

import { hasSvm } from "@cl/testing/svm";

/** A call that blocks until its command completes. The command waits for `waitFor`, if given. */
export type BlockingCall = (on: CommandQueue, waitFor?: CommandEvent) => unknown;

/** The calls, and the objects they use. */
export interface BlockingCalls {
  /** Calls that block until one command or event completes, with their names. */
  readonly blocking: readonly (readonly [string, BlockingCall])[];
  /** Calls that block until all commands of a queue have completed. */
  readonly finishing: readonly (readonly [string, (on: CommandQueue) => unknown])[];
  /** A buffer with the values 1, 2, 3, 4. */
  readonly x: DeviceBuffer<Int32Array>;
  readonly y: DeviceBuffer<Int32Array>;
  readonly set: Kernel;
}

/** Returns the calls for queues of a context. */
export function blockingCalls(context: Context): BlockingCalls {
  const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
  const y = DeviceBuffer.empty(context, Int32Array, 4);
  const host = new Int32Array(4);
  const program = new Program(context, "__kernel void set(__global int *x, int to) { x[0] = to; }").buildSync();
  const set = program.kernel("set");
  const bound = set.bind({ global: 1 }, y, 5);
  const box = { region: [4, 2], sourcePitches: [8], targetPitches: [8] } as const;

  const blocking: (readonly [string, BlockingCall])[] = [
    ["readSync", (on, waitFor) => on.readSync(x, { waitFor })],
    ["empty readSync", (on, waitFor) => on.readSync(x, { length: 0, waitFor })],
    ["writeSync", (on, waitFor) => on.writeSync(x, host, { waitFor })],
    ["empty writeSync", (on, waitFor) => on.writeSync(x, new Int32Array(), { waitFor })],
    ["mapSync", (on, waitFor) => on.mapSync(x, { waitFor }).release()],
    ["copySync between buffers", (on, waitFor) => on.copySync(y, x, { waitFor })],
    ["copySync from a buffer", (on, waitFor) => on.copySync(host, x, { waitFor })],
    ["copySync of a rectangle between buffers", (on, waitFor) => on.copySync(y, x, { ...box, waitFor })],
    ["copySync of a rectangle into a buffer", (on, waitFor) => on.copySync(x, host, { ...box, waitFor })],
    ["enqueueMarker and waitSync", (on, waitFor) => on.enqueueMarker(waitFor).waitSync()],
    ["enqueueBarrier and waitForEventsSync", (on, waitFor) => waitForEventsSync([on.enqueueBarrier(waitFor)])],
    ["enqueueFill and waitSync", (on, waitFor) => on.enqueueFill(y, 1, { waitFor }).waitSync()],
    ["a kernel and waitSync", (on, waitFor) => set.enqueue(on, { global: 1, waitFor }, y, 1).waitSync()],
    ["a list and waitSync", (on, waitFor) => new LaunchList(context).push(bound).enqueue(on, { waitFor }).waitSync()],
  ];
  if (context.devices[0]?.imageSupport === true) {
    const image = new Image(context, { format: new ImageFormat("RGBA", "UNSIGNED_INT8"), shape: [2, 2] });
    const pixels = new Uint8Array(16);
    blocking.push(
      ["readSync of an image", (on, waitFor) => on.readSync(image, { waitFor })],
      ["writeSync of an image", (on, waitFor) => on.writeSync(image, pixels, { waitFor })],
      ["mapSync of an image", (on, waitFor) => on.mapSync(image, { waitFor }).release()],
    );
  }
  if (hasSvm("COARSE_GRAIN_BUFFER")) {
    const svm = new SvmAllocation(context, 16);
    blocking.push(
      ["readSync of SVM", (on, waitFor) => on.readSync(svm, { waitFor })],
      ["writeSync of SVM", (on, waitFor) => on.writeSync(svm, host, { waitFor })],
      ["mapSync of SVM", (on, waitFor) => svm.mapSync(on, { waitFor }).release()],
    );
  }
  const finishing: readonly (readonly [string, (on: CommandQueue) => unknown])[] = [
    ["finishSync", (on) => on.finishSync()],
    ["launchAndFinishSync", (on) => set.launchAndFinishSync(on, { global: 1 }, y, 9)],
    ["launchAndFinishSync of a bound kernel", (on) => bound.launchAndFinishSync(on)],
  ];
  return { blocking, finishing, x, y, set };
}
