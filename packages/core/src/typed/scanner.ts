/**
 * From source text to code: the first translation phases of C. Lines are joined, comments become a space and string
 * literals become `""`, so that what follows can search for words and brackets without meeting text that only looks
 * like code.
 */
import type { Contains, ReplaceAll, StepLimit, Steps } from "./text.js";

/**
 * `Source` without comments, contents of strings, carriage returns and continued lines; it ends with a line break.
 * `never` for text that C would not read as it looks: unterminated comments and strings, digraph and trigraph
 * directives, stray backslashes.
 */
export type CodeOf<Source extends string> =
  Contains<Source, "??" | "%:"> extends true ? never : Plain<StripAll<JoinLines<UnixLines<`${Source}\n`>>>>;

/** A continued line whose backslash has blanks after it is joined by some compilers: refuse the backslash. */
type Plain<Code extends string> = Code extends `${string}\\${string}` ? never : Code;

type UnixLines<Text extends string> = Text extends `${string}\r${string}`
  ? NoReturns<ReplaceAll<Text, "\r\n", "\n">>
  : Text;

type NoReturns<Text extends string> = Text extends `${string}\r${string}` ? never : Text;

type JoinLines<Text extends string> = ReplaceAll<Text, "\\\n", "">;

/** Runs {@link Strip} in rounds, because a long source has more comments and divisions than one loop may take. */
type StripAll<Text extends string, Out extends string = "", Rounds extends Steps = []> = Rounds["length"] extends 8
  ? never
  : Strip<Text> extends infer Result
    ? Result extends Paused<infer SoFar, infer Rest>
      ? StripAll<Rest, `${Out}${SoFar}`, [...Rounds, 0]>
      : `${Out}${Extract<Result, string>}`
    : never;

/** A loop that ran out of steps: what it has made, and what is left to read. */
interface Paused<Out extends string, Rest extends string> {
  out: Out;
  rest: Rest;
}

/**
 * Goes from slash to slash: each is a comment, a division, or behind a quote that comes first. One step may take two
 * of the compiler's, so that a round has half as many as other loops.
 */
type Strip<Text extends string, Out extends string = "", Count extends Steps = []> = Count["length"] extends 450
  ? Paused<Out, Text>
  : Text extends `${infer Code}/${infer After}`
    ? Code extends `${string}${'"' | "'"}${string}`
      ? StripQuoted<Text, Out, Count>
      : After extends `/${infer Comment}`
        ? Comment extends `${string}\n${infer Rest}`
          ? Strip<Rest, `${Out}${Code}\n`, [...Count, 0]>
          : never
        : After extends `*${infer Comment}`
          ? Comment extends `${string}*/${infer Rest}`
            ? Strip<Rest, `${Out}${Code} `, [...Count, 0]>
            : never
          : Strip<After, `${Out}${Code}/`, [...Count, 0]>
    : Text extends `${string}${'"' | "'"}${string}`
      ? StripQuoted<Text, Out, Count>
      : `${Out}${Text}`;

/** `Text` has a quote before any comment: continues behind the literal that the first quote opens. */
type StripQuoted<
  Text extends string,
  Out extends string,
  Count extends Steps,
> = Text extends `${infer Code}"${infer After}`
  ? Code extends `${infer Before}'${string}`
    ? Text extends `${Before}'${infer Rest}`
      ? Strip<SkipQuoted<Rest, "'">, `${Out}${Before}""`, [...Count, 0]>
      : never
    : Strip<SkipQuoted<After, '"'>, `${Out}${Code}""`, [...Count, 0]>
  : Text extends `${infer Code}'${infer After}`
    ? Strip<SkipQuoted<After, "'">, `${Out}${Code}""`, [...Count, 0]>
    : never;

/**
 * What follows the closing quote. A literal that ends in two backslashes could end there or not, depending on how
 * many come before them: that is given up rather than counted.
 */
type SkipQuoted<Text extends string, Quote extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? never
  : Text extends `${infer Body}${Quote}${infer Rest}`
    ? Body extends `${string}\n${string}` | `${string}\\\\`
      ? never
      : Body extends `${string}\\`
        ? SkipQuoted<Rest, Quote, [...Count, 0]>
        : Rest
    : never;
