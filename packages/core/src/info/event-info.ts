// The event queries whose answers are plain values, and the profiling times.

import { EventInfo, ProfilingInfo } from "../binding/constants.js";
import { int32, time, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What an event answers about its command. */
export interface EventInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** What the command is, of `CommandType`. */
  readonly commandType: number;
  /** How far the command is, of `CommandStatus`; a negative value is the error it ended with. */
  readonly commandExecutionStatus: number;
  /** Why the command ended, of `CommandTerminationReasonArm`. */
  readonly commandTerminationReasonArm: number;
}

/** Queries of {@link EventInfoProperties}. */
export const eventQueries: Queries<EventInfoProperties> = {
  referenceCount: query(EventInfo.REFERENCE_COUNT, uint32),
  commandType: query(EventInfo.COMMAND_TYPE, uint32),
  commandExecutionStatus: query(EventInfo.COMMAND_EXECUTION_STATUS, int32),
  commandTerminationReasonArm: query(
    EventInfo.COMMAND_TERMINATION_REASON_ARM,
    uint32,
    "cl_arm_controlled_kernel_termination",
  ),
};

/** When a command reached each state, in nanoseconds of the device's clock. */
export interface ProfilingTimes {
  /** When the host put it on the queue. */
  readonly queued: bigint;
  /** When the host gave it to the device. */
  readonly submit: bigint;
  /** When it began to run. */
  readonly start: bigint;
  /** When it ended. */
  readonly end: bigint;
  /** When it and the commands it enqueued on the device had ended. */
  readonly complete: bigint;
}

/** Queries of {@link ProfilingTimes}. */
export const profilingQueries: Queries<ProfilingTimes> = {
  queued: query(ProfilingInfo.QUEUED, time),
  submit: query(ProfilingInfo.SUBMIT, time),
  start: query(ProfilingInfo.START, time),
  end: query(ProfilingInfo.END, time),
  complete: query(ProfilingInfo.COMPLETE, time, "2.0"),
};
