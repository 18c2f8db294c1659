/** What `characterize` answers: plain data, the same in memory, in JSON and on disk. */
import type { Quantity } from "./quantity.js";

/** The groups of measurements, in the order in which they are taken. */
export const groups = ["timer", "launch", "transfer", "globalMemory", "localMemory", "compute", "atomics"] as const;

/** The name of a group of measurements. */
export type CharacteristicsGroup = (typeof groups)[number];

/** What a device can do, as measured. A group that was not asked for is absent. */
export interface Characteristics {
  readonly format: 1;
  readonly device: DeviceDescription;
  /** True if less was measured, less often. */
  readonly quick: boolean;
  /** The banks of local memory, where strides show them: by this a result can be passed as what was measured. */
  readonly localMemoryBankCount?: number;
  readonly timer?: TimerCharacteristics;
  readonly launch?: LaunchCharacteristics;
  readonly transfer?: TransferCharacteristics;
  readonly globalMemory?: GlobalMemoryCharacteristics;
  readonly localMemory?: LocalMemoryCharacteristics;
  readonly compute?: ComputeCharacteristics;
  readonly atomics?: AtomicsCharacteristics;
}

/** Which device it was. */
export interface DeviceDescription {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly driverVersion: string;
  readonly platform: string;
  readonly platformVersion: string;
  readonly type: "cpu" | "gpu" | "accelerator" | "custom";
  readonly computeUnits: number;
  /** In MHz, as the driver says. */
  readonly clockFrequency: number;
  /** In bytes. */
  readonly globalMemory: number;
  /** In bytes. */
  readonly localMemory: number;
}

/** What every group has. */
export interface GroupFacts {
  /** When it was measured, as `Date` writes it in ISO 8601. */
  readonly measuredAt: string;
  /** How long that took, in seconds. */
  readonly seconds: number;
  /** What could not be measured, with the reason. */
  readonly notes: readonly string[];
}

/** The clocks: differences below these mean nothing. */
export interface TimerCharacteristics extends GroupFacts {
  /** What the device says of its profiling clock, in seconds. */
  readonly deviceResolution: number;
  /** The smallest step between two profiling times that was seen, in seconds. */
  readonly deviceStep?: number;
  /** The smallest step of the host's clock that was seen, in seconds. */
  readonly hostStep: number;
}

/** What it costs to start kernels that do nothing. */
export interface LaunchCharacteristics extends GroupFacts {
  /** From the launch to the return of a blocking wait. */
  readonly latency?: Quantity;
  /** The same with a promise. */
  readonly awaited?: Quantity;
  /** From queued to started, by the device's clock. */
  readonly queuedToStart?: Quantity;
  /** From its start to its end, by the device's clock. */
  readonly emptyKernel?: Quantity;
  /** One kernel after the other, thousands in flight. */
  readonly inOrder?: Quantity;
  /** The same on a queue that may change their order. */
  readonly outOfOrder?: Quantity;
  /** The same, recorded in a launch list. */
  readonly list?: Quantity;
  /** The same with an event for each kernel, without and with profiling: seconds a kernel. */
  readonly withEvents?: Quantity;
  readonly withProfiling?: Quantity;
}

/** Which way the data goes. */
export type TransferDirection = "hostToDevice" | "deviceToHost" | "deviceToDevice";

/**
 * Where the host's data is. `pageable`: ordinary memory, by the driver's own command. `staged`: ordinary memory, as
 * `queue.read` and `queue.write` move it where that is another way. `pinned`: memory that the driver has given. `mapped`:
 * the buffer is mapped, copied from or into, and unmapped. `device`: between two buffers.
 */
export type TransferKind = "pageable" | "staged" | "pinned" | "mapped" | "device";

/** Bandwidth over size. */
export interface TransferCurve {
  readonly kind: TransferKind;
  readonly direction: TransferDirection;
  readonly points: readonly TransferPoint[];
}

/** So many bytes, one transfer at a time, each waited for. */
export interface TransferPoint {
  readonly bytes: number;
  readonly time: Quantity;
  readonly bandwidth: Quantity;
}

/** Moving data. */
export interface TransferCharacteristics extends GroupFacts {
  readonly curves: readonly TransferCurve[];
  /** The parts of a mapped transfer, with the largest size. */
  readonly mapping: MappingCharacteristics;
}

/** Bytes a second of mapping and unmapping, and of the host's own copies from and into mapped memory. */
export interface MappingCharacteristics {
  readonly bytes: number;
  readonly map?: Quantity;
  readonly copyFrom?: Quantity;
  readonly copyTo?: Quantity;
  readonly unmap?: Quantity;
}

/**
 * How work-items share the memory. `group`: the items of a group are neighbours, each group has a block. `range`: all
 * items are neighbours, each comes back a whole range later. `single`: one vector for each item.
 */
export type AccessPattern = "group" | "range" | "single";

/** Bandwidth of one kernel. */
export interface BandwidthEntry {
  readonly operation: "read" | "write" | "copy";
  /** Floats in a vector. */
  readonly width: number;
  readonly pattern: AccessPattern;
  /** Bytes read and written, in a second. */
  readonly rate: Quantity;
}

/** Global memory, in a buffer that caches do not hold. */
export interface GlobalMemoryCharacteristics extends GroupFacts {
  /** Of the buffer. */
  readonly bytes: number;
  readonly entries: readonly BandwidthEntry[];
}

/** What a stride costs in local memory: `stride` words of four bytes between neighbours. */
export interface StridePoint {
  readonly stride: number;
  /** Seconds for one read of every work-item of the device's groups; compare it with that of stride 1. */
  readonly time: Quantity;
}

/** Banks as the stride curve shows them. */
export type BankEstimate =
  | { readonly observable: true; readonly count: number; readonly width: number }
  | { readonly observable: false; readonly reason: string };

/** Local memory. */
export interface LocalMemoryCharacteristics extends GroupFacts {
  /** True if the device says that it is memory of its own, not global memory. */
  readonly dedicated: boolean;
  /** Reads of vectors of so many floats, bytes a second of all compute units. */
  readonly read: readonly { readonly width: number; readonly rate: Quantity }[];
  readonly strides: readonly StridePoint[];
  readonly banks: BankEstimate;
}

/** Types of numbers whose speed is measured. */
export type ComputeType = "float" | "double" | "half" | "int";

/** Multiply and add in one form of kernel. */
export interface ComputeEntry {
  readonly type: ComputeType;
  /** Elements in a vector. */
  readonly width: number;
  /** Independent chains of operations in a work-item: 1 shows the latency, more the peak. */
  readonly chains: number;
  /** A multiplication and an addition are two operations. */
  readonly rate: Quantity;
}

/** Arithmetic. */
export interface ComputeCharacteristics extends GroupFacts {
  readonly entries: readonly ComputeEntry[];
}

/** Atomic increments of 32-bit integers. */
export interface AtomicEntry {
  readonly memory: "global" | "local";
  /** `one`: all work-items meet at one integer (local: of their group). `own`: each has its own. */
  readonly target: "one" | "own";
  readonly rate: Quantity;
}

/** Atomics. */
export interface AtomicsCharacteristics extends GroupFacts {
  readonly entries: readonly AtomicEntry[];
}
