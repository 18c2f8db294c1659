/**
 * Reads a whole program, in order: what a parameter's type is depends on the macros and typedefs before it.
 *
 * One rule covers everything that could make a kernel other than it looks: a macro in its signature, a conditional
 * around it, an `#include`, a declaration in no known form. Such a kernel is left out and the program is *open*: any
 * further kernel name is allowed, with any arguments. The kernels that were read stay typed, because a program has
 * one kernel of each name.
 */
import type { ReadDirective } from "./directives.js";
import type { ReadKernels, ReadTypedefs, WithoutAttributes } from "./kernels.js";
import type { EmptyProgram, ProgramState } from "./program-state.js";
import type { Contains, StepLimit, Steps } from "./text.js";

/** What cleaned code holds; `never` where it cannot be read at all. */
export type ReadProgram<Code extends string, P extends ProgramState = EmptyProgram, Count extends Steps = []> = [
  P,
] extends [never]
  ? never
  : Count["length"] extends StepLimit
    ? never
    : // Strings and comments are gone, so a hash sign begins a preprocessor line.
      Code extends `${infer Before}#${infer After}`
      ? After extends `${infer Line}\n${infer Rest}`
        ? ReadProgram<Rest, ReadDirective<Line, ReadCode<Before, P>>, [...Count, 0]>
        : never
      : ReadCode<Code, P>;

/** Reads the code between two preprocessor lines. */
type ReadCode<Code extends string, P extends ProgramState> =
  Contains<Code, "kernel" | "typedef"> extends true
    ? WithoutAttributes<Code> extends infer Bare extends string
      ? [Bare] extends [never]
        ? never
        : // A typedef is read with its attributes: `ext_vector_type` makes another type of it.
          ReadKernels<Bare, ReadTypedefs<Code, P>>
      : never
    : P;
