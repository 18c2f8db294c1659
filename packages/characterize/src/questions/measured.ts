/** Measured properties for devices that are in no table. */
import { checkInteger, checkObject } from "@cl/base";

/**
 * Measured properties of a device, which take precedence over the tables. A result of `characterize` has these
 * properties.
 */
export interface Measured {
  /** Number of work-items that run in lockstep. */
  readonly simdGroupSize?: number | undefined;
  /** Number of banks of local memory. */
  readonly localMemoryBankCount?: number | undefined;
  /** Number of work-items whose accesses of local memory form one access. */
  readonly simultaneousWorkItemsOnLocalAccess?: number | undefined;
}

/** Checks measured properties. Other properties are ignored, so that a result of `characterize` can be passed. */
export function checkMeasured(measured: Measured | undefined): Measured {
  const checked = checkObject(measured, "measured");
  for (const name of names) {
    if (checked[name] !== undefined) checkInteger(checked[name], `measured.${name}`, 1);
  }
  return checked;
}

const names = ["simdGroupSize", "localMemoryBankCount", "simultaneousWorkItemsOnLocalAccess"] as const;
