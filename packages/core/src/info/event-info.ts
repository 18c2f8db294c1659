// Event queries with plain values, and the profiling times.

import { EventInfo, ProfilingInfo } from "../binding/constants.js";
import { int32, time, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of an event. */
export interface EventInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** Type of the command, a value of `CommandType`. */
  readonly commandType: number;
  /** Status of the command: a value of `CommandStatus`, or a negative error status if it failed. */
  readonly commandExecutionStatus: number;
  /** Reason why the command ended, a value of `CommandTerminationReasonArm`. */
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

/** The times at which a command reached each state, in nanoseconds of the device's clock. */
export interface ProfilingTimes {
  /** When the host enqueued the command. */
  readonly queued: bigint;
  /** When the host submitted the command to the device. */
  readonly submit: bigint;
  /** When the command started to run. */
  readonly start: bigint;
  /** When the command ended. */
  readonly end: bigint;
  /** When the command and the commands that it enqueued on the device had ended. */
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
