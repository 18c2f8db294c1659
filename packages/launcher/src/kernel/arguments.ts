/** Which of a kernel's arguments are fixed, and which are parameters: every one is exactly one of the two. */
import { checkInteger, checkString, rangeError, typeError, wrongValue } from "@cl/base";
import type { Kernel } from "@cl/core";

import type { KernelLauncherOptions } from "./launcher-types.js";

/** A parameter: its name in launches, and the argument that gets it. */
export interface Slot {
  readonly name: string;
  readonly index: number;
}

/** The arguments of one launcher. */
export interface ArgumentPlan {
  /** Fixed values at their positions; holes where parameters go. */
  readonly fixed: readonly unknown[];
  readonly slots: readonly Slot[];
}

/**
 * Returns which arguments are fixed and which are parameters. Names in `iterated` are parameters, too. Throws for an argument
 * that is missing, given twice or unknown.
 */
export function planArguments(
  kernel: Kernel,
  { args, parameters }: Pick<KernelLauncherOptions, "args" | "parameters">,
  iterated: readonly string[] = [],
): ArgumentPlan {
  const slots = slotsOf(kernel, parameters, iterated);
  const fixed: unknown[] = Array.from({ length: kernel.numArgs });
  const taken = new Set(slots.map(({ index }) => index));
  const pairs = pairsOf(args);
  if (pairs !== undefined) placeByKey(kernel, pairs, taken, fixed);
  else if (args === undefined || Array.isArray(args)) placeInOrder(kernel, args ?? [], taken, fixed);
  else placeByKey(kernel, entriesOf(args), taken, fixed);
  return { fixed, slots };
}

/** Returns `args` if they are `[name, value]` tuples, else undefined. Throws if only some of them are. */
export function pairsOf(args: unknown): readonly (readonly [name: string, value: unknown])[] | undefined {
  if (!Array.isArray(args) || !args.some(isPair)) return undefined;
  const other = args.findIndex((one) => !isPair(one));
  if (other < 0) return args as readonly (readonly [string, unknown])[];
  throw typeError(`options.args[${other}]`, "a [name, value] tuple like the others", args[other]);
}

/** No value of an argument is an array that begins with a string. */
function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

function entriesOf(args: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (typeof args === "object" && args !== null) return Object.entries(args);
  throw typeError("options.args", "an array, or an object with a value for each argument", args);
}

function slotsOf(kernel: Kernel, parameters: unknown, iterated: readonly string[]): readonly Slot[] {
  const listed = parameters === undefined ? [] : pairsOfParameters(parameters);
  const names = new Set(listed.map(([name]) => name));
  const slots = [
    ...listed.map(([name, at]) => ({ name, index: indexOf(kernel, at, `options.parameters.${name}`) })),
    ...iterated
      .filter((name) => !names.has(name))
      .map((name) => ({ name, index: indexOf(kernel, name, `options.iterate.${name}`) })),
  ];
  for (const [i, { name, index }] of slots.entries()) {
    const twin = slots.findIndex((other, k) => k < i && (other.index === index || other.name === name));
    if (twin < 0) continue;
    const both = `"${slots[twin]?.name}" and "${name}"`;
    throw wrongValue(`options.parameters has ${both} for one argument: ${describeArgument(kernel, index)}`);
  }
  return slots;
}

function pairsOfParameters(parameters: unknown): readonly (readonly [name: string, at: unknown])[] {
  if (typeof parameters !== "object" || parameters === null) {
    throw typeError("options.parameters", "an array of names, or an object with an argument for each", parameters);
  }
  return Array.isArray(parameters)
    ? parameters.map((name: unknown, i) => [checkString(name, `options.parameters[${i}]`), name])
    : Object.entries(parameters);
}

function placeInOrder(kernel: Kernel, args: readonly unknown[], taken: ReadonlySet<number>, fixed: unknown[]): void {
  const free = [...fixed.keys()].filter((i) => !taken.has(i));
  if (args.length !== free.length) {
    const list = free.map((i) => describeArgument(kernel, i)).join(", ");
    throw wrongValue(
      `options.args must have ${free.length} value${free.length === 1 ? "" : "s"}${list === "" ? "" : ` (${list})`} for kernel "${kernel.name}", received ${args.length}`,
    );
  }
  for (const [k, i] of free.entries()) fixed[i] = args[k];
}

function placeByKey(
  kernel: Kernel,
  args: readonly (readonly [name: string, value: unknown])[],
  taken: ReadonlySet<number>,
  fixed: unknown[],
): void {
  const placed = new Set(taken);
  for (const [key, value] of args) {
    const index = indexOf(kernel, /^\d+$/.test(key) ? Number(key) : key, `options.args.${key}`);
    if (taken.has(index)) {
      throw wrongValue(
        `options.args.${key} is a parameter too: ${describeArgument(kernel, index)} has to be one or the other`,
      );
    }
    if (placed.has(index)) throw wrongValue(`options.args gives ${describeArgument(kernel, index)} twice`);
    placed.add(index);
    fixed[index] = value;
  }
  const missing = [...fixed.keys()].filter((i) => !placed.has(i)).map((i) => describeArgument(kernel, i));
  if (missing.length > 0) {
    throw wrongValue(`options.args has no ${missing.join(", no ")} of kernel "${kernel.name}", and it is no parameter`);
  }
}

/** The position of an argument given by position or name. */
export function indexOf(kernel: Kernel, at: unknown, name: string): number {
  if (typeof at === "number") return checkInteger(at, name, 0, kernel.numArgs - 1);
  if (typeof at !== "string") throw typeError(name, "the position or the name of an argument", at);
  const index = kernel.argNames.indexOf(at);
  if (index >= 0) return index;
  const known = kernel.argNames.filter((one) => one !== undefined).join(", ");
  throw rangeError(name, `an argument of kernel "${kernel.name}" (${known === "" ? "none has a name" : known})`, at);
}

/** Words for errors: `argument 1 "x" (float*)`. */
function describeArgument(kernel: Kernel, i: number): string {
  const name = kernel.argNames[i];
  return `argument ${i}${name === undefined ? "" : ` "${name}"`} (${kernel.argTypes[i]})`;
}

/** Finds wrong fixed arguments before the first launch. */
export function setFixed(kernel: Kernel, { fixed, slots }: ArgumentPlan): void {
  const open = new Set(slots.map(({ index }) => index));
  for (const [i, value] of fixed.entries()) if (!open.has(i)) kernel.setArg(i, value);
}
