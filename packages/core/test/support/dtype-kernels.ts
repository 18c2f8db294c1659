/** Kernels that copy elements of one type, for describe-dtype.ts. */
import type { DType } from "@cl/core";

/** Returns the program source for a scalar type and its vector and complex types. */
export function dtypeSource(types: readonly DType[], extension: string | undefined): string {
  const pragma = extension === undefined ? "" : `#pragma OPENCL EXTENSION ${extension} : enable\n`;
  return pragma + types.map((type) => moves(type) + (type.width > 1 ? vectorMoves(type) : "")).join("\n");
}

function moves({ name, cName }: DType): string {
  return `
__kernel void copy_${name}(__global const ${cName} *from, __global ${cName} *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}

__kernel void store_${name}(${cName} value, __global ${cName} *to) {
  to[0] = value;
}
`;
}

/** Kernels that unpack vectors into components and pack them again. */
function vectorMoves({ name, cName, width, base }: DType): string {
  const digits = Array.from({ length: width }, (_, k) => k.toString(16));
  return `
__kernel void unpack_${name}(__global const ${cName} *from, __global ${base.cName} *to) {
  size_t i = get_global_id(0);
${digits.map((digit, k) => `  to[${width} * i + ${k}] = from[i].s${digit};`).join("\n")}
}

__kernel void pack_${name}(__global const ${base.cName} *from, __global ${cName} *to) {
  size_t i = get_global_id(0);
  to[i] = (${cName})(${digits.map((_, k) => `from[${width} * i + ${k}]`).join(", ")});
}
`;
}
