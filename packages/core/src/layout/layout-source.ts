/** Source of the program that reports struct layouts. */
import type { DType } from "../dtype/dtype.js";
import type { StructType } from "../dtype/struct-type.js";

/** Returns how many numbers the kernel reports for a struct: its size, its alignment and one offset per field. */
export function numberCount(struct: StructType): number {
  return 2 + struct.fields.size;
}

/** Returns the program for several structs; its kernel writes their numbers one after another. */
export function layoutSource(structs: readonly StructType[], extensions: readonly string[]): string {
  const pragmas = extensions.map((name) => `#pragma OPENCL EXTENSION ${name} : enable\n`).join("");
  const outermost = structs.at(-1) as StructType;
  let next = 0;
  const reports = structs.map((struct) => {
    const first = next;
    next += numberCount(struct);
    return report(struct, first);
  });
  return `${pragmas}
${outermost.cDeclaration}
${structs.map(leadingByteStruct).join("")}
// Only addresses are computed: nothing is read from the memory.
__kernel void report_layout(__global uchar *memory, __global ulong *answers) {
${reports.join("\n")}}
`;
}

/** Returns a wrapper struct with one byte before the struct: the second field's offset is the struct's alignment. */
function leadingByteStruct({ cName }: StructType): string {
  return `typedef struct {
  uchar first;
  ${cName} second;
} with_leading_byte_${cName};
`;
}

function report({ cName, fields }: StructType, first: number): string {
  const places = [...fields.keys()].map(
    (name, i) => `  answers[${first + 2 + i}] = (__global uchar *)&((__global ${cName} *)memory)->${name} - memory;\n`,
  );
  return `  answers[${first}] = sizeof(${cName});
  answers[${first + 1}] = (__global uchar *)&((__global with_leading_byte_${cName} *)memory)->second - memory;
${places.join("")}`;
}

/** The extensions without which a device has no such type. */
export function extensionsFor(struct: StructType): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (type: DType): void => {
    if (type.base.name === "float64") names.add("cl_khr_fp64");
    if (type.base.name === "float16") names.add("cl_khr_fp16");
  };
  for (const one of struct.structs) for (const { type } of one.fields.values()) visit(type);
  return names;
}
