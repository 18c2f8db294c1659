/**
 * Parser for a whole program, in order, because a parameter's type depends on the macros and typedefs before it.
 *
 * If a kernel cannot be parsed with certainty (a macro for its name, an `#include`, an unknown form of declaration), it
 * is omitted and the program is *open* in that branch: any other kernel name is allowed, with any arguments. A parsed
 * kernel stays typed if it is always compiled together with all open branches, because a program has one kernel of each
 * name. Otherwise an open branch may contain another version of it, and it is untyped.
 */
import type { WithoutAttributes } from "./attributes.js";
import type { CutOff, SkippedBranch } from "./conditionals.js";
import type { ReadDirective } from "./directives.js";
import type { ContinueSignature, ReadKernels, ReadTypedefs } from "./kernels.js";
import type { EmptyProgram, ProgramState } from "./program-state.js";
import type { Contains, StepLimit, Steps } from "./text.js";

/** The kernels of cleaned code; `never` if it cannot be parsed. */
export type ReadProgram<Code extends string, P extends ProgramState = EmptyProgram, Count extends Steps = []> = [
  P,
] extends [never]
  ? never
  : Count["length"] extends StepLimit
    ? never
    : // Strings and comments have been removed, so a hash sign starts a preprocessor line.
      Code extends `${infer Before}#${infer After}`
      ? After extends `${infer Line}\n${infer Rest}`
        ? ReadProgram<Rest, ReadDirective<Line, ReadCode<Before, P>, Count["length"]>, [...Count, 0]>
        : never
      : Finished<ReadCode<Code, P>>;

/** Parses the code between two preprocessor lines. */
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
