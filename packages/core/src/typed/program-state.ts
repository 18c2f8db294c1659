/** The parser's state at a place in a program's source, and its transitions. */
import type { BuiltinTypedef, CTypeName } from "./c-types.js";
import type { NoSignature, PendingSignature } from "./pending-signature.js";

/**
 * The part of a program parsed so far. An interface with type parameters, because these are evaluated eagerly: a chain
 * of object types would be evaluated only at its end and exceed the compiler's recursion limit.
 *
 * A place in the source is in a *branch*: `""` outside all conditionals, `"3/"` after the `#if` that is directive 3,
 * `"3/7/"` after an `#else` inside of it that is directive 7. A branch is compiled only together with the branches
 * whose names are prefixes of its name.
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
  /** The branches that may contain unparsed kernels, as a union. */
  opaque: Opaque;
  /** The macros, as a union of their names. */
  macros: Macros;
  /** The names given to types and other words, as a union of `"real=float@"`; an ambiguous name has several entries. */
  aliases: Aliases;
  /** The branch of this place. */
  branch: Branch;
  /** The enclosing branches, the innermost last. */
  outer: Outer;
  /** A kernel's signature that continues after the next preprocessor line. */
  pending: Pending;
}

/** The state before the first line. */
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

/** The state with possible unparsed kernels in this branch. */
export type Opened<P extends ProgramState> = ProgramState<
  P["kernels"],
  P["opaque"] | P["branch"],
  P["macros"],
  P["aliases"],
  P["branch"],
  P["outer"],
  P["pending"]
>;

/** The state with additional kernels. */
export type WithKernels<P extends ProgramState, Kernels extends KernelEntry> = ProgramState<
  P["kernels"] | Kernels,
  P["opaque"],
  P["macros"],
  P["aliases"],
  P["branch"],
  P["outer"],
  P["pending"]
>;

/** The state with a macro `Name` of unknown meaning; `never` if it redefines a built-in type or `kernel`. */
export type WithMacro<P extends ProgramState, Name extends string> = Name extends Reserved
  ? never
  : ProgramState<P["kernels"], P["opaque"], P["macros"] | Name, P["aliases"], P["branch"], P["outer"], P["pending"]>;

/**
 * The state with a name for a built-in type in this branch. Ignores redundant ones such as `typedef unsigned int uint`.
 */
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

/** The state with a macro for words of declarations in this branch. */
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

/** The state in another branch. */
export type WithBranch<P extends ProgramState, Branch extends string, Outer extends readonly string[]> = ProgramState<
  P["kernels"],
  P["opaque"],
  P["macros"],
  P["aliases"],
  Branch,
  Outer,
  P["pending"]
>;

/** The state inside a signature. */
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
