/**
 * The memory block through which hot native calls receive their arguments: writing a number into a typed array costs
 * about 1 ns, passing it to a native function 8 ns or more. Native code reads the block only during the call.
 *
 * Layout of a launch, in bytes: 0 dimensions (int32), 4 flags for a given local size (1) and offset (2) (int32), 8
 * three global sizes, 32 three local sizes, 56 three offsets (float64), 80 queue, 84 kernel, 88 flags (int32), {@link
 * argumentsOffset} the kernel's arguments. A rectangle is 13 numbers (float64) from the start.
 */
export const scratch: Uint8Array<ArrayBuffer> = new Uint8Array(64 * 1024);

/** Pairs of id and status that native code writes before it calls settle. */
export const completions: Float64Array<ArrayBuffer> = new Float64Array(2 * 1024);

/** Views of the block by element type. */
export const scratchFloat64: Float64Array<ArrayBuffer> = new Float64Array(scratch.buffer);
export const scratchFloat32: Float32Array<ArrayBuffer> = new Float32Array(scratch.buffer);
export const scratchInt32: Int32Array<ArrayBuffer> = new Int32Array(scratch.buffer);

/** Offset of the kernel arguments; a multiple of the largest alignment, 128 bytes for `double16`. */
export const argumentsOffset = 128;

/** Flags of `native.launch`. */
export const launchFlags = { wantEvent: 1, thenFinish: 2, keepArguments: 4, empty: 8 } as const;

let lastWrite = 0;

/** Marks the start of a write into the block. Returns a number for {@link isUndisturbed}. */
export function beginWrite(): number {
  return ++lastWrite;
}

/**
 * Returns whether the block was not written to by others since that {@link beginWrite}. User code, such as a getter of
 * an argument array, can launch a kernel between two writes.
 */
export function isUndisturbed(write: number): boolean {
  return write === lastWrite;
}

/** Writes the queue, the kernel and the flags of the next launch. */
export function setLaunch(queue: number, kernel: number, flags: number): void {
  scratchInt32[20] = queue;
  scratchInt32[21] = kernel;
  scratchInt32[22] = flags;
}

/**
 * A rectangular copy between two memories: origins and region are [bytes, rows, slices]; pitches are in bytes, 0 if
 * packed.
 */
export interface Rectangle {
  readonly first: readonly [number, number, number];
  readonly second: readonly [number, number, number];
  readonly region: readonly [number, number, number];
  readonly firstPitches: readonly [row: number, slice: number];
  readonly secondPitches: readonly [row: number, slice: number];
}

/** Writes a rectangle into the scratch block for the next native call. */
export function writeRectangle(box: Rectangle): void {
  beginWrite();
  scratchFloat64.set([...box.first, ...box.second, ...box.region, ...box.firstPitches, ...box.secondPitches]);
}
