/** Arguments of merged kernels. */
import { bytesByName } from "@cl/base";

import type { CallableParameter } from "./callable-program.js";
import type { Candidate, CandidateArgument } from "./candidates.js";

/** Parameters of the merged kernel, and what each call is given of them. */
export interface MergedArguments {
  readonly declarations: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Parameters of launches, by the names of arguments. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly names: readonly (readonly string[])[];
  readonly bytes: number;
}

/** Collects arguments: the same value of the same type is passed once. */
export function argumentsOf(candidates: readonly Candidate[]): MergedArguments {
  const declarations: string[] = [];
  const values: Record<string, unknown> = {};
  const parameters: Record<string, string> = {};
  const known: { readonly type: string; readonly value: unknown; readonly name: string }[] = [];
  let bytes = 8;
  const add = (declare: (name: string) => string, type: string): string => {
    const name = `a${declarations.length}`;
    declarations.push(declare(name));
    bytes += type.includes("*") ? 8 : Math.max(4, bytesByName(type) ?? 64);
    return name;
  };
  const nameOf = ({ type, value, parameter, pointer }: CandidateArgument, { declare }: CallableParameter): string => {
    if (parameter !== undefined) return (parameters[parameter] ??= add(declare, type));
    const declaration = declare("");
    const same = known.find(
      (one) => (pointer !== undefined || one.type === declaration) && Object.is(one.value, value),
    );
    if (same !== undefined) return same.name;
    const name = add(declare, type);
    values[name] = value;
    known.push({ type: declaration, value, name });
    return name;
  };
  const names = candidates.map(({ args, kernel }) =>
    kernel.parameters.map((parameter, i) => {
      const argument = args[i] as CandidateArgument;
      const name = nameOf(argument, parameter);
      return argument.pointer === undefined ? name : `(${argument.pointer})${name}`;
    }),
  );
  return { declarations, values, parameters, names, bytes };
}
