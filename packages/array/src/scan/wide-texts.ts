/** Vectorization of scans of arrays: which scans support it, and the loads and stores. */
import { hasParallelWorkItems } from "@cl/characterize";
import type { Device } from "@cl/core";
import type { Expression } from "../expression/expression.js";
import { storedType } from "../kernels/compute-type.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import type { ScanTask, ScanTypes } from "./scan-task.js";
import type { QuadTexts, WideTexts } from "./scan-texts.js";

/**
 * Returns the code of loads and stores of 16 bytes; `aligned` has the operands that are contiguous and aligned to that.
 */
export function quadTexts(
  { starts, exclusive }: ScanTask,
  types: ScanTypes,
  names: readonly string[],
  at: (operand: number) => string,
  aligned: readonly boolean[],
): QuadTexts | undefined {
  if (starts !== undefined) return undefined;
  const [from] = types.inputs;
  const loads = types.inputs.length === 1 && aligned[0] === true && isQuad(from as DTypeName);
  const stores = !exclusive && aligned.at(-1) === true && isQuad(types.target);
  const place = at(types.inputs.length);
  return {
    load: loads ? loadOf(from as DTypeName, names, at(0)) : undefined,
    store: stores
      ? { ...vectorOf(types.target), place: `out + ${place}`, result: (item) => `scan_finish(${item})` }
      : undefined,
  };
}

function loadOf(from: DTypeName, names: readonly string[], place: string): QuadTexts["load"] {
  const { type, width } = vectorOf(from);
  const item = (element: string): string => {
    const value = from === "bool" ? `(uchar)(${element} != 0)` : element;
    return `scan_map(${[value, ...names].join(", ")})`;
  };
  return { type, width, vector: `*(__global const ${type} *)(in0 + ${place})`, item };
}

/** Bytes at a time: as many as devices load best. */
function vectorOf(dtype: DTypeName): { readonly type: string; readonly width: number } {
  const width = Math.min(4, 16 / typeNamed(dtype).itemSize);
  return { type: `${storedType(dtype)}${width}`, width };
}

/** Halves are stored by functions, and complex numbers are vectors already. */
function isQuad(dtype: DTypeName): boolean {
  return dtype !== "float16" && kindOf(dtype) !== 4;
}

const scalars = /^(?:u?(?:char|short|int|long)|float|double)$/u;

/**
 * Returns the code for vectors on CPUs, if supported; `dense` has the operands that are contiguous, and `at` their
 * offsets.
 */
export function wideTexts(
  device: Device,
  { reduction, value, exclusive, starts }: ScanTask,
  types: ScanTypes,
  at: (operand: number) => string,
  dense: readonly boolean[],
  streams: boolean,
): WideTexts | undefined {
  if (hasParallelWorkItems(device) || starts !== undefined || !scalars.test(reduction.accumulator)) return undefined;
  const summed = reduction.name === "sum" || reduction.name === "nansum";
  const carry = summed && reduction.accumulator === "float" && device.doubleFpConfig !== 0 ? "double" : undefined;
  const from =
    dense[0] === true && reduction.name !== "nansum" && reduction.name !== "nanprod"
      ? plainInput(value, types)
      : undefined;
  const place = at(types.inputs.length);
  const stored = dense.at(-1) === true ? storedAs(reduction.accumulator, types.target) : undefined;
  return {
    value:
      from === undefined
        ? undefined
        : (width) =>
            from === "float16"
              ? `vload_half${width}(0, in0 + ${at(0)})`
              : `convert_${reduction.accumulator}${width}(vload${width}(0, in0 + ${at(0)}))`,
    store:
      stored === undefined
        ? undefined
        : (width) => {
            const vector = `${stored}${width}`;
            return streams
              ? `PAST_CACHES(as_${vector}(items_), (__global ${vector} *)(out + ${place}));`
              : // PoCL cuts what vstore16 stores into two.
                `{ typedef ${vector} Loose_ __attribute__((aligned(${typeNamed(types.target).itemSize}))); *(__global Loose_ *)(out + ${place}) = as_${vector}(items_); }`;
          },
    inclusive: !exclusive,
    carry,
  };
}

/** The type of the input, if the value is nothing else, or a conversion that vectors can do as C does it. */
function plainInput(value: Expression, { inputs }: ScanTypes): DTypeName | undefined {
  const node = value.kind === "cast" ? value.operand : value;
  if (node.kind !== "input" || node.index !== 0) return undefined;
  const from = inputs[0] as DTypeName;
  if (from === "bool" || kindOf(from) === 4 || kindOf(value.dtype) < 1) return undefined;
  if (value.kind === "cast" && (value.dtype === "float16" || (kindOf(from) === 3 && kindOf(value.dtype) < 3))) {
    return undefined;
  }
  return from === "float16" && value.dtype === "float64" ? undefined : from;
}

/** The type of elements that are the same bits as items. */
function storedAs(item: string, target: DTypeName): string | undefined {
  const type = storedType(target);
  if (kindOf(target) === 3) return type === item ? type : undefined;
  if (kindOf(target) === 0 || kindOf(target) === 4 || /float|double/u.test(item)) return undefined;
  const bytes = { char: 1, short: 2, int: 4, long: 8 }[item.replace(/^u/u, "")];
  return bytes === typeNamed(target).itemSize ? type : undefined;
}
