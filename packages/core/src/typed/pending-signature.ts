/**
 * A signature that contains conditionals. Each path through them is a variant of its text; the variants are a union of
 * strings, to which a template literal type appends the text after a conditional.
 */
import type { Steps } from "./text.js";

/** The part of a signature parsed so far, starting at its keyword. */
export interface PendingSignature<
  Texts extends string = string,
  Forks extends readonly Fork[] = readonly Fork[],
  Count extends Steps = Steps,
  Active extends boolean = boolean,
> {
  /** The variants at this place; `never` in a branch that is never compiled. */
  texts: Texts;
  /** The open conditionals inside the signature. */
  forks: Forks;
  /** One element per conditional so far. */
  count: Count;
  /** Whether a signature is pending. */
  active: Active;
}

/** No pending signature. */
export type NoSignature = PendingSignature<never, [], [], false>;

/** A conditional inside a signature. */
export interface Fork<Base extends string = string, Done extends string = string, HasElse extends boolean = boolean> {
  /** The variants before the conditional. */
  base: Base;
  /** The variants after its completed branches. */
  done: Done;
  /** Whether one of its branches is always compiled. */
  hasElse: HasElse;
}

/** Maximum number of conditionals in a signature; each doubles the number of variants. */
type MaxForks = 5;

/** Text of a signature with more conditionals; it never ends. */
type Unread = "#";

/** Appends text to every variant. */
export type Appended<S extends PendingSignature, Text extends string> = PendingSignature<
  Unread extends S["texts"] ? Unread : `${S["texts"]}${Text}`,
  S["forks"],
  S["count"],
  true
>;

/** Adds an `#if`. With `"always"` and `"never"`, only one branch creates variants. */
export type Forked<S extends PendingSignature, When extends "always" | "never" | "unknown"> = When extends "always"
  ? PendingSignature<S["texts"], [...S["forks"], Fork<never, never, true>], S["count"], true>
  : When extends "never"
    ? PendingSignature<never, [...S["forks"], Fork<S["texts"], never, false>], S["count"], true>
    : S["count"]["length"] extends MaxForks
      ? PendingSignature<Unread, [...S["forks"], Fork<Unread, Unread, false>], S["count"], true>
      : PendingSignature<S["texts"], [...S["forks"], Fork<S["texts"], never, false>], [...S["count"], 0], true>;

/** Adds an `#elif` or `#else` of the innermost conditional. */
export type NextVariant<S extends PendingSignature, IsElse extends boolean> = S["forks"] extends readonly [
  ...infer Around extends readonly Fork[],
  Fork<infer Base, infer Done>,
]
  ? PendingSignature<Base, [...Around, Fork<Base, Done | S["texts"], IsElse>], S["count"], true>
  : never;

/** Adds the `#endif` of the innermost conditional. */
export type Joined<S extends PendingSignature> = S["forks"] extends readonly [
  ...infer Around extends readonly Fork[],
  Fork<infer Base, infer Done, infer HasElse>,
]
  ? PendingSignature<S["texts"] | Done | (HasElse extends true ? never : Base), Around, S["count"], true>
  : never;
