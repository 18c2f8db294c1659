/**
 * Parser for standalone parameter lists such as `float a, __global const float *x`, for packages that generate kernels.
 */
import type { Declaration, ReadDeclaration } from "./declarations.js";
import type { IsLiteral } from "./kernel-source.js";
import type { CodeOf } from "./scanner.js";
import type { Split } from "./text.js";

export type { Declaration, Pointing } from "./declarations.js";

/**
 * The declarations of a parameter list, as a tuple; `never` if the text is not a literal or not a list of declarations.
 *
 * ```ts
 * type Parameters = DeclaredParameters<"float a, float *x">;
 * // [Declaration<"private", "float", "value", "a">, Declaration<"private", "float", "pointer", "x">]
 * ```
 */
export type DeclaredParameters<Text extends string> =
  IsLiteral<Text> extends true ? Each<Split<CodeOf<Text>, ",">> : never;

/** No macros and no type names. */
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
