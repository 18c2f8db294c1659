/** Processing of `#if`, `#elif`, `#else` and `#endif`: branches of the program and variants of a signature. */
import type { Forked, Joined, NextVariant, NoSignature } from "./pending-signature.js";
import type { Opened, ProgramState, WithBranch, WithPending } from "./program-state.js";

/** Whether the first branch of an `#if` is compiled. */
export type Condition = "always" | "never" | "unknown";

/**
 * Names of branches that are never compiled: `"skipped"` for the first branch of `#if 0`, whose `#else` is compiled,
 * and `"inside skipped"` for branches inside of one. No other branch has such a name.
 */
export type SkippedBranch = "skipped" | "inside skipped";

/** Suffix of the name of an outer branch whose current inner branch is always compiled and therefore a part of it. */
type Always = "always";

/** The program state after an `#if`, which is directive `Id`. */
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

/** The program state after an `#elif` or `#else`. */
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

/** The program state after an `#endif`. */
export type LeaveIf<P extends ProgramState> = P["pending"]["active"] extends true
  ? P["pending"]["forks"] extends readonly []
    ? LeaveIf<CutOff<P>>
    : WithPending<P, Joined<P["pending"]>>
  : P["outer"] extends readonly [...infer Outer extends string[], infer Around extends string]
    ? WithBranch<P, Around extends `${infer Branch}${Always}` ? Branch : Around, Outer>
    : never;

/** The program state without the pending signature: one that starts in a branch and ends after it is not parsed. */
export type CutOff<P extends ProgramState> = Opened<WithPending<P, NoSignature>>;
