/** Fuses several element-wise members into one kernel. */
import { Program } from "@cl/core";

import { KernelMember } from "../kernel/kernel-member.js";
import { type ArrayUse, usesOf } from "./array-use.js";
import { type ElementwiseMember, isExact, sizesOver } from "./elementwise-member.js";
import type { Operand } from "./signature.js";
import { elementwiseSource, type FusedArgument, kernelName, lengthName } from "./source.js";

/** A fused kernel that is not built yet. */
export interface FusedPlan {
  readonly members: readonly ElementwiseMember[];
  readonly source: string;
  readonly program: Program;
  /** Creates the member. Requires the program to be built. */
  readonly make: () => KernelMember;
}

type Argument = { -readonly [Key in keyof FusedArgument]: FusedArgument[Key] };

/** Plans the kernel of a group of fusible members, without building its program. */
export function planFused(members: readonly [ElementwiseMember, ...ElementwiseMember[]]): FusedPlan {
  const [first] = members;
  const collector = new ArgumentCollector();
  const operations = members.map((member) => {
    const argumentsOf = collector.add(member);
    return {
      operation: member.operation,
      label: member.name,
      argumentOf: (operand: Operand) => argumentsOf.get(operand) as FusedArgument,
    };
  });
  const source = elementwiseSource(collector.all, operations, isExact(first.length, first.local));
  const program = new Program(first.context, source);
  const make = (): KernelMember =>
    new KernelMember(nameOf(members), program, {
      kernel: kernelName,
      args: { ...collector.values, [lengthName]: first.length },
      parameters: collector.parameters,
      ...sizesOver(first.length, first.local),
    });
  return { members, source, program, make };
}

/** Arguments of the fused kernel, without duplicates. */
class ArgumentCollector {
  readonly all: Argument[] = [];
  readonly values: Record<string, unknown> = {};
  /** Argument names by parameter name. */
  readonly parameters: Record<string, string> = {};
  readonly #arrays: { readonly use: ArrayUse; readonly argument: Argument }[] = [];

  /** Adds a member and returns the arguments of its operands. */
  add(member: ElementwiseMember): ReadonlyMap<Operand, FusedArgument> {
    const uses = usesOf(member);
    const { operands } = member.operation;
    return new Map(
      operands.map((operand, i) => {
        const slot = member.slots.find(({ index }) => index === i);
        if (slot !== undefined) return [operand, this.#parameter(slot.name, operand)];
        const use = typeof uses === "string" ? undefined : uses.find((candidate) => candidate.operand === operand);
        return [operand, use === undefined ? this.#fixed(operand, member.args[i]) : this.#array(use, member.args[i])];
      }),
    );
  }

  #parameter(name: string, operand: Operand): FusedArgument {
    const existing = this.all.find((argument) => argument.name === this.parameters[name]);
    if (existing !== undefined) return existing;
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
    const existing = this.#arrays.find(
      (candidate) =>
        candidate.use.store === store && candidate.use.start === start && candidate.use.operand.type === operand.type,
    );
    const argument = existing?.argument ?? this.#fixed(operand, value);
    if (existing === undefined) this.#arrays.push({ use, argument });
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
