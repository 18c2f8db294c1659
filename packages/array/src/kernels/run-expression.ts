/** Expressions as kernels: built once for a context, by expression, types and how the operands lie, and launched. */
import { type Context, type CommandQueue, Kernel, type LaunchSizes, NotSupportedError, Program } from "@cl/core";
import { type Layout, sizeOf } from "@cl/core/layouts";
import { type Expression, keyOf } from "../expression/expression.js";
import { ordered, type Storage } from "../storage/storage.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { type Axes, collapse } from "./collapse.js";
import { kernelSource } from "./source.js";

/** Elements that a kernel reads or writes. */
export interface Operand {
  readonly storage: Storage;
  readonly dtype: DTypeName;
  readonly layout: Layout;
}

/** A value of the host, of the type in which it is computed with. */
export interface ScalarValue {
  readonly dtype: DTypeName;
  readonly value: number | bigint;
}

const kernels = new WeakMap<Context, Map<string, Kernel>>();

/**
 * Computes the expression for each element of the target. Inputs have the target's shape; none may share bytes with it but at
 * the very same places.
 */
export function runExpression(
  queue: CommandQueue,
  expression: Expression,
  inputs: readonly Operand[],
  scalars: readonly ScalarValue[],
  target: Operand,
): void {
  const size = sizeOf(target.layout.shape);
  if (size === 0) return;
  const operands = [...inputs, target];
  const axes = collapse(
    operands.map(({ layout }) => layout),
    operands.map(({ dtype }) => typeNamed(dtype).itemSize),
  );
  const kernel = kernelFor(queue, expression, inputs, scalars, axes);
  const places = placesOf(axes, size);
  const { maxParameterSize } = queue.device;
  if (places.byteLength > maxParameterSize - 256) {
    throw new NotSupportedError(
      "@cl/array",
      `${operands.length} operands that lie along ${axes.extents.length} uneven axes take ${places.byteLength} bytes of arguments, more than '${queue.device.name}' has: copy() some of them before`,
    );
  }
  const args = [...operands.map(({ storage }) => storage.memory), ...scalars.map(({ value }) => value), places];
  const local = Math.min(size <= 64 ? 64 : 256, queue.device.maxWorkGroupSize);
  const sizes: LaunchSizes = { global: Math.ceil(size / local) * local, local };
  const reads = [...new Set(inputs.map(({ storage }) => storage))];
  ordered(queue, reads, target.storage, (waitFor, wantEvent) => {
    if (!wantEvent && waitFor.length === 0) {
      kernel.launch(queue, sizes, ...args);
      return undefined;
    }
    return kernel.enqueue(queue, { ...sizes, waitFor }, ...args);
  });
}

/** Building keeps the order of commands, so the first use of a kernel waits for the compiler; core keeps what it made. */
function kernelFor(
  { context }: CommandQueue,
  expression: Expression,
  inputs: readonly Operand[],
  scalars: readonly ScalarValue[],
  axes: Axes,
): Kernel {
  let own = kernels.get(context);
  if (own === undefined) kernels.set(context, (own = new Map<string, Kernel>()));
  const flat = flatSteps(axes);
  const rank = axes.extents.length;
  const key = `${keyOf(expression)}|${flat?.join("") ?? rank}|${axes.short ? 32 : 64}`;
  let kernel = own.get(key);
  if (kernel === undefined || kernel.released) {
    const source = kernelSource({
      expression,
      inputs: inputs.map(({ dtype }) => dtype),
      scalars: scalars.map(({ dtype }) => dtype),
      rank,
      flat,
      short: axes.short,
    });
    const program = new Program(context, source, { label: "an expression of arrays" }).buildSync();
    kernel = new Kernel(program, "elementwise");
    own.set(key, kernel);
  }
  return kernel;
}

/** The distances where there is one axis at most and each operand is side by side or one element. */
function flatSteps({ extents, strides }: Axes): readonly number[] | undefined {
  if (extents.length === 0) return strides.map(() => 0);
  if (extents.length > 1) return undefined;
  const steps = strides.map((list) => list[0] as number);
  return steps.every((step) => step === 0 || step === 1) ? steps : undefined;
}

/** The kernel's `Places`. */
function placesOf({ extents, strides, offsets, short }: Axes, size: number): Int32Array | BigInt64Array {
  const axes = extents.length === 0 ? [1] : extents;
  const numbers = [size, ...offsets, ...axes, ...strides.flatMap((list) => (list.length === 0 ? [0] : list))];
  return short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
}
