/** Makes the error of a fault: which axis or routine, and two numbers. */
export type FaultError = (where: number, found: bigint, limit: bigint) => Error;
