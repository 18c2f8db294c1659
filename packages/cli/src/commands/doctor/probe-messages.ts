/** Messages of a probe: the task, and one line of JSON per result, so that a crash keeps the earlier results. */
import type { PoclState } from "../../pocl.js";

/** What to probe. */
export interface ProbeTask {
  /** A driver's library, which is opened first. */
  readonly library?: string;
  /** Whether to test the cache folder. */
  readonly cache?: boolean;
  /** Whether to add the runtime of `@cl/pocl`. */
  readonly pocl?: boolean;
  /** Whether to list platforms and devices. */
  readonly platforms?: boolean;
  /** Whether to run a kernel on each device. */
  readonly kernels?: boolean;
}

export type ProbeMessage =
  | {
      /** The next step. If the probe ends after this message, this step ended it. */
      readonly kind: "stage";
      readonly stage: string;
    }
  | {
      readonly kind: "addon";
      /** The loaded file; `undefined` if unknown. */
      readonly file?: string | undefined;
      readonly error?: string;
    }
  | {
      readonly kind: "loader";
      readonly file?: string | undefined;
      readonly error?: string;
    }
  | { readonly kind: "library"; readonly error?: string }
  | {
      readonly kind: "cache";
      readonly directory?: string | undefined;
      /** Why there is no directory. */
      readonly reason?: string | undefined;
      readonly writable: boolean;
    }
  | ({ readonly kind: "pocl" } & PoclState)
  | {
      readonly kind: "platform";
      readonly name: string;
      readonly version: string;
      readonly devices: number;
      /** The path of its runtime. */
      readonly runtime: string;
    }
  | {
      readonly kind: "device";
      readonly selector: string;
      readonly name: string;
      /** Why the test failed. */
      readonly error?: string;
      /** Why the test was skipped. */
      readonly skippedBecause?: string;
      readonly milliseconds?: number;
    }
  | { readonly kind: "done" };
