/** Types for elements that are moved but not computed with; only their size matters to a kernel. */
import { wordType } from "../kernels/compute-type.js";

/** The OpenCL C type that carries elements of a size, and the declarations it needs. */
export interface Carrier {
  readonly type: string;
  readonly head: string;
  /** An element of zeros. */
  readonly zero: string;
}

/** Needs neither doubles nor halves of the device. */
export function carrierOf(itemSize: number): Carrier {
  const type = wordType(itemSize);
  if (type !== undefined) return { type, head: "", zero: `(${type})0` };
  // Structures have any size: as many of the widest words as fit evenly.
  const word = [8, 4, 2, 1].find((bytes) => itemSize % bytes === 0) as number;
  const head = `typedef struct { ${wordType(word) as string} words[${itemSize / word}]; } Element;\nconstant Element zeros = {{0}};`;
  return { type: "Element", head, zero: "zeros" };
}
