/** Rejections that reach no caller. */
import { turns } from "@cl/base/testing";

/** Returns the unhandled rejections while a function runs. */
export async function unhandledRejections(run: () => Promise<void>): Promise<readonly unknown[]> {
  const reasons: unknown[] = [];
  const record = (reason: unknown): void => {
    reasons.push(reason);
  };
  process.on("unhandledRejection", record);
  try {
    await run();
    await turns();
  } finally {
    process.off("unhandledRejection", record);
  }
  return reasons;
}
