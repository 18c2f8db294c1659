/** The addon without the argument checks of the TypeScript layer, and one object of each kind. */
import { requireAddon } from "./find-addon.mjs";

/** Loads and initializes an addon instance with separate scratch memory. */
export function loadAddon() {
  const native = requireAddon();
  const scratch = new Uint8Array(64 * 1024);
  const completions = new Float64Array(2048);
  let settled = 0;
  native.initialize(
    (code, routine, status, detail, position) =>
      Object.assign(new Error(`${code} ${routine} ${detail}`), { code, status, position }),
    (count) => (settled += count),
    scratch,
    completions,
  );
  return { native, scratch, settled: () => settled };
}

const source = "__kernel void f(__global float *x, float a, int n) { x[0] = a + n; }";

/** Creates handles of each kind: live, from another context, released, and released with a recycled slot. */
export function makeObjects(native, scratch) {
  const [platform] = native.platforms();
  const [device] = native.devices(platform, 0xffffffff);
  const context = native.createContext(Int32Array.of(device), undefined, undefined);
  const other = native.createContext(Int32Array.of(device), undefined, undefined);
  const make = (from) => {
    const queue = native.createQueue(from, device, new BigUint64Array(0), 0);
    const buffer = native.createBuffer(from, 1, 64, undefined, undefined);
    new Float64Array(scratch.buffer).set([0x10b5, 0x10da, 0x10f1, 4, 4, 1, 0, 0]);
    const image = native.createImage(from, 1, undefined, 0, undefined);
    new Float64Array(scratch.buffer).set([0x10b5, 0x10da, 0x10f6, 4, 1, 1, 0, 0]);
    const overBuffer = native.createImage(from, 1, undefined, buffer, undefined);
    const program = native.programFromSource(from, source);
    native.buildProgram(program, Int32Array.of(device), "-cl-kernel-arg-info", undefined);
    const kernel = native.createKernel(program, "f");
    native.describeKernel(kernel, Int32Array.of(0, 8, 128, 2, 4, 144, 2, 4, 160));
    const event = native.marker(queue, undefined, true);
    const list = native.createList(from);
    const [map] = native.mapBuffer(queue, buffer, 1, 0, 64, true, undefined);
    const [landing] = native.readLanding(queue, buffer, 0, 64, undefined);
    native.finishSync(queue);
    return { queue, buffer, image, overBuffer, program, kernel, event, list, map, landing };
  };
  const released = make(context);
  for (const handle of Object.values(released)) native.release(handle);
  const recycled = make(context);
  for (const handle of Object.values(recycled)) native.recycle(handle);
  return { platform, device, context, other, live: make(context), foreign: make(other), released, recycled };
}
