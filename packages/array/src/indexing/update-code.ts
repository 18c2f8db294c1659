/**
 * OpenCL C of atomic updates of elements: by an instruction if the device has one, else by a compare-and-swap loop.
 * Elements shorter than the device's atomic words are updated within their word.
 */
import { type Device, NotSupportedError } from "@cl/core";
import { operation } from "../expression/build.js";
import { input } from "../expression/expression.js";
import { computeType, storedType, wordType } from "../kernels/compute-type.js";
import { expressionHead, expressionStatements } from "../kernels/expression-code.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";

/** What can be done to elements at places that come several times. */
export type UpdateOperator = "add" | "subtract" | "multiply" | "maximum" | "minimum";

const int64Atomics = "cl_khr_int64_base_atomics";

/** What a kernel needs to update elements. */
export interface UpdateCode {
  /** The function `update(data, place, values, at)`, and what it needs. */
  readonly head: () => string;
  /** The type of the elements in memory. */
  readonly type: string;
  /** What tells it from others. */
  readonly key: string;
}

/** Checks that the device can do it. */
export function updateCode(device: Device, operator: UpdateOperator, dtype: DTypeName): UpdateCode {
  const { itemSize } = typeNamed(dtype);
  const what = `${operator} at repeated indices`;
  checkComputable(device, dtype, what);
  if (itemSize > 8 || (itemSize === 8 && !device.hasExtension(int64Atomics))) {
    throw new NotSupportedError(
      "@cl/array",
      `${what} needs atomic operations on ${itemSize * 8} bits for ${dtype}, which '${device.name}' does not support`,
    );
  }
  const instruction = instructionOf(device, operator, dtype, itemSize);
  const head = (): string => headOf(operator, dtype, itemSize, instruction);
  return { key: `${operator} ${dtype}`, type: storedType(dtype), head };
}

/** The statement of an instruction that does it, if there is one. */
function instructionOf(
  device: Device,
  operator: UpdateOperator,
  dtype: DTypeName,
  itemSize: number,
): string | undefined {
  const kind = kindOf(dtype);
  const name = instructions[`${operator} ${itemSize}`];
  if (name !== undefined && (kind === 1 || kind === 2)) return `  ${name}(data + place, values[at]);`;
  // Its processors add floating-point numbers where they are, which its OpenCL has no function for.
  const isNvidia = device.hasExtension("cl_nv_device_attribute_query");
  if (!isNvidia || kind !== 3 || itemSize < 4 || (operator !== "add" && operator !== "subtract")) return undefined;
  const [type, constraint] = itemSize === 4 ? ["f32", "f"] : ["f64", "d"];
  const value = operator === "add" ? "values[at]" : "-values[at]";
  return `  asm volatile("red.global.add.${type} [%0], %1;" : : "l"(data + place), "${constraint}"(${value}) : "memory");`;
}

function headOf(operator: UpdateOperator, dtype: DTypeName, itemSize: number, instruction: string | undefined): string {
  const type = storedType(dtype);
  const body = instruction ?? exchanged(operator, dtype, itemSize);
  const combined = operation(operator, [input(0, dtype), input(1, dtype)], []);
  const extension = itemSize === 8 ? `#pragma OPENCL EXTENSION ${int64Atomics} : enable\n` : "";
  return `${extension}${expressionHead([combined])}
void update(volatile __global ${type} *const data, const long place, __global const ${type} *const values, const long at) {
${body}
}
`;
}

/** Instructions by operator and bytes. Integers wrap around in them. */
const instructions: Readonly<Record<string, string>> = {
  "add 4": "atomic_add",
  "subtract 4": "atomic_sub",
  "maximum 4": "atomic_max",
  "minimum 4": "atomic_min",
  "add 8": "atom_add",
  "subtract 8": "atom_sub",
};

/** A word is read, changed and stored if it is still what it was; if not, what it is now is changed. */
function exchanged(operator: UpdateOperator, dtype: DTypeName, itemSize: number): string {
  const combined = operation(operator, [input(0, dtype), input(1, dtype)], []);
  const { lines, results } = expressionStatements([combined], (index) => (index === 0 ? "found" : "value"));
  const type = computeType(dtype);
  const word = itemSize === 8 ? "ulong" : "uint";
  const exchange = itemSize === 8 ? "atom_cmpxchg" : "atomic_cmpxchg";
  const value = dtype === "float16" ? "vload_half(at, values)" : "values[at]";
  const inWord =
    itemSize < 4
      ? `
  const long first = place * ${itemSize};
  volatile __global uint *const words = (volatile __global uint *)data + first / 4;
  const uint shift = (uint)(first % 4) * 8;
  const uint mask = ${itemSize === 1 ? "0xffu" : "0xffffu"} << shift;`
      : `
  volatile __global ${word} *const words = (volatile __global ${word} *)data + place;`;
  const bits = wordType(itemSize) as string;
  const own = itemSize < 4 ? `(${bits})((seen & mask) >> shift)` : "seen";
  const changed = itemSize < 4 ? "(seen & ~mask) | ((uint)stored << shift)" : "stored";
  const read = dtype === "float16" ? "vload_half(0, (const half *)&bits)" : `as_${type}(bits)`;
  const write =
    dtype === "float16"
      ? "ushort stored; vstore_half_rte(next, 0, (half *)&stored);"
      : `const ${bits} stored = as_${bits}((${type})next);`;
  return `  const ${type} value = ${value};${inWord}
  // Nothing is exchanged but what is 0 for 0: this reads while others exchange.
  ${word} seen = ${exchange}(words, 0, 0);
  while (true) {
    const ${bits} bits = ${own};
    const ${type} found = ${read};
    ${lines.join("\n    ")}
    const ${type} next = ${results[0] as string};
    ${write}
    const ${word} wanted = ${changed};
    if (wanted == seen) return;
    const ${word} before = ${exchange}(words, seen, wanted);
    if (before == seen) return;
    seen = before;
  }`;
}
