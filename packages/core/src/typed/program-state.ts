/** What is known of a program at some place in its source, and the ways in which that grows. */
import type { BuiltinTypedef, CTypeName } from "./c-types.js";
import type { NoSignature, PendingSignature } from "./pending-signature.js";

/**
 * A program as read so far. An interface with type parameters, since these are evaluated at once: a chain of plain
 * object types would be evaluated only at its end, and deeper than the compiler allows.
 *
 * A place in the source is in a *branch*: `""` outside of all conditionals, `"3/"` behind the `#if` that is directive 3,
 * `"3/7/"` behind an `#else` inside of it that is directive 7. Whatever is compiled in a branch is compiled together with
 * the branches that its name begins with.
 */
export interface ProgramState<
  Kernels extends KernelEntry = KernelEntry,
  Opaque extends string = string,
  Macros extends string = string,
  Aliases extends string = string,
  Branch extends string = string,
  Outer extends readonly string[] = readonly string[],
  Pending extends PendingSignature = PendingSignature,
> {
  /** The definitions of kernels, as a union. */
  kernels: Kernels;
  /** The branches in which there may be kernels that are not read, as a union. */
  opaque: Opaque;
  /** The macros, as a union of their names. */
  macros: Macros;
  /** The names given to types and other words, as a union of `"real=float@"`; an ambiguous name has several entries. */
  aliases: Aliases;
  /** The branch of this place. */
  branch: Branch;
  /** The branches around it, the innermost last. */
  outer: Outer;
  /** A kernel's signature that goes on behind the next preprocessor line. */
  pending: Pending;
}

/** Nothing is known before the first line. */
export type EmptyProgram = ProgramState<never, never, never, never, "", [], NoSignature>;

/** A definition of a kernel. */
export interface KernelEntry<
  Name extends string = string,
  Arguments = unknown,
  ParameterNames extends readonly string[] = readonly string[],
  Branch extends string = string,
> {
  name: Name;
  arguments: Arguments;
  names: ParameterNames;
  branch: Branch;
}

/** There may be more kernels, here. */
export type Opened<P extends ProgramState> = ProgramState<
  P["kernels"],
  P["opaque"] | P["branch"],
  P["macros"],
  P["aliases"],
  P["branch"],
  P["outer"],
  P["pending"]
>;

/** There are more kernels. */
export type WithKernels<P extends ProgramState, Kernels extends KernelEntry> = ProgramState<
  P["kernels"] | Kernels,
  P["opaque"],
  P["macros"],
  P["aliases"],
  P["branch"],
  P["outer"],
  P["pending"]
>;

/** `Name` may stand for anything. When that is a built-in type, or `kernel`, nothing is what it looks like. */
export type WithMacro<P extends ProgramState, Name extends string> = Name extends Reserved
  ? never
  : ProgramState<P["kernels"], P["opaque"], P["macros"] | Name, P["aliases"], P["branch"], P["outer"], P["pending"]>;

/** `Name` stands for a built-in type, in this branch. `typedef unsigned int uint` is nothing new. */
export type WithAlias<P extends ProgramState, Name extends string, Type extends string> = Name extends Reserved
  ? Name extends BuiltinTypedef & Type
    ? P
    : never
  : ProgramState<
      P["kernels"],
      P["opaque"],
      P["macros"],
      P["aliases"] | `${Name}=${Type}@${P["branch"]}`,
      P["branch"],
      P["outer"],
      P["pending"]
    >;

/** `Name` stands for these words of declarations, in this branch. */
export type WithReplacement<P extends ProgramState, Name extends string, Words extends string> = Name extends Reserved
  ? never
  : ProgramState<
      P["kernels"],
      P["opaque"],
      P["macros"],
      P["aliases"] | `#${Name}=${Words}@${P["branch"]}`,
      P["branch"],
      P["outer"],
      P["pending"]
    >;

/** The place is in this branch, inside of those. */
export type WithBranch<P extends ProgramState, Branch extends string, Outer extends readonly string[]> = ProgramState<
  P["kernels"],
  P["opaque"],
  P["macros"],
  P["aliases"],
  Branch,
  Outer,
  P["pending"]
>;

/** The place is inside of this signature. */
export type WithPending<P extends ProgramState, Pending extends PendingSignature> = ProgramState<
  P["kernels"],
  P["opaque"],
  P["macros"],
  P["aliases"],
  P["branch"],
  P["outer"],
  Pending
>;

type Reserved = CTypeName | "signed" | "unsigned" | "void" | "typedef" | "kernel" | "__kernel";
