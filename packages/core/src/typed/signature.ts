/** Parser for a kernel's signature: the text from its keyword to the bracket that closes its parameters. */
import type { AfterClosingBracket, Overloadable } from "./attributes.js";
import type { KernelArgumentLike } from "./c-types.js";
import type { ParameterList, ReadParameters } from "./declarations.js";
import type { KernelEntry, ProgramState } from "./program-state.js";
import type { CharacterCount, Contains, Punctuation, ReplaceAll, TrimEnd, TrimStart, Words } from "./text.js";

/** The components of a signature: `[void f, int a, { … }]`. */
export interface Signature<
  Head extends string = string,
  Parameters extends string = string,
  Rest extends string = string,
> {
  head: Head;
  parameters: Parameters;
  /** The code after the signature. */
  rest: Rest;
}

/** The text ends before the signature. */
type Unfinished = "unfinished";

/** Splits the text after the kernel keyword, for each variant. */
export type SplitSignature<Text extends string> = Text extends `${infer Head}(${infer Tail}`
  ? AfterClosingBracket<Tail> extends infer Rest extends string
    ? [Rest] extends [never]
      ? Unfinished
      : Tail extends `${infer Parameters})${Rest}`
        ? Signature<Head, Parameters, Rest>
        : never
    : never
  : Unfinished;

/**
 * The words before the kernel keyword that belong to the signature, such as `void` and marks; `never` unless they
 * follow a complete declaration. `Before` is all code before the keyword.
 */
export type LeadOf<Before extends string, Lead extends string = ""> =
  TrimEnd<Before> extends infer Text extends string
    ? Text extends "" | `${string}${";" | "}"}`
      ? Lead
      : Text extends `${infer Earlier}${Overloadable}`
        ? LeadOf<Earlier, `${Overloadable} ${Lead}`>
        : Text extends `${infer Earlier}void`
          ? LeadOf<Earlier, `void ${Lead}`>
          : Text extends `${infer Earlier}${"extern" | "inline"}`
            ? LeadOf<Earlier, Lead>
            : never
    : never;

/** Arguments of an untyped kernel. */
export type UntypedArguments = KernelArgumentLike[];

/** A declaration without a body, which does not define a kernel. */
type Prototype = "prototype";

/** A signature that cannot be parsed: it may define any kernel. */
export type Unreadable = "unreadable";

/** The kernel of each variant of a signature, or {@link Prototype} or {@link Unreadable}. */
export type ReadSignature<S, P extends ProgramState> =
  S extends Signature<infer Head, infer Parameters, infer Rest>
    ? TrimStart<Rest> extends infer Following extends string
      ? Following extends `${Overloadable}${infer Further}`
        ? ReadSignature<Signature<`${Overloadable} ${Head}`, Parameters, Further>, P>
        : Following extends `;${string}`
          ? Prototype
          : Following extends "" | `${"{" | "<%"}${string}`
            ? KernelName<Head, P> extends infer Name extends string
              ? [Name] extends [never]
                ? Unreadable
                : EntryOf<Name, Parameters, P>
              : never
            : Unreadable
      : never
    : never;

/** A kernel with a known name, untyped if its parameters cannot be parsed. */
type EntryOf<Name extends string, Parameters extends string, P extends ProgramState> =
  Contains<Parameters, "(" | ")"> extends true
    ? UnreadEntry<Name, P>
    : ReadParameters<Parameters, P> extends infer List
      ? [List] extends [never]
        ? UnreadEntry<Name, P>
        : List extends ParameterList<infer Arguments, infer ParameterNames>
          ? KernelEntry<Name, Arguments, ParameterNames, P["branch"]>
          : never
      : never;

type UnreadEntry<Name extends string, P extends ProgramState> = KernelEntry<
  Name,
  UntypedArguments,
  readonly string[],
  P["branch"]
>;

/** The kernel's name at run time; `never` if the words are not `void name`. */
type KernelName<Head extends string, P extends ProgramState> =
  Words<ReplaceAll<Head, Overloadable, " ">> extends readonly ["void", infer Name extends string]
    ? Name extends P["macros"]
      ? never
      : Contains<Name, Punctuation> extends true
        ? never
        : Contains<Head, Overloadable> extends true
          ? MangledName<Name>
          : Name
    : never;

/** The mangled name of an overloaded kernel. Its suffix encodes the parameter types and depends on the device. */
type MangledName<Name extends string> = `_Z${CharacterCount<Name>}${Name}${string}`;
