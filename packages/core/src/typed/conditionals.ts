/** Follows `#if` and what belongs to it: from branch to branch of the program, or from variant to variant of a signature. */
import type { Forked, Joined, NextVariant, NoSignature } from "./pending-signature.js";
import type { Opened, ProgramState, WithBranch, WithPending } from "./program-state.js";

/** When the first branch of an `#if` is compiled. */
export type Condition = "always" | "never" | "unknown";

/**
 * Branches that are never compiled: the first of `#if 0`, whose `#else` is, and all inside of one. No other branch has
 * such a name.
 */
export type SkippedBranch = "skipped" | "inside skipped";

/** Ends the name of an outer branch where the first branch inside of it is always compiled, and so is a part of it. */
type Always = "always";

/** The program behind an `#if`, which is directive `Id`. */
export type EnterIf<
  P extends ProgramState,
  When extends Condition,
  Id extends number,
> = P["pending"]["active"] extends true
  ? WithPending<P, Forked<P["pending"], When>>
  : P["branch"] extends SkippedBranch
    ? WithBranch<P, "inside skipped", [...P["outer"], P["branch"]]>
    : When extends "always"
      ? WithBranch<P, P["branch"], [...P["outer"], `${P["branch"]}${Always}`]>
      : WithBranch<P, When extends "never" ? "skipped" : `${P["branch"]}${Id}/`, [...P["outer"], P["branch"]]>;

/** The program behind an `#elif` or `#else`. */
export type EnterElse<
  P extends ProgramState,
  IsElse extends boolean,
  Id extends number,
> = P["pending"]["active"] extends true
  ? P["pending"]["forks"] extends readonly []
    ? EnterElse<CutOff<P>, IsElse, Id>
    : WithPending<P, NextVariant<P["pending"], IsElse>>
  : P["outer"] extends readonly [...infer Outer extends string[], infer Around extends string]
    ? P["branch"] extends "inside skipped"
      ? P
      : Around extends `${string}${Always}`
        ? WithBranch<P, "inside skipped", P["outer"]>
        : [P["branch"], IsElse] extends ["skipped", true]
          ? WithBranch<P, Around, [...Outer, `${Around}${Always}`]>
          : WithBranch<P, `${Around}${Id}/`, P["outer"]>
    : never;

/** The program behind an `#endif`. */
export type LeaveIf<P extends ProgramState> = P["pending"]["active"] extends true
  ? P["pending"]["forks"] extends readonly []
    ? LeaveIf<CutOff<P>>
    : WithPending<P, Joined<P["pending"]>>
  : P["outer"] extends readonly [...infer Outer extends string[], infer Around extends string]
    ? WithBranch<P, Around extends `${infer Branch}${Always}` ? Branch : Around, Outer>
    : never;

/** A signature that begins in a branch and ends behind it is not read. */
export type CutOff<P extends ProgramState> = Opened<WithPending<P, NoSignature>>;
