/** The inputs and outputs of kernels. */
import type { Layout } from "@cl/base";
import type { Storage } from "./storage.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";

/** Elements that a kernel reads or writes. */
export interface Operand {
  readonly storage: Storage;
  readonly dtype: DTypeName;
  readonly layout: Layout;
}

/** Whether 32 bits can hold the position of each element of the memory. */
export function hasShortPlaces({ storage, dtype }: Operand): boolean {
  return storage.bytes / typeNamed(dtype).itemSize < 2 ** 31;
}
