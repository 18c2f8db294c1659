/** Search for kernels and typedefs in code without comments, strings, attributes and preprocessor lines. */
import type { CTypeName } from "./c-types.js";
import type { Declaration, ReadDeclaration, TypeChanged } from "./declarations.js";
import type { BeforeKeyword } from "./kernel-keyword.js";
import type { Appended, NoSignature, PendingSignature } from "./pending-signature.js";
import type { KernelEntry, Opened, ProgramState, WithAlias, WithKernels, WithPending } from "./program-state.js";
import type { LeadOf, ReadSignature, Signature, SplitSignature, Unreadable } from "./signature.js";
import type { Contains, IsUnion, StepLimit, Steps, Words } from "./text.js";

/** Adds simple typedefs such as `typedef unsigned int word;`. The types of all others stay unknown. */
export type ReadTypedefs<
  Code extends string,
  P extends ProgramState,
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${string}typedef${infer After}`
    ? After extends `${infer Text};${infer Rest}`
      ? ReadTypedefs<Rest, AddTypedef<Text, P>, [...Count, 0]>
      : P
    : P;

/**
 * Adds the kernels; function bodies are not parsed. `Lead` is the text before `Code`, as far as it matters to the next
 * kernel.
 */
export type ReadKernels<
  Code extends string,
  P extends ProgramState,
  Lead extends string = "",
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${infer Before}kernel${infer After}`
    ? BeforeKeyword<`${Lead}${Before}`, After> extends infer Earlier extends string
      ? [Earlier] extends [never]
        ? ReadKernels<After, P, "kernel", [...Count, 0]>
        : [LeadOf<Earlier>] extends [never]
          ? ReadKernels<After, Opened<P>, "kernel", [...Count, 0]>
          : SplitSignature<`${LeadOf<Earlier>} ${After}`> extends infer Found
            ? Found extends Signature
              ? ReadKernels<Found["rest"], AddKernels<ReadSignature<Found, P>, P>, ")", [...Count, 0]>
              : WithPending<P, PendingSignature<`${LeadOf<Earlier>} ${After}`, [], [], true>>
            : never
      : never
    : P;

/** The program state after code that continues a signature, possibly to its end and to further kernels. */
export type ContinueSignature<Code extends string, P extends ProgramState> =
  Appended<P["pending"], Code> extends infer Longer extends PendingSignature
    ? Longer["forks"] extends readonly []
      ? SplitSignature<Longer["texts"]> extends infer Found
        ? [Found] extends [Signature]
          ? ReadRest<Found["rest"], AddKernels<ReadSignature<Found, P>, WithPending<P, NoSignature>>>
          : WithPending<P, Longer>
        : never
      : WithPending<P, Longer>
    : never;

/** Parses the rest of the code if all variants of a signature end at the same place. */
type ReadRest<Rest extends string, P extends ProgramState> =
  IsUnion<Rest> extends true
    ? Contains<Rest, "kernel" | "typedef"> extends false
      ? P
      : Opened<P>
    : ReadKernels<Rest, ReadTypedefs<Rest, P>, ")">;

/** Adds the kernels of the variants of a signature, unless one of them could not be parsed. */
type AddKernels<Kernels, P extends ProgramState> = Unreadable extends Kernels
  ? Opened<P>
  : IsUnion<Extract<Kernels, KernelEntry>["name"]> extends true
    ? Opened<P>
    : WithKernels<P, Extract<Kernels, KernelEntry>>;

type AddTypedef<Text extends string, P extends ProgramState> = Text extends `${infer Head}{${infer Body}}${infer Name}`
  ? [Words<Head>, Words<Name>, Contains<Body, WideEnumerator> | Contains<Head, TypeChanged>] extends [
      readonly ["enum"] | readonly ["enum", string],
      readonly [infer Alias extends string],
      false,
    ]
    ? WithAlias<P, Alias, "enum">
    : P
  : ReadDeclaration<Text, P> extends infer Read
    ? [Read] extends [never]
      ? P
      : Read extends Declaration<"private", infer Type extends CTypeName, "value", infer Name>
        ? [Name] extends [never]
          ? P
          : WithAlias<P, Name, Type>
        : P
    : never;

type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

/** Text that indicates enumerators which may exceed 32 bits. */
type WideEnumerator = "<<" | "0x" | "0X" | `${Digit}${"l" | "L" | "u" | "U"}`;
