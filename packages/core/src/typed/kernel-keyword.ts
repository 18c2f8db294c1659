/** Finds `kernel` and `__kernel`, which are reserved words: every one outside of larger identifiers starts a kernel. */
import type { StepLimit, Steps, WordCharacter } from "./text.js";

/** Whether `kernel` or `__kernel` occurs in `Text` as a word. */
export type HasKernelKeyword<
  Text extends string,
  Lead extends string = "",
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? true
  : Text extends `${infer Before}kernel${infer After}`
    ? [BeforeKeyword<`${Lead}${Before}`, After>] extends [never]
      ? HasKernelKeyword<After, "kernel", [...Count, 0]>
      : true
    : false;

/** What comes before `kernel` or `__kernel`; `never` when these are the middle of an identifier. */
export type BeforeKeyword<Before extends string, After extends string> = After extends `${WordCharacter}${string}`
  ? never
  : NoWordAtEnd<Before extends `${infer Rest}__` ? Rest : Before>;

type NoWordAtEnd<Text extends string> = Text extends `${string}${WordCharacter}` ? never : Text;
