/**
 * The trace of a profiler as plain objects, which can be written as JSON. All exports are created from it.
 *
 * Times are nanoseconds on the host's clock since the start of the trace. They may have fractions, since device clocks are
 * aligned with the host's clock.
 */

/**
 * Kind of a command or span. `read` copies from device to host, `write` from host to device. During a `wait`, a queue waits for other
 * processes.
 */
export type CommandKind = (typeof commandKinds)[number];

/** All kinds of commands. */
export const commandKinds = [
  "kernel",
  "copy",
  "read",
  "write",
  "fill",
  "map",
  "migrate",
  "barrier",
  "host",
  "wait",
  "other",
] as const;

/** A queue of a trace. */
export interface TraceQueue {
  /** Unique id, which commands refer to. */
  readonly id: number;
  /** Label of the queue. */
  readonly label: string;
  /** Name of the device. */
  readonly device: string;
  /** Whether commands may be reordered and overlap. */
  readonly outOfOrder: boolean;
}

/** A command of a trace. */
export interface TraceCommand {
  /** Name of the kernel or copy. */
  readonly name: string;
  readonly kind: CommandKind;
  /** The `id` of its queue. */
  readonly queue: number;
  /** Launchers, outermost first: `"timestep > advect"`. */
  readonly launcher?: string;
  /** Time when the host enqueued it. */
  readonly queued: number;
  /** Time when the driver submitted it to the device. */
  readonly submitted: number;
  /** Time when the device started it. */
  readonly started: number;
  /** Time when the device completed it; at least `started`. */
  readonly ended: number;
  /** Global size of a kernel. */
  readonly global?: readonly number[];
  /** Local size of a kernel, if specified. */
  readonly local?: readonly number[];
  /** Number of bytes moved, if known. */
  readonly bytes?: number;
  /** Reason of a failure, such as `"CL_OUT_OF_RESOURCES"`. */
  readonly failed?: string;
  /** Indices in `commands` of those that it waited for. */
  readonly waitsFor?: readonly number[];
}

/** A span of time on the host. */
export interface TraceSpan {
  readonly name: string;
  readonly started: number;
  readonly ended: number;
  /** Name of the thread. Defaults to the main thread. */
  readonly thread?: string;
  /** Reason of a failure, such as `"exception"`. */
  readonly failed?: string;
}

/** Memory usage at a time. Points of one label form a curve. */
export interface TraceMemory {
  readonly time: number;
  readonly bytes: number;
  /** Label of the memory, such as a device or a pool. */
  readonly label: string;
}

/** A trace of a profiler. */
export interface Trace {
  /** Format version. */
  readonly version: 1;
  /** Date and time of the trace's time 0 in ISO 8601. */
  readonly started: string;
  /**
   * Time 0 on the host's monotonic clock, `process.hrtime`, in nanoseconds. Threads and processes of a machine share this clock, so
   * that their traces can be merged.
   */
  readonly origin: number;
  readonly queues: readonly TraceQueue[];
  /** In order of enqueuing. */
  readonly commands: readonly TraceCommand[];
  readonly hostSpans: readonly TraceSpan[];
  readonly memory: readonly TraceMemory[];
  /** Number of commands dropped because the profiler's capacity was exceeded. */
  readonly dropped: number;
}
