/** Reads a kernel's signature: the text from its keyword to the bracket that closes its parameters. */
import type { BehindBracket, Overloadable } from "./attributes.js";
import type { KernelArgumentLike } from "./c-types.js";
import type { ParameterList, ReadParameters } from "./declarations.js";
import type { KernelEntry, ProgramState } from "./program-state.js";
import type { CharacterCount, Contains, Punctuation, ReplaceAll, TrimEnd, TrimStart, Words } from "./text.js";

/** A signature in its parts: `[void f, int a, { … }]`. */
export interface Signature<
  Head extends string = string,
  Parameters extends string = string,
  Rest extends string = string,
> {
  head: Head;
  parameters: Parameters;
  /** The code behind it. */
  rest: Rest;
}

/** The text ends before the signature does. */
type Unfinished = "unfinished";

/** Takes the text behind the kernel keyword apart, for each variant of it. */
export type SplitSignature<Text extends string> = Text extends `${infer Head}(${infer Tail}`
  ? BehindBracket<Tail> extends infer Rest extends string
    ? [Rest] extends [never]
      ? Unfinished
      : Tail extends `${infer Parameters})${Rest}`
        ? Signature<Head, Parameters, Rest>
        : never
    : never
  : Unfinished;

/**
 * The words before the kernel keyword that belong to it, `void` and a mark perhaps; `never` behind anything but a
 * complete declaration. `Before` is all code before the keyword.
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

/** The arguments of a kernel about which nothing is known. */
export type UntypedArguments = KernelArgumentLike[];

/** A declaration without a body, which defines no kernel. */
type Prototype = "prototype";

/** A signature that is not read: there may be any kernel. */
export type Unreadable = "unreadable";

/** The kernel of each variant of a signature, a {@link Prototype} or {@link Unreadable}. */
export type ReadSignature<S, P extends ProgramState> =
  S extends Signature<infer Head, infer Parameters, infer Rest>
    ? TrimStart<Rest> extends infer Behind extends string
      ? Behind extends `${Overloadable}${infer Further}`
        ? ReadSignature<Signature<`${Overloadable} ${Head}`, Parameters, Further>, P>
        : Behind extends `;${string}`
          ? Prototype
          : Behind extends "" | `${"{" | "<%"}${string}`
            ? KernelName<Head, P> extends infer Name extends string
              ? [Name] extends [never]
                ? Unreadable
                : EntryOf<Name, Parameters, P>
              : never
            : Unreadable
      : never
    : never;

/** The name may be certain where the parameters are not. */
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

/** The name by which the run time knows the kernel; `never` if the words are not `void name`. */
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

/** What follows the name tells the parameters' types, in a way that depends on the device's address spaces. */
type MangledName<Name extends string> = `_Z${CharacterCount<Name>}${Name}${string}`;
