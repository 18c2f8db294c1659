/** Several element-wise members as one kernel. */
import { Program } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import { type ArrayUse, usesOf } from "./array-use.js";
import { type ElementwiseMember, isExact, sizesOver } from "./elementwise-member.js";
import type { Operand } from "./signature.js";
import { elementwiseSource, type FusedArgument, kernelName, lengthName } from "./source.js";

/** What is known before the kernel is built. */
export interface FusedPlan {
  readonly members: readonly ElementwiseMember[];
  readonly source: string;
  readonly program: Program;
  /** To be called when the program has been built. */
  readonly make: () => KernelMember;
}

type Argument = { -readonly [Key in keyof FusedArgument]: FusedArgument[Key] };

/** The kernel of a group that was found to be one; its program is not built yet. */
export function planFused(members: readonly [ElementwiseMember, ...ElementwiseMember[]]): FusedPlan {
  const [first] = members;
  const collected = new Collected();
  const operations = members.map((member) => {
    const found = collected.add(member);
    return {
      operation: member.operation,
      label: member.name,
      argumentOf: (operand: Operand) => found.get(operand) as FusedArgument,
    };
  });
  const source = elementwiseSource(collected.all, operations, isExact(first.length, first.local));
  const program = new Program(first.context, source);
  const make = (): KernelMember =>
    new KernelMember(nameOf(members), program, {
      kernel: kernelName,
      args: { ...collected.values, [lengthName]: first.length },
      parameters: collected.parameters,
      ...sizesOver(first.length, first.local),
    });
  return { members, source, program, make };
}

/** The arguments of the kernel: each array and each parameter once. */
class Collected {
  readonly all: Argument[] = [];
  readonly values: Record<string, unknown> = {};
  /** The launches' names, each with its argument's. */
  readonly parameters: Record<string, string> = {};
  readonly #arrays: { readonly use: ArrayUse; readonly argument: Argument }[] = [];

  /** Returns the arguments of a member's operands. */
  add(member: ElementwiseMember): ReadonlyMap<Operand, FusedArgument> {
    const uses = usesOf(member);
    const { operands } = member.operation;
    return new Map(
      operands.map((operand, i) => {
        const slot = member.slots.find(({ index }) => index === i);
        if (slot !== undefined) return [operand, this.#parameter(slot.name, operand)];
        const use = typeof uses === "string" ? undefined : uses.find((one) => one.operand === operand);
        return [operand, use === undefined ? this.#fixed(operand, member.args[i]) : this.#array(use, member.args[i])];
      }),
    );
  }

  #parameter(name: string, operand: Operand): FusedArgument {
    const known = this.all.find((argument) => argument.name === this.parameters[name]);
    if (known !== undefined) return known;
    const argument = this.#append(operand);
    this.parameters[name] = argument.name;
    return argument;
  }

  #fixed(operand: Operand, value: unknown): Argument {
    const argument = this.#append(operand);
    this.values[argument.name] = value;
    return argument;
  }

  #array(use: ArrayUse, value: unknown): FusedArgument {
    const { operand, store, start, elementwise, writes } = use;
    const known = this.#arrays.find(
      (one) => one.use.store === store && one.use.start === start && one.use.operand.type === operand.type,
    );
    const argument = known?.argument ?? this.#fixed(operand, value);
    if (known === undefined) this.#arrays.push({ use, argument });
    argument.constant &&= !writes;
    argument.element ||= elementwise;
    return argument;
  }

  #append({ name, type, array, constant }: Operand): Argument {
    const argument = { name: `fused_${this.all.length}_${name}`, type, array, constant, element: false };
    this.all.push(argument);
    return argument;
  }
}

function nameOf(members: readonly ElementwiseMember[]): string {
  const names = members.map(({ name }) => name);
  return names.length <= 3 ? names.join(" + ") : `${names[0]} + … + ${names.at(-1)} (${names.length})`;
}
