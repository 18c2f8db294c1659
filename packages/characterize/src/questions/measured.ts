/** Figures that were measured, where a table has none. */
import { checkInteger, checkObject } from "@cl/base";

/** What was measured of a device; each figure is taken before any table's. Parts of `await characterize(device)`. */
export interface Measured {
  /** Work-items that run in lockstep. */
  readonly simdGroupSize?: number | undefined;
  /** Banks of local memory. */
  readonly localMemoryBankCount?: number | undefined;
  /** Work-items whose accesses of local memory are one. */
  readonly simultaneousWorkItemsOnLocalAccess?: number | undefined;
}

/** Checks figures that somebody passed. Other properties are not looked at, so that a whole characterization can be passed. */
export function checkMeasured(measured: Measured | undefined): Measured {
  const given = checkObject(measured, "measured");
  for (const name of names) {
    if (given[name] !== undefined) checkInteger(given[name], `measured.${name}`, 1);
  }
  return given;
}

const names = ["simdGroupSize", "localMemoryBankCount", "simultaneousWorkItemsOnLocalAccess"] as const;
