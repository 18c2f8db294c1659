/** Finds the kernels and typedefs in code without comments, strings and preprocessor lines. */
import type { CTypeName } from "./c-types.js";
import type { Declaration, Names, ParameterList, ReadDeclaration, ReadParameters } from "./declarations.js";
import type { KernelEntry, Opened, ProgramState, WithAlias, WithKernel } from "./program-state.js";
import type { Contains, Punctuation, StepLimit, Steps, TrimEnd, TrimStart, WordCharacter, Words } from "./text.js";

/** `Code` with every `__attribute__((...))` replaced by a space: nearly all of them leave the type alone. */
export type WithoutAttributes<
  Code extends string,
  Out extends string = "",
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${infer Before}__attribute${infer After}`
    ? TrimStart<After extends `__${infer Behind}` ? Behind : After> extends `(${infer Inside}`
      ? BehindBracket<Inside> extends infer Rest extends string
        ? WithoutAttributes<Rest, `${Out}${Before}${InsteadOfAttribute<Inside, Rest>}`, [...Count, 0]>
        : never
      : never
    : `${Out}${Code}`;

/** Some make another type of what is declared: a question mark, which C does not have here, keeps it from being read. */
type InsteadOfAttribute<Inside extends string, Rest extends string> = Inside extends `${infer Text}${Rest}`
  ? Contains<Text, "vector" | "mode" | "address_space" | "mangle"> extends true
    ? " ? "
    : " "
  : never;

/** Adds the simple typedefs, `typedef unsigned int word;`. All others name types that stay unknown. */
export type ReadTypedefs<
  Code extends string,
  P extends ProgramState,
  Count extends Steps = [],
> = Count["length"] extends StepLimit
  ? never
  : Code extends `${string}typedef${infer After}`
    ? After extends `${infer Text};${infer Rest}`
      ? ReadTypedefs<Rest, AddTypedef<ReadDeclaration<Text, P>, P>, [...Count, 0]>
      : never
    : P;

/**
 * Adds the kernels. `kernel` is a reserved word, so every one outside of larger identifiers starts a kernel; function
 * bodies need no reading. `Lead` is what comes before `Code`, as far as that matters to the next kernel.
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
        : P["nesting"] extends readonly []
          ? SplitSignature<After> extends readonly [
              infer Signature extends string,
              infer End extends string,
              infer Rest extends string,
            ]
            ? ReadKernels<Rest, AddKernel<ReadSignature<Earlier, Signature, P>, P>, End, [...Count, 0]>
            : Opened<P>
          : Opened<P>
      : never
    : P;

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

/** What comes before `kernel` or `__kernel`; `never` when these are the middle of an identifier. */
type BeforeKeyword<Before extends string, After extends string> = After extends `${WordCharacter}${string}`
  ? never
  : NoWordAtEnd<Before extends `${infer Rest}__` ? Rest : Before>;

type NoWordAtEnd<Text extends string> = Text extends `${string}${WordCharacter}` ? never : Text;

/** What follows the bracket that closes an opened one. */
type BehindBracket<
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

type AddTypedef<Read, P extends ProgramState> = [Read] extends [never]
  ? P
  : Read extends Declaration<"private", infer Type extends CTypeName, "value", infer Name>
    ? [Name] extends [never]
      ? P
      : WithAlias<P, Name, Type>
    : P;

type AddKernel<Kernel extends KernelEntry, P extends ProgramState> = [Kernel] extends [never]
  ? Opened<P>
  : WithKernel<P, Kernel>;

/** A signature ends where its body or, of a prototype, the next declaration begins: `[signature, end, rest]`. */
type SplitSignature<Code extends string> = Code extends `${infer Head};${infer Rest}`
  ? Head extends `${infer Signature}{${string}`
    ? Code extends `${Signature}{${infer Body}`
      ? [Signature, "{", Body]
      : never
    : [Head, ";", Rest]
  : Code extends `${infer Signature}{${infer Body}`
    ? [Signature, "{", Body]
    : never;

/** The kernel of the text before and behind its keyword; `never` if it has any form but the plain one. */
type ReadSignature<
  Before extends string,
  Behind extends string,
  P extends Names,
> = Behind extends `${infer Head}(${infer Tail}`
  ? TrimEnd<Tail> extends `${infer Parameters})`
    ? KernelName<TrimEnd<Before>, Words<Head>, P> extends infer Name extends string
      ? Contains<Parameters, "(" | ")"> extends true
        ? never
        : MakeKernel<Name, ReadParameters<Parameters, P>>
      : never
    : never
  : never;

type MakeKernel<Name extends string, List> = [Name] extends [never]
  ? never
  : [List] extends [never]
    ? never
    : List extends ParameterList<infer Arguments, infer ParameterNames>
      ? KernelEntry<Name, Arguments, ParameterNames>
      : never;

/** `__kernel void name` behind a complete declaration, or `void __kernel name`. */
type KernelName<Before extends string, Head, P extends Names> = Head extends readonly [
  "void",
  infer Name extends string,
]
  ? Before extends Complete
    ? PlainName<Name, P>
    : never
  : Head extends readonly [infer Name extends string]
    ? Before extends `${infer Earlier}void`
      ? TrimEnd<Earlier> extends Complete
        ? PlainName<Name, P>
        : never
      : never
    : never;

/** The end of a declaration, or the start of the code. */
type Complete = "" | `${string}${";" | "}"}`;

type PlainName<Name extends string, P extends Names> = Name extends P["macros"]
  ? never
  : Contains<Name, Punctuation> extends true
    ? never
    : Name;
