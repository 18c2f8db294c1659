// Transfers of 64 MiB between touched memory, and the event loop's longest pause during an awaited transfer.
import { DeviceBuffer, DeviceView, Image, ImageFormat } from "@cl/core";

import { now } from "../serve.mjs";

/** @param {import("./rig.mjs").Rig} rig */
export function transferJobs({ context, queue }) {
  /** @type {{ host: Float32Array, buffer: DeviceBuffer } | undefined} */
  let pageable;
  // Created at first use, because other jobs do not need the 128 MiB.
  const pair = () => {
    if (pageable === undefined) {
      const host = new Float32Array(64 << 18).fill(1);
      pageable = { host, buffer: DeviceBuffer.from(context, host) };
      queue.writeSync(pageable.buffer, host);
      queue.readSync(pageable.buffer, { into: host });
    }
    return pageable;
  };

  /** @type {{ host: Float32Array, buffer: DeviceBuffer } | undefined} */
  let pinned;
  const pinnedPair = () => {
    if (pinned === undefined) {
      const memory = new DeviceBuffer(context, { type: Float32Array, length: 64 << 18, hostPointer: "alloc" });
      const host = queue.mapSync(memory).data.fill(1);
      pinned = { host, buffer: DeviceBuffer.from(context, host) };
    }
    return pinned;
  };

  /** @type {{ host: Float32Array, image: Image } | undefined} */
  let picture;
  const picturePair = () => {
    if (picture === undefined) {
      const host = new Float32Array(64 << 18).fill(1);
      picture = { host, image: new Image(context, { format: new ImageFormat("RGBA", "FLOAT"), shape: [2048, 2048] }) };
      queue.writeSync(picture.image, host);
    }
    return picture;
  };

  /** @param {number} floats */
  const coherent = (floats) => {
    const host = new Float32Array(floats).fill(1);
    return { host, buffer: DeviceBuffer.from(context, host, { hostCoherent: "required" }) };
  };
  /** @type {ReturnType<typeof coherent> | undefined} */
  let small;
  /** @type {ReturnType<typeof coherent> | undefined} */
  let large;

  /** @type {{ host: Float32Array, view: DeviceView } | undefined} */
  let middle;
  const middleOfRows = () => {
    if (middle === undefined) {
      const host = new Float32Array(32 << 18).fill(1);
      const square = DeviceView.fromHost(context, new Float32Array(64 << 18).fill(1), { shape: [4096, 4096] });
      middle = { host, view: square.slice(":", "1024:3072") };
    }
    return middle;
  };

  return {
    "strided-read"(count) {
      const { host, view } = middleOfRows();
      const start = now();
      for (let i = 0; i < count; i++) view.readSync(queue, { into: host });
      return (now() - start) / count;
    },

    "coherent-read-4KiB"(count) {
      const { host, buffer } = (small ??= coherent(1024));
      const start = now();
      for (let i = 0; i < count; i++) queue.readSync(buffer, { into: host });
      return (now() - start) / count;
    },

    "coherent-write-4KiB"(count) {
      const { host, buffer } = (small ??= coherent(1024));
      const start = now();
      for (let i = 0; i < count; i++) queue.writeSync(buffer, host);
      return (now() - start) / count;
    },

    "coherent-view-64MiB"(count) {
      const { buffer } = (large ??= coherent(64 << 18));
      let sum = 0;
      const start = now();
      for (let i = 0; i < count; i++) sum += queue.readSync(buffer, { view: true })[i] ?? 0;
      const time = (now() - start) / count;
      if (sum !== count) throw new Error("the view has wrong contents");
      return time;
    },

    "write-64MiB-pinned"(count) {
      const { host, buffer } = pinnedPair();
      const start = now();
      for (let i = 0; i < count; i++) queue.writeSync(buffer, host);
      return (now() - start) / count;
    },

    "read-64MiB-pinned"(count) {
      const { host, buffer } = pinnedPair();
      const start = now();
      for (let i = 0; i < count; i++) queue.readSync(buffer, { into: host });
      return (now() - start) / count;
    },

    "image-write"(count) {
      const { host, image } = picturePair();
      const start = now();
      for (let i = 0; i < count; i++) queue.writeSync(image, host);
      return (now() - start) / count;
    },

    "image-read"(count) {
      const { host, image } = picturePair();
      const start = now();
      for (let i = 0; i < count; i++) queue.readSync(image, { into: host });
      return (now() - start) / count;
    },

    "write-64MiB"(count) {
      const { host, buffer } = pair();
      const start = now();
      for (let i = 0; i < count; i++) queue.writeSync(buffer, host);
      return (now() - start) / count;
    },

    "read-64MiB"(count) {
      const { host, buffer } = pair();
      const start = now();
      for (let i = 0; i < count; i++) queue.readSync(buffer, { into: host });
      return (now() - start) / count;
    },

    async "read-64MiB-stall"(count) {
      const { buffer } = pair();
      let longest = 0;
      for (let i = 0; i < count; i++) {
        longest = Math.max(longest, await stallDuring(() => queue.read(buffer, Float32Array)));
      }
      return longest;
    },
  };
}

/**
 * Spins the event loop while the operation runs. Returns the longest gap between two turns.
 * @param {() => Promise<unknown>} operation
 */
async function stallDuring(operation) {
  let running = true;
  let longest = 0;
  let last = now();
  const ticking = new Promise((resolve) => {
    const tick = () => {
      const at = now();
      longest = Math.max(longest, at - last);
      last = at;
      if (running) setImmediate(tick);
      else resolve(undefined);
    };
    setImmediate(tick);
  });
  await operation();
  running = false;
  await ticking;
  return longest;
}
