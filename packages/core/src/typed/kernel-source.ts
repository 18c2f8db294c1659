/**
 * Typed kernels: names and argument types of the kernels in an OpenCL C source literal, parsed by the type checker.
 * Nothing here exists at run time.
 *
 * The types are never wrong: whatever cannot be parsed with certainty is left untyped and checked at run time. Build
 * options are unknown, so a source with a kernel *name* defined by `-D` must have the type `string`.
 */
import type { KernelEntry, ProgramState } from "./program-state.js";
import type { ReadProgram } from "./program.js";
import type { CodeOf } from "./scanner.js";
import type { UntypedArguments } from "./signature.js";
import type { IsUnion } from "./text.js";

export type { UntypedArguments } from "./signature.js";

/**
 * The kernels of a source, with the tuple of each kernel's argument types.
 *
 * ```ts
 * type Kernels = KernelsOf<"__kernel void scale(float a, __global float *x) { ... }">;
 * // { scale: [number, BufferArgument<Float32Array> | null] }
 * ```
 *
 * A source of type `string`, or one that cannot be parsed, has every kernel name with any arguments.
 */
export type KernelsOf<Source extends string> = {
  [Name in KernelNames<Source>]: KernelArguments<Source, Name>;
};

/** The names of a source's kernels; includes any `string` if not all of them are known. */
export type KernelNames<Source extends string> = NamesIn<Parsed<Source>>;

/** The argument types of a kernel, as a tuple; any arguments if they are unknown. */
export type KernelArguments<Source extends string, Name extends string> = ArgumentsIn<Parsed<Source>, Name>;

/** The parameter names of a kernel, as a tuple; any names if they are unknown. */
export type KernelParameterNames<Source extends string, Name extends string> = ParametersIn<Parsed<Source>, Name>;

type Parsed<Source extends string> = IsLiteral<Source> extends true ? ReadProgram<CodeOf<Source>> : never;

/**
 * Whether a type is one literal: not `string`, not a template with placeholders (a valid index signature), not a union.
 */
export type IsLiteral<Source extends string> =
  {} extends Record<Source, unknown> ? false : IsUnion<Source> extends true ? false : true;

/** The kernel names of a program. Any name for a source without kernels, such as a header. */
type NamesIn<P extends ProgramState> = [P] extends [never]
  ? string
  : [P["kernels"]] extends [never]
    ? string
    : [P["opaque"]] extends [never]
      ? P["kernels"]["name"]
      : P["kernels"]["name"] | AnyOtherName;

/** `string` that does not absorb literals in a union, so that editors still suggest the known names. */
type AnyOtherName = string & {};

type ArgumentsIn<P extends ProgramState, Name extends string> =
  Definitions<P, Name> extends infer Found extends KernelEntry
    ? [Found] extends [never]
      ? UntypedArguments
      : UntypedArguments extends Found["arguments"]
        ? UntypedArguments
        : Found["arguments"] extends infer Arguments extends readonly unknown[]
          ? Arguments
          : never
    : never;

/** The parameter names of a kernel; any names if several definitions differ. */
type ParametersIn<P extends ProgramState, Name extends string> =
  Definitions<P, Name> extends infer Found extends KernelEntry
    ? [Found] extends [never]
      ? readonly string[]
      : IsUnion<Found["names"]> extends true
        ? readonly string[]
        : Found["names"]
    : never;

/**
 * The definitions of a kernel, as a union: `#ifdef` and `#else` may each contain one. `never` if there may be another,
 * unparsed one in a branch that does not enclose these.
 */
type Definitions<P extends ProgramState, Name extends string> = [P] extends [never]
  ? never
  : Called<P["kernels"], Name> extends infer Found extends KernelEntry
    ? false extends IsCompiledWith<Found["branch"], P["opaque"]>
      ? never
      : Found
    : never;

/** The kernels with a name; the names of overloaded kernels are patterns. */
type Called<Kernels extends KernelEntry, Name extends string> = Kernels extends unknown
  ? Name extends Kernels["name"]
    ? Kernels
    : never
  : never;

/** Whether all of `Others` are compiled only if `Branch` is, for each branch. */
type IsCompiledWith<Branch extends string, Others extends string> = Branch extends unknown
  ? [Others] extends [`${Branch}${string}`]
    ? true
    : false
  : never;
