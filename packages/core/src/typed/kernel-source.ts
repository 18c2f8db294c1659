/**
 * Typed kernels: the kernels of an OpenCL C source literal, their names and their argument types, read by the type
 * checker. Nothing here exists at run time.
 *
 * The types are a second opinion, never a wrong one: whatever cannot be read with certainty is left untyped, and the
 * run-time check of the arguments remains. What no reader of the source can know is what build options define: a
 * kernel whose *name* comes from `-D` needs the source as a `string`.
 */
import type { KernelEntry, ProgramState } from "./program-state.js";
import type { ReadProgram } from "./program.js";
import type { CodeOf } from "./scanner.js";
import type { UntypedArguments } from "./signature.js";
import type { IsUnion } from "./text.js";

export type { UntypedArguments } from "./signature.js";

/**
 * The kernels of a source, each with the tuple of its argument types.
 *
 * ```ts
 * type Kernels = KernelsOf<"__kernel void scale(float a, __global float *x) { ... }">;
 * // { scale: [number, BufferArgument<Float32Array> | null] }
 * ```
 *
 * A source that is only known as `string`, or cannot be read, has every kernel with any arguments.
 */
export type KernelsOf<Source extends string> = {
  [Name in KernelNames<Source>]: KernelArguments<Source, Name>;
};

/** The names of a source's kernels; any string as far as they cannot be known. */
export type KernelNames<Source extends string> = NamesIn<Parsed<Source>>;

/** The argument types of one kernel, as a tuple; any number of arguments where they cannot be known. */
export type KernelArguments<Source extends string, Name extends string> = ArgumentsIn<Parsed<Source>, Name>;

/** The names of one kernel's parameters, as a tuple; any names where they cannot be known. */
export type KernelParameterNames<Source extends string, Name extends string> = ParametersIn<Parsed<Source>, Name>;

type Parsed<Source extends string> = IsLiteral<Source> extends true ? ReadProgram<CodeOf<Source>> : never;

/** One known text: not `string`, not a template with holes (which is a legal index signature), not a choice. */
export type IsLiteral<Source extends string> =
  {} extends Record<Source, unknown> ? false : IsUnion<Source> extends true ? false : true;

/** A source without kernels, a header perhaps, says nothing about the program that it becomes part of. */
type NamesIn<P extends ProgramState> = [P] extends [never]
  ? string
  : [P["kernels"]] extends [never]
    ? string
    : [P["opaque"]] extends [never]
      ? P["kernels"]["name"]
      : P["kernels"]["name"] | AnyOtherName;

/** `string`, but kept apart from literals, so that editors still offer the known names. */
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

/** Several definitions may name their parameters differently. */
type ParametersIn<P extends ProgramState, Name extends string> =
  Definitions<P, Name> extends infer Found extends KernelEntry
    ? [Found] extends [never]
      ? readonly string[]
      : IsUnion<Found["names"]> extends true
        ? readonly string[]
        : Found["names"]
    : never;

/**
 * The definitions of one kernel, as a union: `#ifdef` and `#else` may each have one. None where there may be another
 * that is not read, in a branch that these are not in.
 */
type Definitions<P extends ProgramState, Name extends string> = [P] extends [never]
  ? never
  : Called<P["kernels"], Name> extends infer Found extends KernelEntry
    ? false extends IsCompiledWith<Found["branch"], P["opaque"]>
      ? never
      : Found
    : never;

/** The name of an overloaded kernel is a pattern. */
type Called<Kernels extends KernelEntry, Name extends string> = Kernels extends unknown
  ? Name extends Kernels["name"]
    ? Kernels
    : never
  : never;

/** Whether what is in all of `Others` is compiled only when `Branch` is, for each branch. */
type IsCompiledWith<Branch extends string, Others extends string> = Branch extends unknown
  ? [Others] extends [`${Branch}${string}`]
    ? true
    : false
  : never;
