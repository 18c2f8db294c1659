/** OpenCL C of products of small matrices, of which there may be many: no data is rearranged first. */
import {
  addProduct,
  loadedParts,
  partsOf,
  partType,
  placeType,
  productParameters,
  type ProductTypes,
  storeSum,
} from "./product-source.js";
import { quiet } from "../../kernels/processor-source.js";

/** Number of columns that are summed together. */
export const directWidth = 16;
const width = directWidth;

/** For CPUs: each work-item computes several rows of results; sums of adjacent columns are computed together. */
export function directLoopSource(types: ProductTypes): string {
  const { sum } = types;
  const part = partType(sum);
  const parts = partsOf(sum);
  const names = (prefix: string): readonly string[] => Array.from({ length: parts }, (_, k) => `${prefix}${k}`);
  const a = loadedParts(types.a, sum, "a", "rowA + k * product.a.column", types.conjugateA);
  const b = (index: string): readonly string[] => loadedParts(types.b, sum, "b", index, types.conjugateB);
  const sums = names("sum").map((name) => `${name}[j]`);
  const add = (index: string): string =>
    [
      ...names("b").map((name, k) => `const ${part} ${name} = ${b(index)[k] as string};`),
      ...addProduct(sum, sums, names("a"), names("b")),
    ].join("\n          ");
  return `${quiet}
${placeType}
__kernel void product(${productParameters(types)}) {
  const long all = product.m * product.extent[0] * product.extent[1] * product.extent[2];
  const long last = all * (long)(get_global_id(0) + 1) / (long)get_global_size(0);
  for (long row = all * (long)get_global_id(0) / (long)get_global_size(0); row < last; row++) {
    const long matrix = row / product.m, i = row % product.m;
    const long rowA = placeOf(product.a, &product, matrix) + i * product.a.row;
    const long rowB = placeOf(product.b, &product, matrix);
    const long rowC = placeOf(product.c, &product, matrix) + i * product.c.row;
    for (long first = 0; first < product.n; first += ${width}) {
      const int count = (int)min((long)${width}, product.n - first);
      ${names("sum")
        .map((name) => `${part} ${name}[${width}] = {0};`)
        .join("\n      ")}
      for (long k = 0; k < product.k; k++) {
        ${names("a")
          .map((name, k) => `const ${part} ${name} = ${a[k] as string};`)
          .join("\n        ")}
        const long at = rowB + k * product.b.row + first * product.b.column;
        if (count == ${width} && product.b.column == 1) {
          _Pragma("clang loop vectorize(assume_safety) vectorize_width(${width})")
          for (int j = 0; j < ${width}; j++) {
          ${add("at + j")}
          }
        } else {
          for (int j = 0; j < count; j++) {
          ${add("at + j * product.b.column")}
          }
        }
      }
      for (int j = 0; j < count; j++) {
        ${storeSum(types.c, sum, "c", "rowC + (first + j) * product.c.column", sums)}
      }
    }
  }
}
`;
}

/** For GPUs: each work-item has one element. */
export function directItemsSource(types: ProductTypes): string {
  const { sum } = types;
  const part = partType(sum);
  const names = (prefix: string): readonly string[] => Array.from({ length: partsOf(sum) }, (_, k) => `${prefix}${k}`);
  const a = loadedParts(types.a, sum, "a", "atA + k * product.a.column", types.conjugateA);
  const b = loadedParts(types.b, sum, "b", "atB + k * product.b.row", types.conjugateB);
  return `${placeType}
__kernel void product(${productParameters(types)}) {
  const long element = get_global_id(0);
  const long matrix = element / (product.m * product.n);
  if (matrix >= product.extent[0] * product.extent[1] * product.extent[2]) return;
  const long i = element / product.n % product.m, j = element % product.n;
  const long atA = placeOf(product.a, &product, matrix) + i * product.a.row;
  const long atB = placeOf(product.b, &product, matrix) + j * product.b.column;
  const long atC = placeOf(product.c, &product, matrix) + i * product.c.row + j * product.c.column;
  ${part} ${names("sum")
    .map((name) => `${name} = 0`)
    .join(", ")};
  for (long k = 0; k < product.k; k++) {
    ${names("a")
      .map((name, k) => `const ${part} ${name} = ${a[k] as string};`)
      .join("\n    ")}
    ${names("b")
      .map((name, k) => `const ${part} ${name} = ${b[k] as string};`)
      .join("\n    ")}
    ${addProduct(sum, names("sum"), names("a"), names("b")).join("\n    ")}
  }
  ${storeSum(types.c, sum, "c", "atC", names("sum"))}
}
`;
}
