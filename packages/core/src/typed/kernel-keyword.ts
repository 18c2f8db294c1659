/**
 * Search for `kernel` and `__kernel`. As reserved words, they start a kernel unless they are a part of an identifier.
 */
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

/** The text before `kernel` or `__kernel`; `never` if these are a part of an identifier. */
export type BeforeKeyword<Before extends string, After extends string> = After extends `${WordCharacter}${string}`
  ? never
  : NoWordAtEnd<Before extends `${infer Rest}__` ? Rest : Before>;

type NoWordAtEnd<Text extends string> = Text extends `${string}${WordCharacter}` ? never : Text;
