/**
 * A signature with conditionals inside of it: each way through them is a variant of its text, and all are kept, as a
 * union of strings. Text behind a conditional is appended to every variant, which a template literal type does.
 */
import type { Steps } from "./text.js";

/** A signature as read so far, from its keyword on. */
export interface PendingSignature<
  Texts extends string = string,
  Forks extends readonly Fork[] = readonly Fork[],
  Count extends Steps = Steps,
  Active extends boolean = boolean,
> {
  /** The variants at this place; none in a branch that is never compiled. */
  texts: Texts;
  /** The conditionals inside of the signature that are open. */
  forks: Forks;
  /** One element for each conditional so far. */
  count: Count;
  /** Whether there is a signature. */
  active: Active;
}

/** No signature is unfinished. */
export type NoSignature = PendingSignature<never, [], [], false>;

/** A conditional inside of a signature. */
export interface Fork<Base extends string = string, Done extends string = string, HasElse extends boolean = boolean> {
  /** The variants before it. */
  base: Base;
  /** The variants behind its finished branches. */
  done: Done;
  /** Whether one branch is compiled in any case. */
  hasElse: HasElse;
}

/** Conditionals that are told apart in one signature, since the number of variants doubles with each. */
type MostForks = 5;

/** A signature with more of them: a text that never ends. */
type Unread = "#";

/** Text follows, in every variant. */
export type Appended<S extends PendingSignature, Text extends string> = PendingSignature<
  Unread extends S["texts"] ? Unread : `${S["texts"]}${Text}`,
  S["forks"],
  S["count"],
  true
>;

/** An `#if`. Of `"always"` and `"never"` only one branch makes variants. */
export type Forked<S extends PendingSignature, When extends "always" | "never" | "unknown"> = When extends "always"
  ? PendingSignature<S["texts"], [...S["forks"], Fork<never, never, true>], S["count"], true>
  : When extends "never"
    ? PendingSignature<never, [...S["forks"], Fork<S["texts"], never, false>], S["count"], true>
    : S["count"]["length"] extends MostForks
      ? PendingSignature<Unread, [...S["forks"], Fork<Unread, Unread, false>], S["count"], true>
      : PendingSignature<S["texts"], [...S["forks"], Fork<S["texts"], never, false>], [...S["count"], 0], true>;

/** An `#elif` or `#else` of the innermost conditional. */
export type NextVariant<S extends PendingSignature, IsElse extends boolean> = S["forks"] extends readonly [
  ...infer Around extends readonly Fork[],
  Fork<infer Base, infer Done>,
]
  ? PendingSignature<Base, [...Around, Fork<Base, Done | S["texts"], IsElse>], S["count"], true>
  : never;

/** The `#endif` of the innermost conditional. */
export type Joined<S extends PendingSignature> = S["forks"] extends readonly [
  ...infer Around extends readonly Fork[],
  Fork<infer Base, infer Done, infer HasElse>,
]
  ? PendingSignature<S["texts"] | Done | (HasElse extends true ? never : Base), Around, S["count"], true>
  : never;
