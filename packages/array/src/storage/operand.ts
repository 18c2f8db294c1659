/** The inputs and outputs of kernels. */
import type { Layout } from "@cl/base";
import type { Storage } from "./storage.js";
import type { DTypeName } from "../types/dtype-name.js";

/** Elements that a kernel reads or writes. */
export interface Operand {
  readonly storage: Storage;
  readonly dtype: DTypeName;
  readonly layout: Layout;
}
