/** Composable checks for the structure of stored results. */

/** Returns true if a value is valid. */
export type Check = (value: unknown) => boolean;

/** A finite number of at least 0. */
export const amount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A safe integer of at least 0. */
export const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

export const text: Check = (value) => typeof value === "string";

export const flag: Check = (value) => typeof value === "boolean";

export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

/** Returns a check for an array whose elements pass `check`. */
export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Returns a check for `undefined` or a value that passes `check`. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** Returns a check for a value that passes one of several checks. */
export function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

/** Returns a check for an object with exactly these properties. */
export function record(properties: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const isValid = Object.entries(properties).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    );
    return isValid && Object.keys(value).every((name) => Object.hasOwn(properties, name));
  };
}
