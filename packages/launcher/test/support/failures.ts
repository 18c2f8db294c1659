/** Returns the error of an event that must fail. */
export async function failureOf(event: { wait(): Promise<void> }): Promise<Error> {
  return event.wait().then(
    () => {
      throw new Error("the event should have failed");
    },
    (error: unknown) => error as Error,
  );
}

/** Returns the last error of the cause chain. */
export const rootOf = (error: Error): unknown => (error.cause instanceof Error ? rootOf(error.cause) : error);
