/**
 * From source text to code: the first translation phases of C. Lines are joined, comments become a space and string
 * literals become `""`, so that what follows can search for words and brackets without meeting text that only looks
 * like code.
 */
import type { Contains, ReplaceAll, StepLimit, Steps } from "./text.js";

/**
 * `Source` without comments, contents of strings, carriage returns and continued lines; it ends with a line break.
 * `never` for text that C does not read as it looks: unterminated comments, digraphs and trigraphs in code, stray
 * backslashes.
 */
export type CodeOf<Source extends string> =
  Contains<Source, DeepTrigraph> extends true ? never : Plain<StripAll<JoinLines<UnixLines<`${Source}\n`>>>>;

/** Trigraphs that change where a comment or a literal ends: a backslash, and a caret in a character literal. */
type DeepTrigraph = "??/" | "??''";

/** What is left of a trigraph in code, where the literal behind `??'` has become `""`. */
type Trigraph = `??${"=" | "(" | ")" | "!" | "<" | ">" | "-" | '"'}`;

/**
 * Refuses digraphs and trigraphs of directives, and stray backslashes: some compilers join a continued line whose
 * backslash has blanks after it.
 */
type Plain<Code extends string> = Contains<Code, "\\" | "%:" | Trigraph> extends true ? never : Code;

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

/** What follows the closing quote. A literal without one ends with its line: `#error don't` has one. */
type SkipQuoted<Text extends string, Quote extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? never
  : Text extends `${infer Body}${Quote}${infer Rest}`
    ? Body extends `${string}\n${string}`
      ? FromLineEnd<Text>
      : EndsInEscape<Body> extends true
        ? SkipQuoted<Rest, Quote, [...Count, 0]>
        : Rest
    : FromLineEnd<Text>;

/** Cleaned text ends with a line break, so there always is one. */
type FromLineEnd<Text extends string> = Text extends `${string}\n${infer Rest}` ? `\n${Rest}` : never;

/** Whether `Body` ends in an odd number of backslashes, so that the quote behind it belongs to the literal. */
type EndsInEscape<Body extends string> = Body extends `${infer Before}\\\\`
  ? EndsInEscape<Before>
  : Body extends `${string}\\`
    ? true
    : false;
