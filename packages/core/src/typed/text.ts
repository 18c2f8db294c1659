/**
 * Type-level string helpers. They search for substrings instead of iterating over characters, because the compiler
 * limits a recursive type to about a thousand steps, and a kernel source has twenty thousand characters.
 *
 * Text that cannot be parsed is `never`. Every helper propagates `never`, so only the outermost type has to handle it.
 */

/** Maximum number of steps of a loop, which then results in `never`; below the compiler's limit of 1000. */
export type StepLimit = 900;

/** Step counter of a loop; `[...Steps, 0]` increments it. */
export type Steps = readonly 0[];

/** Whitespace in a cleaned source, which has no carriage returns. */
export type Blank = " " | "\t" | "\n";

type Letter =
  | "a"
  | "b"
  | "c"
  | "d"
  | "e"
  | "f"
  | "g"
  | "h"
  | "i"
  | "j"
  | "k"
  | "l"
  | "m"
  | "n"
  | "o"
  | "p"
  | "q"
  | "r"
  | "s"
  | "t"
  | "u"
  | "v"
  | "w"
  | "x"
  | "y"
  | "z";

/** A character that can continue an identifier. */
export type WordCharacter =
  | Letter
  | Uppercase<Letter>
  | "_"
  | "$"
  | "0"
  | "1"
  | "2"
  | "3"
  | "4"
  | "5"
  | "6"
  | "7"
  | "8"
  | "9";

/** ASCII characters that no C identifier contains. */
export type Punctuation =
  | "!"
  | '"'
  | "#"
  | "%"
  | "&"
  | "'"
  | "("
  | ")"
  | "*"
  | "+"
  | ","
  | "-"
  | "."
  | "/"
  | ":"
  | ";"
  | "<"
  | "="
  | ">"
  | "?"
  | "@"
  | "["
  | "\\"
  | "]"
  | "^"
  | "`"
  | "{"
  | "|"
  | "}"
  | "~";

/** Whether `Text` contains one of `Parts`. */
export type Contains<Text extends string, Parts extends string> = Text extends `${string}${Parts}${string}`
  ? true
  : false;

/** `Text` with every `From` replaced by `To`, four per step; `never` above the step limit. */
export type ReplaceAll<
  Text extends string,
  From extends string,
  To extends string,
  Out extends string = "",
  Count extends Steps = [],
> = Text extends `${infer A}${From}${infer B}`
  ? Count["length"] extends StepLimit
    ? never
    : B extends `${infer B1}${From}${infer C}${From}${infer D}${From}${infer E}`
      ? ReplaceAll<E, From, To, `${Out}${A}${To}${B1}${To}${C}${To}${D}${To}`, [...Count, 0]>
      : ReplaceAll<B, From, To, `${Out}${A}${To}`, [...Count, 0]>
  : `${Out}${Text}`;

/** `Text` without trailing whitespace (as much as the step limit allows). */
export type TrimEnd<Text extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? Text
  : Text extends `${infer Rest}    `
    ? TrimEnd<Rest, [...Count, 0]>
    : Text extends `${infer Rest}${Blank}`
      ? TrimEnd<Rest, [...Count, 0]>
      : Text;

/** `Text` without leading whitespace. */
export type TrimStart<Text extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? Text
  : Text extends `${Blank}${infer Rest}`
    ? TrimStart<Rest, [...Count, 0]>
    : Text;

/** The parts of `Text` between separators, as a tuple. */
export type Split<
  Text extends string,
  Separator extends string,
  Parts extends readonly string[] = [],
> = Parts["length"] extends StepLimit
  ? never
  : Text extends `${infer Part}${Separator}${infer Rest}`
    ? Split<Rest, Separator, [...Parts, Part]>
    : [...Parts, Text];

/** The words of `Text`, separated by whitespace, as a tuple. */
export type Words<Text extends string> = NonEmpty<Split<ReplaceAll<ReplaceAll<Text, "\n", " ">, "\t", " ">, " ">>;

/** The number of characters of `Text`. */
export type CharacterCount<Text extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? never
  : Text extends `${string}${infer Rest}`
    ? CharacterCount<Rest, [...Count, 0]>
    : Count["length"];

/** Whether `T` is a union of two or more types. */
export type IsUnion<T, Each = T> = [T] extends [never]
  ? false
  : Each extends unknown
    ? [T] extends [Each]
      ? false
      : true
    : never;

type NonEmpty<Parts extends readonly string[], Out extends readonly string[] = []> = Parts extends readonly [
  infer Part extends string,
  ...infer Rest extends readonly string[],
]
  ? NonEmpty<Rest, Part extends "" ? Out : [...Out, Part]>
  : Parts extends readonly []
    ? Out
    : never;
