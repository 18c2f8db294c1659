/** Parameter lists by themselves, `float a, __global const float *x`, for packages that make kernels of pieces. */
import type { Declaration, ReadDeclaration } from "./declarations.js";
import type { IsLiteral } from "./kernel-source.js";
import type { CodeOf } from "./scanner.js";
import type { Split } from "./text.js";

export type { Declaration, Pointing } from "./declarations.js";

/**
 * The declarations of a parameter list, as a tuple; `never` where they cannot be known: for a text that is no literal, or one
 * that is no list of declarations.
 *
 * ```ts
 * type Parameters = DeclaredParameters<"float a, float *x">;
 * // [Declaration<"private", "float", "value", "a">, Declaration<"private", "float", "pointer", "x">]
 * ```
 */
export type DeclaredParameters<Text extends string> =
  IsLiteral<Text> extends true ? Each<Split<CodeOf<Text>, ",">> : never;

/** No macros, and no other names of types. */
interface Plain {
  macros: never;
  aliases: never;
  branch: "";
}

type Each<Texts, Out extends readonly Declaration[] = []> = Texts extends readonly [
  infer Text extends string,
  ...infer Rest extends readonly string[],
]
  ? ReadDeclaration<Text, Plain> extends infer Read extends Declaration
    ? [Read] extends [never]
      ? never
      : Each<Rest, [...Out, Read]>
    : never
  : Out;
