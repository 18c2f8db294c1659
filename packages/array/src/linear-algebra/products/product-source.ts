/** Source fragments of products: loads and stores of elements, as one part or as real and imaginary parts. */
import { computeType, converted, loaded, stored, storedType } from "../../kernels/compute-type.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";

/** The types of a product, and what is conjugated. */
export interface ProductTypes {
  readonly a: DTypeName;
  readonly b: DTypeName;
  readonly c: DTypeName;
  /** In which is computed: the sum type of what both operands promote to. */
  readonly sum: DTypeName;
  readonly conjugateA: boolean;
  readonly conjugateB: boolean;
}

/** The type of a part of a sum in OpenCL C. */
export function partType(sum: DTypeName): string {
  return computeType(realOf(sum));
}

/** 2 for complex numbers. */
export function partsOf(sum: DTypeName): 1 | 2 {
  return kindOf(sum) === 4 ? 2 : 1;
}

/** The parts of an element of memory, as texts of the part's type. */
export function loadedParts(
  from: DTypeName,
  sum: DTypeName,
  array: string,
  index: string,
  conjugate: boolean,
): readonly string[] {
  if (kindOf(sum) !== 4) return [converted(from, sum, loaded(from, array, index))];
  const part = partType(sum);
  if (kindOf(from) !== 4) return [converted(from, realOf(sum), loaded(from, array, index)), `(${part})0`];
  const parts = `((__global const ${computeType(realOf(from))} *)(${array}))`;
  return [`(${part})${parts}[2 * (${index})]`, `${conjugate ? "-" : ""}(${part})${parts}[2 * (${index}) + 1]`];
}

/** The statements that store `alpha * sum + beta * c`, whose `c` is only read where `beta` is not 0. */
export function storeSum(to: DTypeName, sum: DTypeName, array: string, index: string, sums: readonly string[]): string {
  if (to === "bool") return `${array}[${index}] = (uchar)(${sums[0] as string} != 0);`;
  const part = partType(sum);
  if (kindOf(sum) === 4) {
    const parts = `((__global ${part} *)(${array}))`;
    return sums
      .map((value, k) => {
        const place = `${parts}[2 * (${index}) + ${k}]`;
        return `${place} = beta == 0 ? alpha * ${value} : alpha * ${value} + beta * ${place};`;
      })
      .join("\n");
  }
  const known = `(${part})${loaded(to, array, index)}`;
  const value = `(beta == 0 ? alpha * ${sums[0] as string} : alpha * ${sums[0] as string} + beta * ${known})`;
  return stored(to, array, index, to === sum || to === "float16" ? value : `(${storedType(to)})${value}`);
}

/** The statements that add the product of two elements to a sum. */
export function addProduct(
  sum: DTypeName,
  into: readonly string[],
  a: readonly string[],
  b: readonly string[],
): readonly string[] {
  const add = (x: string, y: string, z: string): string =>
    kindOf(sum) < 3 ? `${x} * ${y} + ${z}` : `fma(${x}, ${y}, ${z})`;
  const [re, im] = into as [string, string];
  const [ar, ai] = a as [string, string];
  const [br, bi] = b as [string, string];
  if (partsOf(sum) === 1) return [`${re} = ${add(ar, br, re)};`];
  return [
    `${re} = ${add(ar, br, re)};`,
    `${re} = ${add(`-${ai}`, bi, re)};`,
    `${im} = ${add(ar, bi, im)};`,
    `${im} = ${add(ai, br, im)};`,
  ];
}

/** How far apart the elements of matrices are, as kernels get it; `unit` is the number of a matrix within the batch. */
export const placeType = `typedef struct {
  long offset, row, column, batch[3];
} Place;
/* Three axes of batches, the innermost first. */
typedef struct {
  long m, n, k, extent[3];
  Place a, b, c;
  /* Number of partial sums, products in each, and their stride in the result. */
  long splits, depth, apart;
} Product;
long placeOf(const Place place, const Product *product, long matrix) {
  const long x = matrix % product->extent[0], rest = matrix / product->extent[0];
  return place.offset + x * place.batch[0] + rest % product->extent[1] * place.batch[1]
    + rest / product->extent[1] * place.batch[2];
}
`;

/** The parameters of a kernel of products. */
export function productParameters({ a, b, c, sum }: ProductTypes): string {
  const part = partType(sum);
  return `__global const ${storedType(a)} *const a, __global const ${storedType(b)} *const b,
    __global ${storedType(c)} *const c, const Product product, const ${part} alpha, const ${part} beta`;
}
