/**
 * What a profiler recorded, as plain objects that JSON can hold: the one thing that all exports are made from.
 *
 * Times are nanoseconds on the host's clock since the trace's beginning. They may have fractions, since a device's clock is
 * aligned with the host's by measuring both.
 */

/** What a command on a queue, or a span, did. `read` is from device to host, `write` the other way. */
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
  "other",
] as const;

/** A queue that commands of a trace were on. */
export interface TraceQueue {
  /** What commands name it by; unique in the trace. */
  readonly id: number;
  /** The queue's label. */
  readonly label: string;
  /** The device's name. */
  readonly device: string;
  /** True if its commands may run in another order than they were enqueued in, and at the same time. */
  readonly outOfOrder: boolean;
}

/** One command of a trace. */
export interface TraceCommand {
  /** The kernel's name, or what a launcher calls its copy. */
  readonly name: string;
  readonly kind: CommandKind;
  /** The `id` of its queue. */
  readonly queue: number;
  /** The launchers that it came through, the outermost first: `"timestep > advect"`. */
  readonly launcher?: string;
  /** When the host enqueued it. */
  readonly queued: number;
  /** When the driver gave it to the device. */
  readonly submitted: number;
  /** When the device began. */
  readonly started: number;
  /** When the device had done it; never before `started`. */
  readonly ended: number;
  /** The global size of a kernel. */
  readonly global?: readonly number[];
  /** Its local size, if it was given. */
  readonly local?: readonly number[];
  /** How many bytes it moved, where that is known. */
  readonly bytes?: number;
  /** Why it failed, such as `"CL_OUT_OF_RESOURCES"`; absent if it did not. */
  readonly failed?: string;
  /** The places in `commands` of those that it had to wait for. */
  readonly waitsFor?: readonly number[];
}

/** Something that took time on the host. */
export interface TraceSpan {
  readonly name: string;
  readonly started: number;
  readonly ended: number;
  /** The thread that it was on; the main one if absent. */
  readonly thread?: string;
}

/** How much memory was in use at a time. Points of one label are one curve. */
export interface TraceMemory {
  readonly time: number;
  readonly bytes: number;
  /** Whose memory it is, such as a device's or a pool's. */
  readonly label: string;
}

/** What a profiler recorded. */
export interface Trace {
  /** The version of this format. */
  readonly version: 1;
  /** The date and time of the trace's time 0, in ISO 8601. */
  readonly started: string;
  /**
   * What the host's monotonic clock, `process.hrtime`, showed then, in nanoseconds. It is the same clock in all threads and
   * processes of a machine: their traces are put together by it.
   */
  readonly origin: number;
  readonly queues: readonly TraceQueue[];
  /** In the order in which they were enqueued. */
  readonly commands: readonly TraceCommand[];
  readonly hostSpans: readonly TraceSpan[];
  readonly memory: readonly TraceMemory[];
  /** How many commands are missing because the profiler's memory was bounded. */
  readonly dropped: number;
}
