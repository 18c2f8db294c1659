/** Kernels of copies and fills, which lists merge with others. */
import { SvmPointer } from "@cl/core";

import type { DeviceMove } from "../steps/device-move.js";
import type { CallableKernel } from "./callable-program.js";

/** A copy or fill as a kernel. */
export interface MoveKernel {
  readonly kernel: CallableKernel;
  readonly text: string;
  /** Number of work-items. */
  readonly items: number;
  /** Target, and source of a copy. */
  readonly memory: readonly DeviceMove["target"][];
  /** Type of the pointers to the memory. */
  readonly pointer: string;
}

/** Word types by size in bytes. */
const words = [
  [16, "uint4"],
  [8, "ulong"],
  [4, "uint"],
  [2, "ushort"],
  [1, "uchar"],
] as const;

/** Returns the kernel of a move, whose names start with `name`. Each work-item moves a word, the widest that fits. */
export function moveKernel({ target, source, copy }: DeviceMove, name: string): MoveKernel {
  const { run, shape, from, to } = copy;
  const isFill = source instanceof Uint8Array;
  const memory = isFill ? [target] : [target, source];
  const lengths = [run, to.offset, ...to.strides, ...(isFill ? [] : [from.offset, ...from.strides])];
  const addresses = memory.map((one) => addressOf(one));
  const [size, type] = words.find(([bytes]) => [...lengths, ...addresses].every((length) => length % bytes === 0)) ?? [
    1,
    "uchar",
  ];
  const extents = [run / size, ...shape.toReversed()];
  const indexes = extents.map((extent, axis) => {
    const below = extents.slice(0, axis).reduce((product, one) => product * one, 1);
    const quotient = below === 1 ? "word" : `word / ${below}u`;
    return `  const long x${axis} = ${axis === extents.length - 1 ? quotient : `${quotient} % ${extent}u`};\n`;
  });
  const place = ({ offset, strides }: typeof to): string =>
    [size, ...strides.toReversed()].reduce(
      (sum, stride, axis) => `${sum} + x${axis} * ${stride / size}L`,
      `${offset / size}L`,
    );
  const pattern = isFill ? patternWords(source, size) : [];
  const value = isFill ? `${name}_pattern[x0 % ${pattern.length}]` : `from[${place(from)}]`;
  const pointer = `__global ${type}*`;
  const constant = isFill ? `__constant ${type} ${name}_pattern[] = {${pattern.join(", ")}};\n` : "";
  const text = `${constant}void ${name}(const resident_item* const item, ${pointer} const to${isFill ? "" : `, ${pointer} const from`}) {
  const uint word = (uint)resident_get_global_id(item, 0);
${indexes.join("")}  to[${place(to)}] = ${value};
}
`;
  const declare = (argument: string): string => `__global void* ${argument}`;
  return {
    kernel: { name, parameters: memory.map(() => ({ declare })), locals: [], isCollective: false },
    text,
    items: extents.reduce((product, extent) => product * extent, 1),
    memory,
    pointer,
  };
}

/** Returns the last digits of an address, which is 0 for memory that the device has aligned. */
function addressOf(memory: DeviceMove["target"]): number {
  const address = memory instanceof SvmPointer ? memory.pointer : memory.hostPointer;
  return Number(BigInt.asUintN(4, address));
}

/** Returns the constants of a pattern that is repeated until it fills whole words. */
function patternWords(pattern: Uint8Array, size: number): readonly string[] {
  let { length } = pattern;
  while (length % size !== 0) length += pattern.length;
  const bytes = Uint8Array.from({ length }, (_, i) => pattern[i % pattern.length] as number);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: length / size }, (_, i) => {
    const number = (at: number): string => {
      if (size === 1) return `${view.getUint8(at)}`;
      if (size === 2) return `${view.getUint16(at, true)}`;
      return size === 8
        ? `0x${view.getBigUint64(at, true).toString(16)}ul`
        : `0x${view.getUint32(at, true).toString(16)}u`;
    };
    const at = i * size;
    return size === 16 ? `(uint4)(${[0, 4, 8, 12].map((k) => number(at + k)).join(", ")})` : number(at);
  });
}
