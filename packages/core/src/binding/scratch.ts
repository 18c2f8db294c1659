/**
 * The block of memory through which hot calls pass their arguments: writing a number into a typed array costs about a
 * nanosecond, handing it to a native function eight or more. Native code reads it during the call only.
 *
 * Layout of a launch, in bytes: 0 dimensions (int32), 4 which of local (1) and offset (2) are given (int32), 8 three
 * global sizes, 32 three local sizes, 56 three offsets (float64), 80 queue, 84 kernel, 88 flags (int32),
 * {@link argumentsOffset} the kernel's arguments.
 * A rectangle is 13 numbers from the start.
 */
export const scratch: Uint8Array<ArrayBuffer> = new Uint8Array(64 * 1024);

/** Pairs of id and status, written by the native side before it calls settle. */
export const completions: Float64Array<ArrayBuffer> = new Float64Array(2 * 1024);

/** Views over the block by element type. */
export const scratchFloat64: Float64Array<ArrayBuffer> = new Float64Array(scratch.buffer);
export const scratchFloat32: Float32Array<ArrayBuffer> = new Float32Array(scratch.buffer);
export const scratchInt32: Int32Array<ArrayBuffer> = new Int32Array(scratch.buffer);

/** Where a kernel's arguments start; a multiple of the largest alignment, that of a 16-vector of doubles. */
export const argumentsOffset = 128;

/** Flags of `native.launch`. */
export const launchFlags = { wantEvent: 1, thenFinish: 2, keepArguments: 4, empty: 8 } as const;

let writes = 0;

/** To be called before the block is written to. Returns a number for {@link isUndisturbed}. */
export function beginWrite(): number {
  return ++writes;
}

/**
 * True if nobody else has written to the block since that {@link beginWrite}. A getter in an array of the caller's can run
 * between two writes and launch a kernel itself.
 */
export function isUndisturbed(write: number): boolean {
  return write === writes;
}

/** Names the queue, the kernel and the flags of the launch that follows. */
export function setLaunch(queue: number, kernel: number, flags: number): void {
  scratchInt32[20] = queue;
  scratchInt32[21] = kernel;
  scratchInt32[22] = flags;
}

/** A box of bytes in two places: origins and region are [bytes, rows, slices]; pitches in bytes, 0 for packed. */
export interface Rectangle {
  readonly first: readonly [number, number, number];
  readonly second: readonly [number, number, number];
  readonly region: readonly [number, number, number];
  readonly firstPitches: readonly [row: number, slice: number];
  readonly secondPitches: readonly [row: number, slice: number];
}

/** Puts a rectangle where the native call that follows reads it. */
export function writeRectangle(box: Rectangle): void {
  beginWrite();
  scratchFloat64.set([...box.first, ...box.second, ...box.region, ...box.firstPitches, ...box.secondPitches]);
}
