/** What somebody wrote for a kernel over elements. */
import type { StructType } from "@cl/core";
import type { Parameter } from "./kernel-parameter.js";

/** The texts, and the types of what they use. */
export interface KernelTexts {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly operation: string;
  /** Runs before the operation, for each index. */
  readonly before: string;
  /** Runs behind it, even where the operation was left by `continue`. */
  readonly after: string;
  readonly preamble: string;
  readonly types: readonly StructType[];
}
