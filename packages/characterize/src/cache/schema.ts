/** What the parts of a stored result must look like: small checks that are put together. */

/** Whether a value is what it should be. */
export type Check = (value: unknown) => boolean;

/** A number that is not NaN or infinite, and not negative. */
export const amount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;

/** A whole number, not negative. */
export const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

/** A string. */
export const text: Check = (value) => typeof value === "string";

/** True or false. */
export const flag: Check = (value) => typeof value === "boolean";

/** One of these values. */
export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

/** A list of such things. */
export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** What may be left out. */
export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** One kind or the other. */
export function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

/** An object with exactly these properties. */
export function record(properties: Readonly<Record<string, Check>>): Check {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const known = Object.entries(properties).every(([name, check]) => check((value as Record<string, unknown>)[name]));
    return known && Object.keys(value).every((name) => Object.hasOwn(properties, name));
  };
}
