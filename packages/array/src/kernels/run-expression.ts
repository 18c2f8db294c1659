/** Runs expressions over operands of any strides: chooses the kernel, and launches it ordered with other commands. */
import { sizeOf } from "@cl/base";
import { type CommandQueue, NotSupportedError } from "@cl/core";
import type { Expression, ScalarValue } from "../expression/expression.js";
import type { Storage } from "../storage/storage.js";
import { typeNamed } from "../types/dtype-name.js";
import { type Axes, collapse } from "./collapse.js";
import { type ElementwisePlan, type PlannedLaunch, planOf } from "./elementwise-plan.js";
import { everySecond } from "./every-second.js";
import { launchOrdered } from "./launch.js";
import type { Operand } from "../storage/operand.js";

/**
 * Computes expressions for each element of their targets. All inputs and targets have one shape; none of them may share bytes
 * with a target but at the very same places.
 */
export function runExpressions(
  queue: CommandQueue,
  expressions: readonly Expression[],
  inputs: readonly Operand[],
  scalars: readonly ScalarValue[],
  targets: readonly [Operand, ...Operand[]],
): void {
  const size = sizeOf(targets[0].layout.shape);
  if (size === 0) return;
  const operands = [...inputs, ...targets];
  const plan = planOf(queue, expressions);
  const { kernel, sizes, last } =
    plan.launches.find(none, operands) ??
    plan.launches.keep(none, operands, launchOf(queue, expressions, plan, operands, size));
  const args: unknown[] = [];
  for (const { storage } of operands) args.push(storage.memory);
  for (const { value } of scalars) args.push(value);
  args.push(last);
  launchOrdered(queue, kernel, sizes, args, storagesOf(inputs), storagesOf(targets));
}

const none: readonly never[] = [];

function storagesOf(operands: readonly Operand[]): Storage[] {
  return operands.map(({ storage }) => storage);
}

/** Returns the launch for the layouts of these operands. */
function launchOf(
  queue: CommandQueue,
  expressions: readonly Expression[],
  plan: ElementwisePlan,
  operands: readonly Operand[],
  size: number,
): PlannedLaunch {
  const axes = collapse(
    operands.map(({ layout }) => layout),
    operands.map(({ dtype }) => typeNamed(dtype).itemSize),
  );
  if (isDense(axes)) return { ...plan.dense(size), last: size };
  return copied() ?? strided();

  function copied(): PlannedLaunch | undefined {
    const [only] = expressions;
    // Of booleans, any byte but 0 is stored as 1.
    if (expressions.length > 1 || only?.kind !== "input" || only.dtype === "bool") return undefined;
    return everySecond(queue.context, queue.device, axes, typeNamed(only.dtype).itemSize);
  }

  function strided(): PlannedLaunch {
    const { kernel, sizes, axes: reordered } = plan.strided(axes, size);
    const places = placesOf(reordered, size);
    checkParameterSize(queue, operands.length, axes, places.byteLength);
    return { kernel, sizes, last: places };
  }
}

/** Returns whether all operands are contiguous from the start of their memory. */
function isDense({ extents, strides, offsets, short }: Axes): boolean {
  return short && extents.length === 1 && strides.every(([step]) => step === 1) && offsets.every((one) => one === 0);
}

function checkParameterSize({ device }: CommandQueue, operands: number, { extents }: Axes, bytes: number): void {
  if (bytes <= device.maxParameterSize - 256) return;
  throw new NotSupportedError(
    "@cl/array",
    `the layouts of ${operands} operands with ${extents.length} axes take ${bytes} bytes of kernel arguments, more than '${device.name}' supports; copy() some of them first`,
  );
}

/** The kernel's `Places`. */
function placesOf({ extents, strides, offsets, short }: Axes, size: number): Int32Array | BigInt64Array {
  const axes = extents.length === 0 ? [1] : extents;
  const numbers = [size, ...offsets, ...axes, ...strides.flatMap((list) => (list.length === 0 ? [0] : list))];
  return short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
}
