/** A list member for an element-wise operation. */
import { bytesByName, checkInteger, rangeError, typeError, wrongValue } from "@cl/base";
import { type Context, DeviceBuffer, memoryRange, Program } from "@cl/core";

import { tuplesOf } from "../kernel/arguments.js";
import { KernelMember } from "../kernel/kernel-member.js";
import { prefixError } from "../member.js";
import type { ElementwiseOptions } from "./elementwise-options.js";
import { checkNoOverlap } from "./array-use.js";
import { Operation } from "./operation.js";
import type { Operand } from "./signature.js";
import { elementwiseSource, type FusedArgument, kernelName, lengthName } from "./source.js";

/** An operation whose kernel is not built yet. */
export interface ElementwisePlan {
  readonly name: string;
  readonly operation: Operation;
  readonly length: number;
  readonly local: number;
  readonly program: Program;
  readonly options: ElementwiseOptions;
}

/** Checks everything that does not need a kernel, and creates the program without building it. */
export function planElementwise(name: string, context: Context, options: ElementwiseOptions): ElementwisePlan {
  try {
    const { signature, body, preamble = "" } = options;
    if (typeof preamble !== "string") throw typeError("options.preamble", "a string", preamble);
    const operation = new Operation(signature, body, preamble);
    const length = checkInteger(options.length ?? lengthOf(options), "options.length", 0, 2 ** 32 - 1);
    const local = checkInteger(options.local ?? defaultLocal(context), "options.local", 1, 2 ** 31 - 1);
    const args = operation.operands.map((operand): FusedArgument => {
      return { ...operand, element: operand.array && operation.elementwise.has(operand.name) };
    });
    const argumentOf = (operand: Operand): FusedArgument => args[operation.operands.indexOf(operand)] as FusedArgument;
    const program = new Program(
      context,
      elementwiseSource(args, [{ operation, label: name, argumentOf }], isExact(length, local)),
    );
    return { name, operation, length, local, program, options };
  } catch (error) {
    throw prefixError(`launcher "${name}"`, error);
  }
}

/** Internal implementation of `ElementwiseLauncher`. */
export class ElementwiseMember extends KernelMember {
  readonly context: Context;
  readonly operation: Operation;
  readonly length: number;
  readonly local: number;

  /** Requires the plan's program to be built. */
  constructor({ name, operation, length, local, program, options: { args, parameters } }: ElementwisePlan) {
    super(name, program, {
      kernel: kernelName,
      args: withLength(args, length),
      ...(parameters === undefined ? {} : { parameters }),
      ...sizesOver(length, local),
    });
    this.context = program.context;
    this.operation = operation;
    this.length = length;
    this.local = local;
    try {
      for (const [i, operand] of operation.operands.entries()) {
        if (operand.array) checkArray(this.args[i], operand, length, operation.elementwise.has(operand.name));
      }
      checkNoOverlap(this);
    } catch (error) {
      this.release();
      throw prefixError(this.displayName, error);
    }
  }
}

/** Returns launch sizes that cover `length` elements. */
export function sizesOver(length: number, local: number): { global: number; local: number; allowEmpty: true } {
  const group = groupOf(length, local);
  return { global: Math.ceil(length / group) * group, local: group, allowEmpty: true };
}

/** Whether the global size equals the number of elements. */
export function isExact(length: number, local: number): boolean {
  return length % groupOf(length, local) === 0;
}

function groupOf(length: number, local: number): number {
  return Math.max(1, Math.min(local, length));
}

/** Returns the length of the shortest array. */
function lengthOf({ args }: ElementwiseOptions): number {
  const pairs = tuplesOf(args);
  const values = pairs === undefined ? Object.values(args as object) : pairs.map(([, value]) => value);
  const buffers = values.filter((value) => value instanceof DeviceBuffer);
  if (buffers.length === 0) throw wrongValue("options.length is required if options.args contains no buffer");
  return Math.min(...buffers.map(({ length }) => length));
}

/** Returns a large work-group size: GPUs need many elements per group, and CPUs run a group as a loop. */
function defaultLocal(context: Context): number {
  return Math.min(256, ...context.devices.map(({ maxWorkGroupSize }) => maxWorkGroupSize));
}

function withLength(args: ElementwiseOptions["args"], length: number): NonNullable<ElementwiseOptions["args"]> {
  if (tuplesOf(args) !== undefined) return [...(args as readonly unknown[]), [lengthName, length]];
  if (Array.isArray(args)) return [...(args as readonly unknown[]), length];
  return { ...(args as Readonly<Record<string, unknown>>), [lengthName]: length };
}

function checkArray(value: unknown, { name, type }: Operand, length: number, elementwise: boolean): void {
  const bytes = bytesByName(type);
  if (!elementwise || bytes === undefined || !(value instanceof DeviceBuffer)) return;
  const { start, end } = memoryRange(value);
  if (end - start < bytes * length) {
    throw rangeError(`options.args.${name}`, `a buffer of ${length} elements of ${bytes} bytes`, value.toString());
  }
}
