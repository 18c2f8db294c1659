/**
 * The first translation phases of C: joins continued lines and replaces comments by a space and string literals by
 * `""`, so that later stages can search for words and brackets.
 */
import type { Contains, ReplaceAll, StepLimit, Steps } from "./text.js";

/**
 * `Source` without comments, contents of strings, carriage returns and continued lines, with a line break at the end.
 * `never` for unterminated comments, digraphs and trigraphs in code, and stray backslashes.
 */
export type CodeOf<Source extends string> =
  Contains<Source, DeepTrigraph> extends true ? never : Plain<StripAll<JoinLines<UnixLines<`${Source}\n`>>>>;

/** Trigraphs that affect the end of a comment or literal: a backslash, and a caret in a character literal. */
type DeepTrigraph = "??/" | "??''";

/** Trigraphs after literals have been replaced: `??'` has become `??"`. */
type Trigraph = `??${"=" | "(" | ")" | "!" | "<" | ">" | "-" | '"'}`;

/**
 * Rejects digraphs and trigraphs of directives, and stray backslashes, because some compilers also join lines whose
 * backslash is followed by whitespace.
 */
type Plain<Code extends string> = Contains<Code, "\\" | "%:" | Trigraph> extends true ? never : Code;

type UnixLines<Text extends string> = Text extends `${string}\r${string}`
  ? NoReturns<ReplaceAll<Text, "\r\n", "\n">>
  : Text;

type NoReturns<Text extends string> = Text extends `${string}\r${string}` ? never : Text;

type JoinLines<Text extends string> = ReplaceAll<Text, "\\\n", "">;

/** Runs {@link Strip} in rounds, because a long source may need more steps than one loop allows. */
type StripAll<Text extends string, Out extends string = "", Rounds extends Steps = []> = Rounds["length"] extends 8
  ? never
  : Strip<Text> extends infer Result
    ? Result extends Paused<infer SoFar, infer Rest>
      ? StripAll<Rest, `${Out}${SoFar}`, [...Rounds, 0]>
      : `${Out}${Extract<Result, string>}`
    : never;

/** The state of a loop that reached the step limit: its output and the remaining text. */
interface Paused<Out extends string, Rest extends string> {
  out: Out;
  rest: Rest;
}

/**
 * Processes the text from slash to slash: each starts a comment, is a division, or follows a quote. One step may take
 * two instantiations, so the step limit is half of that of other loops.
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

/** Continues after the literal that the first quote starts; `Text` has a quote before any comment. */
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

/** The text after the closing quote. An unterminated literal, as in `#error don't`, ends with its line. */
type SkipQuoted<Text extends string, Quote extends string, Count extends Steps = []> = Count["length"] extends StepLimit
  ? never
  : Text extends `${infer Body}${Quote}${infer Rest}`
    ? Body extends `${string}\n${string}`
      ? FromLineEnd<Text>
      : EndsInEscape<Body> extends true
        ? SkipQuoted<Rest, Quote, [...Count, 0]>
        : Rest
    : FromLineEnd<Text>;

/** The text from the next line break, which always exists because cleaned text ends with one. */
type FromLineEnd<Text extends string> = Text extends `${string}\n${infer Rest}` ? `\n${Rest}` : never;

/** Whether `Body` ends in an odd number of backslashes, which escape the quote after it. */
type EndsInEscape<Body extends string> = Body extends `${infer Before}\\\\`
  ? EndsInEscape<Before>
  : Body extends `${string}\\`
    ? true
    : false;
