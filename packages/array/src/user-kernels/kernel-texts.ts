/** The OpenCL C that a user supplies for a kernel over elements. */
import type { StructType } from "@cl/core";
import type { Parameter } from "./kernel-parameter.js";

/** The source fragments, and the types that they use. */
export interface KernelTexts {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly operation: string;
  /** Runs before the operation, for each index. */
  readonly before: string;
  /** Runs after the operation, even if that executes `continue`. */
  readonly after: string;
  readonly preamble: string;
  readonly types: readonly StructType[];
}
