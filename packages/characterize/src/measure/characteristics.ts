/** The result of `characterize`: plain data, the same in memory, in JSON and on disk. */
import type { Quantity } from "./quantity.js";

/** The measurement groups in their order of execution. */
export const groups = ["timer", "launch", "transfer", "globalMemory", "localMemory", "compute", "atomics"] as const;

/** Name of a measurement group. */
export type CharacteristicsGroup = (typeof groups)[number];

/** Measured performance of a device. Groups that were not requested are absent. */
export interface Characteristics {
  readonly format: 1;
  readonly device: DeviceDescription;
  /** True if measured with the option `quick`. */
  readonly quick: boolean;
  /** Number of local memory banks, if observable. It makes the result usable as a `Measured` argument. */
  readonly localMemoryBankCount?: number;
  readonly timer?: TimerCharacteristics;
  readonly launch?: LaunchCharacteristics;
  readonly transfer?: TransferCharacteristics;
  readonly globalMemory?: GlobalMemoryCharacteristics;
  readonly localMemory?: LocalMemoryCharacteristics;
  readonly compute?: ComputeCharacteristics;
  readonly atomics?: AtomicsCharacteristics;
}

/** Description of the measured device. */
export interface DeviceDescription {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly driverVersion: string;
  readonly platform: string;
  readonly platformVersion: string;
  readonly type: "cpu" | "gpu" | "accelerator" | "custom";
  readonly computeUnits: number;
  /** Clock frequency in MHz that the driver reports. */
  readonly clockFrequency: number;
  /** Size in bytes. */
  readonly globalMemory: number;
  /** Size in bytes. */
  readonly localMemory: number;
}

/** Properties of every group. */
export interface GroupFacts {
  /** Time of the measurement in ISO 8601. */
  readonly measuredAt: string;
  /** Duration of the measurement in seconds. */
  readonly seconds: number;
  /** Measurements that failed, with the reasons. */
  readonly notes: readonly string[];
}

/** Resolutions of the clocks. Smaller time differences are meaningless. */
export interface TimerCharacteristics extends GroupFacts {
  /** Reported resolution of the device's profiling clock in seconds. */
  readonly deviceResolution: number;
  /** Smallest observed difference between two profiling times in seconds. */
  readonly deviceStep?: number;
  /** Smallest observed step of the host's clock in seconds. */
  readonly hostStep: number;
}

/** Launch costs of an empty kernel. */
export interface LaunchCharacteristics extends GroupFacts {
  /** Seconds from the launch to the return of a blocking wait. */
  readonly latency?: Quantity;
  /** Seconds from the launch to the resolution of a promise. */
  readonly awaited?: Quantity;
  /** Seconds from queued to started, by the device's clock. */
  readonly queuedToStart?: Quantity;
  /** Seconds from start to end, by the device's clock. */
  readonly emptyKernel?: Quantity;
  /** Launches per second on an in-order queue with thousands in flight. */
  readonly inOrder?: Quantity;
  /** Launches per second on an out-of-order queue. */
  readonly outOfOrder?: Quantity;
  /** Launches per second from a launch list. */
  readonly list?: Quantity;
  /** Seconds per kernel with an event for each, without profiling. */
  readonly withEvents?: Quantity;
  /** Seconds per kernel with an event for each, with profiling. */
  readonly withProfiling?: Quantity;
}

/** Direction of a transfer. */
export type TransferDirection = "hostToDevice" | "deviceToHost" | "deviceToDevice";

/**
 * Kind of a transfer. `pageable`: from or to ordinary host memory, by the driver's command. `staged`: the same by
 * `queue.read` and `queue.write`, if they use staging buffers. `pinned`: from or to memory that the driver allocated.
 * `mapped`: the buffer is mapped, copied from or to, and unmapped. `device`: between two buffers.
 */
export type TransferKind = "pageable" | "staged" | "pinned" | "mapped" | "device";

/** Bandwidth of one kind of transfer over its size. */
export interface TransferCurve {
  readonly kind: TransferKind;
  readonly direction: TransferDirection;
  readonly points: readonly TransferPoint[];
}

/** Time and bandwidth of transfers of one size, each awaited. */
export interface TransferPoint {
  readonly bytes: number;
  readonly time: Quantity;
  readonly bandwidth: Quantity;
}

/** Performance of transfers. */
export interface TransferCharacteristics extends GroupFacts {
  readonly curves: readonly TransferCurve[];
  /** The steps of a mapped transfer of the largest size. */
  readonly mapping: MappingCharacteristics;
}

/** Bytes per second of mapping, unmapping, and host copies from and to mapped memory. */
export interface MappingCharacteristics {
  readonly bytes: number;
  readonly map?: Quantity;
  readonly copyFrom?: Quantity;
  readonly copyTo?: Quantity;
  readonly unmap?: Quantity;
}

/**
 * Access pattern of the work-items. `group`: each work-group accesses a contiguous block, with a stride of the group
 * size. `range`: all work-items access adjacent vectors, with a stride of the global size. `single`: one vector per
 * work-item.
 */
export type AccessPattern = "group" | "range" | "single";

/** Bandwidth of one kernel. */
export interface BandwidthEntry {
  readonly operation: "read" | "write" | "copy";
  /** Number of floats per vector. */
  readonly width: number;
  readonly pattern: AccessPattern;
  /** Bytes read and written per second. */
  readonly rate: Quantity;
}

/** Bandwidth of global memory, in a buffer larger than the caches. */
export interface GlobalMemoryCharacteristics extends GroupFacts {
  /** Size of the buffer. */
  readonly bytes: number;
  readonly entries: readonly BandwidthEntry[];
}

/** Time of local memory accesses with a stride of `stride` 4-byte words between adjacent work-items. */
export interface StridePoint {
  readonly stride: number;
  /** Seconds per read of all work-items; compare it with stride 1. */
  readonly time: Quantity;
}

/** Estimate of the banks from the stride curve. */
export type BankEstimate =
  | { readonly observable: true; readonly count: number; readonly width: number }
  | { readonly observable: false; readonly reason: string };

/** Performance of local memory. */
export interface LocalMemoryCharacteristics extends GroupFacts {
  /** True if the device reports dedicated local memory. */
  readonly dedicated: boolean;
  /** Bytes read per second by all compute units, for vectors of `width` floats. */
  readonly read: readonly { readonly width: number; readonly rate: Quantity }[];
  readonly strides: readonly StridePoint[];
  readonly banks: BankEstimate;
}

/** Number types of arithmetic measurements. */
export type ComputeType = "float" | "double" | "half" | "int";

/** Rate of one multiply-add kernel. */
export interface ComputeEntry {
  readonly type: ComputeType;
  /** Number of elements per vector. */
  readonly width: number;
  /** Number of independent chains of operations per work-item: 1 shows latency, more show peak throughput. */
  readonly chains: number;
  /** Operations per second; a multiply-add counts as two. */
  readonly rate: Quantity;
}

/** Performance of arithmetic. */
export interface ComputeCharacteristics extends GroupFacts {
  readonly entries: readonly ComputeEntry[];
}

/** Rate of atomic additions of 32-bit integers. */
export interface AtomicEntry {
  readonly memory: "global" | "local";
  /** `one`: all work-items (of a group, for local memory) use one integer. `own`: each has a separate one. */
  readonly target: "one" | "own";
  readonly rate: Quantity;
}

/** Performance of atomics. */
export interface AtomicsCharacteristics extends GroupFacts {
  readonly entries: readonly AtomicEntry[];
}
