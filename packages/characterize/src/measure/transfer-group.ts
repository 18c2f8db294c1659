/** Measures transfers between host and device over sizes. */
import { present } from "@cl/base";
import type { DeviceBuffer } from "@cl/core";

import { type BenchDevice, yieldToEventLoop, seconds } from "./bench-device.js";
import type {
  MappingCharacteristics,
  TransferCharacteristics,
  TransferCurve,
  TransferDirection,
  TransferKind,
  TransferPoint,
} from "./characteristics.js";
import { type Figures, measure, type Measuring } from "./measuring.js";
import type { Probe } from "./sampler.js";

export async function measureTransfers(measuring: Measuring): Promise<Figures<TransferCharacteristics>> {
  const { bench, quick, maxBytes } = measuring;
  const sizes = [...(quick ? quickSizes : allSizes).filter((bytes) => bytes < maxBytes), maxBytes];
  const memory = await TransferMemory.make(bench, maxBytes);
  try {
    const probes = kinds
      .filter(([kind]) => kind !== "staged" || !bench.device.hostUnifiedMemory)
      .flatMap(([kind, direction]) => sizes.flatMap((bytes) => memory.probe(kind, direction, bytes) ?? []));
    const mapping = memory.mappingProbes(maxBytes);
    const outcome = await measure<Probe>(measuring, [...probes, ...Object.values(mapping)]);
    const curves = new Map<string, TransferCurve & { points: TransferPoint[] }>();
    for (const probe of probes) {
      const { kind, direction, bytes } = probe;
      const [time, bandwidth] = [outcome.time(probe), outcome.rate(probe, bytes, "B/s")];
      if (time === undefined || bandwidth === undefined) continue;
      const key = `${kind} ${direction}`;
      let curve = curves.get(key);
      if (curve === undefined) curves.set(key, (curve = { kind, direction, points: [] }));
      curve.points.push({ bytes, time, bandwidth });
    }
    const rate = (probe: Probe): MappingCharacteristics["map"] => outcome.rate(probe, maxBytes, "B/s");
    return {
      curves: [...curves.values()],
      mapping: present<MappingCharacteristics>({
        bytes: maxBytes,
        map: rate(mapping.map),
        copyFrom: rate(mapping.copyFrom),
        copyTo: rate(mapping.copyTo),
        unmap: rate(mapping.unmap),
      }),
      notes: outcome.notes,
    };
  } finally {
    memory.release();
  }
}

const KiB = 1024;
const MiB = KiB * KiB;
const allSizes = [1, 256, 4 * KiB, 64 * KiB, 512 * KiB, 4 * MiB, 16 * MiB, 64 * MiB];
const quickSizes = [1, 4 * KiB, MiB, 16 * MiB];
/** @cl/core does not stage smaller transfers. */
const minStaged = 8 * MiB;
/** Larger transfers are asynchronous, since they would block the event loop for milliseconds. */
const maxBlocking = 8 * MiB;

const kinds: readonly (readonly [TransferKind, TransferDirection])[] = [
  ["pageable", "hostToDevice"],
  ["pageable", "deviceToHost"],
  ["staged", "hostToDevice"],
  ["staged", "deviceToHost"],
  ["pinned", "hostToDevice"],
  ["pinned", "deviceToHost"],
  ["mapped", "hostToDevice"],
  ["mapped", "deviceToHost"],
  ["device", "deviceToDevice"],
];

interface TransferProbe extends Probe {
  readonly kind: TransferKind;
  readonly direction: TransferDirection;
  readonly bytes: number;
}

/** The buffers and arrays of the transfers. All memory is written once before the measurements. */
class TransferMemory {
  readonly #bench: BenchDevice;
  readonly #host: Uint8Array<ArrayBuffer>;
  readonly #pinned: Uint8Array<ArrayBuffer>;
  readonly #buffers: readonly [DeviceBuffer, DeviceBuffer, DeviceBuffer];
  readonly #unmap: () => void;

  private constructor(
    bench: BenchDevice,
    buffers: readonly [DeviceBuffer, DeviceBuffer, DeviceBuffer],
    host: Uint8Array<ArrayBuffer>,
    pinned: Uint8Array<ArrayBuffer>,
    unmap: () => void,
  ) {
    this.#bench = bench;
    this.#buffers = buffers;
    this.#host = host;
    this.#pinned = pinned;
    this.#unmap = unmap;
  }

  static async make(bench: BenchDevice, bytes: number): Promise<TransferMemory> {
    const buffer = (): DeviceBuffer => bench.buffer(bytes, { hostPointer: "alloc" });
    const [first, second, pinnedBuffer] = [buffer(), buffer(), buffer()];
    const queue = bench.profiled;
    const mapped = await queue.map(pinnedBuffer, Uint8Array, { access: "write-invalidate" });
    const pinned = mapped.data;
    const host = new Uint8Array(bytes);
    for (const memory of [host, pinned]) await touch(memory, bench.signal);
    for (const buffer of [first, second]) await queue.write(buffer, pinned);
    return new TransferMemory(bench, [first, second, pinnedBuffer], host, pinned, () => mapped.release());
  }

  release(): void {
    this.#unmap();
    for (const buffer of this.#buffers) buffer.release();
  }

  probe(kind: TransferKind, direction: TransferDirection, bytes: number): TransferProbe | undefined {
    if (kind === "staged" && bytes < minStaged) return undefined;
    const small = bytes <= maxBlocking;
    const once: () => unknown = small ? this.#blocking(kind, direction, bytes) : this.#awaited(kind, direction, bytes);
    return {
      kind,
      direction,
      bytes,
      name: `${kind} ${direction} ${bytes} B`,
      async run(count) {
        const start = seconds();
        for (let i = 0; i < count; i++) {
          const wait = once();
          if (wait instanceof Promise) await wait;
        }
        return seconds() - start;
      },
    };
  }

  #blocking(kind: TransferKind, direction: TransferDirection, bytes: number): () => void {
    const [buffer, other] = this.#buffers;
    const queue = kind === "staged" ? this.#bench.queue : this.#bench.profiled;
    if (kind === "device") return () => queue.copySync(other, buffer, { bytes });
    const host = (kind === "pinned" ? this.#pinned : this.#host).subarray(0, bytes);
    const toDevice = direction === "hostToDevice";
    if (kind === "mapped") {
      return () => {
        const mapped = queue.mapSync(buffer, Uint8Array, { length: bytes, access: accessOf(toDevice) });
        copyMapped(mapped.data, host, toDevice);
        mapped.unmap().release();
        queue.finishSync();
      };
    }
    if (toDevice) return () => queue.writeSync(buffer, host);
    return () => void queue.readSync(buffer, { into: host });
  }

  #awaited(kind: TransferKind, direction: TransferDirection, bytes: number): () => Promise<unknown> {
    const [buffer, other] = this.#buffers;
    const queue = kind === "staged" ? this.#bench.queue : this.#bench.profiled;
    const { signal } = this.#bench;
    const abortable: { readonly signal?: AbortSignal } = signal === undefined ? {} : { signal };
    if (kind === "device") {
      return async () => {
        queue.enqueueCopy(other, buffer, { bytes }).release();
        await this.#bench.finish(queue);
      };
    }
    const host = (kind === "pinned" ? this.#pinned : this.#host).subarray(0, bytes);
    const toDevice = direction === "hostToDevice";
    if (kind === "mapped") {
      return async () => {
        const access = accessOf(toDevice);
        const mapped = await queue.map(buffer, Uint8Array, { length: bytes, access, ...abortable });
        copyMapped(mapped.data, host, toDevice);
        await mapped.unmap().wait();
      };
    }
    if (toDevice) return () => queue.write(buffer, host, abortable);
    return () => queue.read(buffer, { into: host, ...abortable });
  }

  mappingProbes(bytes: number): Record<"map" | "copyFrom" | "copyTo" | "unmap", Probe> {
    const [buffer] = this.#buffers;
    const queue = this.#bench.profiled;
    const host = this.#host;
    const part = (name: string, toDevice: boolean, step: "map" | "copy" | "unmap"): Probe => ({
      name,
      maxCount: 1000,
      async run(count) {
        let total = 0;
        for (let i = 0; i < count; i++) {
          const start = seconds();
          const mapped = queue.mapSync(buffer, Uint8Array, { length: bytes, access: toDevice ? "write" : "read" });
          const copying = seconds();
          if (step === "copy") copyMapped(mapped.data, host, toDevice);
          const unmapping = seconds();
          mapped.unmap().release();
          queue.finishSync();
          const end = seconds();
          total += { map: copying - start, copy: unmapping - copying, unmap: end - unmapping }[step];
        }
        return total;
      },
    });
    return {
      map: part("map", false, "map"),
      copyFrom: part("copyFrom", false, "copy"),
      copyTo: part("copyTo", true, "copy"),
      unmap: part("unmap", true, "unmap"),
    };
  }
}

/** Writes memory in parts, since allocating pages takes long enough to block the event loop. */
async function touch(memory: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  for (let from = 0; from < memory.length; from += 4 * MiB) {
    memory.fill(1, from, from + 4 * MiB);
    await yieldToEventLoop(signal);
  }
}

function accessOf(toDevice: boolean): "write-invalidate" | "read" {
  return toDevice ? "write-invalidate" : "read";
}

function copyMapped(mapped: Uint8Array, host: Uint8Array, toDevice: boolean): void {
  if (toDevice) mapped.set(host.subarray(0, mapped.length));
  else host.set(mapped);
}
