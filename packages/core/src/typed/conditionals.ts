/** Follows `#if` and what belongs to it: from branch to branch of the program, or from variant to variant of a signature. */
import type { Forked, Joined, NextVariant, NoSignature } from "./pending-signature.js";
import type { Opened, ProgramState, WithBranch, WithPending } from "./program-state.js";

/**
 * Branches that are never compiled: the first of `#if 0`, whose `#else` is, and all inside of one. No other branch has
 * such a name.
 */
export type SkippedBranch = "skipped" | "inside skipped";

/** The program behind an `#if`, which is directive `Id`. `Dead` is true for `#if 0`. */
export type EnterIf<
  P extends ProgramState,
  Dead extends boolean,
  Id extends number,
> = P["pending"]["active"] extends true
  ? WithPending<P, Forked<P["pending"], Dead>>
  : WithBranch<
      P,
      P["branch"] extends SkippedBranch ? "inside skipped" : Dead extends true ? "skipped" : `${P["branch"]}${Id}/`,
      [...P["outer"], P["branch"]]
    >;

/** The program behind an `#elif` or `#else`. */
export type EnterElse<
  P extends ProgramState,
  IsElse extends boolean,
  Id extends number,
> = P["pending"]["active"] extends true
  ? P["pending"]["forks"] extends readonly []
    ? EnterElse<CutOff<P>, IsElse, Id>
    : WithPending<P, NextVariant<P["pending"], IsElse>>
  : P["outer"] extends readonly [...string[], infer Around extends string]
    ? WithBranch<P, P["branch"] extends "inside skipped" ? "inside skipped" : `${Around}${Id}/`, P["outer"]>
    : never;

/** The program behind an `#endif`. */
export type LeaveIf<P extends ProgramState> = P["pending"]["active"] extends true
  ? P["pending"]["forks"] extends readonly []
    ? LeaveIf<CutOff<P>>
    : WithPending<P, Joined<P["pending"]>>
  : P["outer"] extends readonly [...infer Outer extends string[], infer Around extends string]
    ? WithBranch<P, Around, Outer>
    : never;

/** A signature that begins in a branch and ends behind it is not read. */
export type CutOff<P extends ProgramState> = Opened<WithPending<P, NoSignature>>;
