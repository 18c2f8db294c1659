/** Removal of `__attribute__((...))` from code, with marks for attributes that matter. */
import type { TypeChanged } from "./declarations.js";
import type { Contains, StepLimit, Steps, TrimStart } from "./text.js";

/** Mark for the `overloadable` attribute. */
export type Overloadable = "@";

/** `Code` with every attribute replaced by a space, or by a mark if it affects the type or name. */
export type WithoutAttributes<
  Code extends string,
  Out extends string = "",
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${infer Before}__attribute${infer After}`
    ? TrimStart<After extends `__${infer Following}` ? Following : After> extends `(${infer Inside}`
      ? AfterClosingBracket<Inside> extends infer Rest extends string
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

/** The text after the bracket that closes an open one; `never` if it is not closed. */
export type AfterClosingBracket<
  Text extends string,
  Depth extends Steps = [0],
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Text extends `${infer Inside})${infer Rest}`
    ? AfterOpening<Inside, Depth> extends readonly [0, ...infer Outer extends Steps]
      ? Outer extends readonly []
        ? Rest
        : AfterClosingBracket<Rest, Outer, [...Count, 0]>
      : never
    : never;

type AfterOpening<Text extends string, Depth extends Steps> = Depth["length"] extends StepLimit
  ? never
  : Text extends `${string}(${infer Rest}`
    ? AfterOpening<Rest, [...Depth, 0]>
    : Depth;
