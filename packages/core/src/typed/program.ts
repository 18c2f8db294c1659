/**
 * Reads a whole program, in order: what a parameter's type is depends on the macros and typedefs before it.
 *
 * One rule covers everything that could make a kernel other than it looks: a macro for its name, an `#include`, a
 * declaration in no known form. Such a kernel is left out and the program is *open* in that branch: any further kernel
 * name is allowed, with any arguments. A kernel that was read stays typed wherever it is compiled together with all of
 * these, because a program has one kernel of each name. In a branch that the others do not need, it may have another
 * version, and is untyped.
 */
import type { WithoutAttributes } from "./attributes.js";
import type { CutOff, SkippedBranch } from "./conditionals.js";
import type { ReadDirective } from "./directives.js";
import type { ContinueSignature, ReadKernels, ReadTypedefs } from "./kernels.js";
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
        ? ReadProgram<Rest, ReadDirective<Line, ReadCode<Before, P>, Count["length"]>, [...Count, 0]>
        : never
      : Finished<ReadCode<Code, P>>;

/** Reads the code between two preprocessor lines. */
type ReadCode<Code extends string, P extends ProgramState> = P["branch"] extends SkippedBranch
  ? P
  : P["pending"]["active"] extends true
    ? WithoutAttributes<Code> extends infer Bare extends string
      ? [Bare] extends [never]
        ? never
        : ContinueSignature<Bare, P>
      : never
    : Contains<Code, "kernel" | "typedef"> extends true
      ? WithoutAttributes<Code> extends infer Bare extends string
        ? [Bare] extends [never]
          ? never
          : ReadKernels<Bare, ReadTypedefs<Bare, P>>
        : never
      : P;

type Finished<P extends ProgramState> = [P] extends [never]
  ? never
  : P["pending"]["active"] extends true
    ? CutOff<P>
    : P;
