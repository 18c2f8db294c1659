/** What is known of a program at some place in its source, and the ways in which that grows. */
import type { CTypeName } from "./c-types.js";
import type { UnknownType } from "./declarations.js";
import type { Steps } from "./text.js";

/**
 * A program as read so far. An interface with type parameters, since these are evaluated at once: a chain of plain
 * object types would be evaluated only at its end, and deeper than the compiler allows.
 */
export interface ProgramState<
  Kernels extends KernelEntry = KernelEntry,
  Open extends boolean = boolean,
  Macros extends string = string,
  Aliases extends string = string,
  Nesting extends Steps = Steps,
> {
  /** The kernels, as a union: a prototype and its definition are one. */
  kernels: Kernels;
  /** Whether there may be more kernels than these. */
  open: Open;
  /** The macros, as a union of their names. */
  macros: Macros;
  /** The names given to types, as a union of `"real=float"`; an ambiguous name has several entries. */
  aliases: Aliases;
  /** One element for each conditional around this place. */
  nesting: Nesting;
}

/** Nothing is known before the first line. */
export type EmptyProgram = ProgramState<never, false, never, never, []>;

/** One kernel of a program. */
export interface KernelEntry<
  Name extends string = string,
  Arguments = unknown,
  ParameterNames extends readonly string[] = readonly string[],
> {
  name: Name;
  arguments: Arguments;
  names: ParameterNames;
}

/** There may be more kernels. */
export type Opened<P extends ProgramState> = ProgramState<P["kernels"], true, P["macros"], P["aliases"], P["nesting"]>;

/** There is one more kernel. */
export type WithKernel<P extends ProgramState, Kernel extends KernelEntry> = ProgramState<
  P["kernels"] | Kernel,
  P["open"],
  P["macros"],
  P["aliases"],
  P["nesting"]
>;

/** `Name` may stand for anything. When that is a built-in type, or `kernel`, nothing is what it looks like. */
export type WithMacro<P extends ProgramState, Name extends string> = Name extends Reserved
  ? never
  : ProgramState<P["kernels"], P["open"], P["macros"] | Name, P["aliases"], P["nesting"]>;

/** `Name` stands for a built-in type; inside a conditional, perhaps. */
export type WithAlias<P extends ProgramState, Name extends string, Type extends string> = Name extends Reserved
  ? never
  : ProgramState<
      P["kernels"],
      P["open"],
      P["macros"],
      P["aliases"] | `${Name}=${P["nesting"] extends readonly [] ? Type : UnknownType}`,
      P["nesting"]
    >;

/** The place is inside these conditionals. */
export type WithNesting<P extends ProgramState, Nesting extends Steps> = ProgramState<
  P["kernels"],
  P["open"],
  P["macros"],
  P["aliases"],
  Nesting
>;

type Reserved = CTypeName | "signed" | "unsigned" | "void" | "typedef" | "kernel" | "__kernel";
