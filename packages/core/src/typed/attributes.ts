/** Takes `__attribute__((...))` out of code, and leaves marks where one matters. */
import type { TypeChanged } from "./declarations.js";
import type { Contains, StepLimit, Steps, TrimStart } from "./text.js";

/** Stands for the attribute of a function that shares its name with others. */
export type Overloadable = "@";

/** `Code` with every attribute replaced by a space or a mark: nearly all of them leave the type alone. */
export type WithoutAttributes<
  Code extends string,
  Out extends string = "",
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${infer Before}__attribute${infer After}`
    ? TrimStart<After extends `__${infer Behind}` ? Behind : After> extends `(${infer Inside}`
      ? BehindBracket<Inside> extends infer Rest extends string
        ? WithoutAttributes<Rest, `${Out}${Before}${MarkOf<Inside, Rest>}`, [...Count, 0]>
        : never
      : never
    : `${Out}${Code}`;

type MarkOf<Inside extends string, Rest extends string> = Inside extends `${infer Text}${Rest}`
  ? Contains<Text, "overloadable"> extends true
    ? ` ${Overloadable} `
    : Contains<Text, "vector" | "mode" | "address_space" | "mangle" | "packed"> extends true
      ? ` ${TypeChanged} `
      : " "
  : never;

/** What follows the bracket that closes an opened one; `never` when nothing does. */
export type BehindBracket<
  Text extends string,
  Depth extends Steps = [0],
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Text extends `${infer Inside})${infer Rest}`
    ? AfterOpening<Inside, Depth> extends readonly [0, ...infer Outer extends Steps]
      ? Outer extends readonly []
        ? Rest
        : BehindBracket<Rest, Outer, [...Count, 0]>
      : never
    : never;

type AfterOpening<Text extends string, Depth extends Steps> = Depth["length"] extends StepLimit
  ? never
  : Text extends `${string}(${infer Rest}`
    ? AfterOpening<Rest, [...Depth, 0]>
    : Depth;
