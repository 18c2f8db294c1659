import { expect } from "vitest";
import { OpenCLError } from "@cl/core";

/** Returns the OpenCLError that a promise is rejected with. */
export async function errorOf(promise: Promise<unknown>): Promise<OpenCLError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OpenCLError);
  return error as OpenCLError;
}
