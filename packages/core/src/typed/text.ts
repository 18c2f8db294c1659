/**
 * String helpers of the type level. They search for substrings instead of walking characters, because the compiler
 * allows a recursive type about a thousand steps and a kernel source has twenty thousand characters.
 *
 * A text that cannot be read is `never`: every helper passes `never` on, so only the outermost type has to look for it.
 */

/** Steps after which a loop gives up with `never`: safely under the compiler's limit of 1000, where it would fail. */
export type StepLimit = 900;

/** Counts the steps of a loop: `[...Steps, 0]` is one more. */
export type Steps = readonly 0[];

/** White space inside a cleaned source, where carriage returns are already gone. */
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

/** `Text` with every `From` replaced by `To`; `never` when there are thousands. Four at a time, to go further. */
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

/** `Text` without the white space at its end (as much of it as the step limit allows). */
export type TrimEnd<Text extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? Text
  : Text extends `${infer Rest}    `
    ? TrimEnd<Rest, [...Count, 0]>
    : Text extends `${infer Rest}${Blank}`
      ? TrimEnd<Rest, [...Count, 0]>
      : Text;

/** `Text` without the white space at its start. */
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

/** The words of `Text`, separated by any white space, as a tuple. */
export type Words<Text extends string> = NonEmpty<Split<ReplaceAll<ReplaceAll<Text, "\n", " ">, "\t", " ">, " ">>;

/** How many characters `Text` has. */
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
