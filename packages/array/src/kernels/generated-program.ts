/** Builds the programs that this package generates. */
import { type CompilerOptions, type Context, Program } from "@cl/core";

/**
 * Returns the built program, without warnings: clang warns about the calling convention of vectors that are wider than the CPU's
 * registers, and PoCL prints the number of warnings to stderr.
 */
export function generatedProgram(
  context: Context,
  source: string,
  label: string,
  options: CompilerOptions = [],
): Program {
  const quiet = typeof options === "string" ? `-w ${options}` : ["-w", ...options];
  return new Program(context, source, { label }).buildSync({ options: quiet });
}
