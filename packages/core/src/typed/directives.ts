/** Reads preprocessor lines: which names they take away from the types, and how much of the source they make uncertain. */
import type { CTypeName } from "./c-types.js";
import type { EnterElse, EnterIf, LeaveIf, SkippedBranch } from "./conditionals.js";
import type { Declaration, DeclarationWord, IsPlain, ReadDeclaration } from "./declarations.js";
import type { HasKernelKeyword } from "./kernel-keyword.js";
import type { Appended } from "./pending-signature.js";
import type { Opened, ProgramState, WithAlias, WithMacro, WithPending, WithReplacement } from "./program-state.js";
import type { ReplaceAll, TrimEnd, TrimStart } from "./text.js";

/** The program behind a preprocessor line, given without its `#`. It is directive `Id` of the source. */
export type ReadDirective<Line extends string, P extends ProgramState, Id extends number> = [P] extends [never]
  ? never
  : TrimStart<ReplaceAll<Line, "\t", " ">> extends infer Text extends string
    ? Text extends `${infer Keyword} ${infer Rest}`
      ? Directive<Keyword, TrimStart<Rest>, P, Id>
      : Directive<Text, "", P, Id>
    : never;

type Directive<
  Keyword extends string,
  Rest extends string,
  P extends ProgramState,
  Id extends number,
> = Keyword extends `if${string}`
  ? EnterIf<P, ConditionOf<Keyword, TrimEnd<Rest>>, Id>
  : Keyword extends `el${string}`
    ? EnterElse<P, Keyword extends "else" ? true : false, Id>
    : Keyword extends "endif"
      ? LeaveIf<P>
      : P["branch"] extends SkippedBranch
        ? P
        : OtherDirective<Keyword, Rest, P>;

/** What is known of an `#if`. */
type ConditionOf<Keyword extends string, Rest extends string> = [Keyword, Rest] extends
  | ["if", "0" | `!defined${Version}`]
  | ["ifndef", VersionMacro]
  ? "never"
  : [Keyword, Rest] extends ["if", "1" | `defined${Version}`] | ["ifdef", VersionMacro]
    ? "always"
    : "unknown";

/** Every compiler of OpenCL C defines these, and no other compiler does. */
type VersionMacro = "__OPENCL_VERSION__" | "__OPENCL_C_VERSION__";

type Version = ` ${VersionMacro}` | `(${VersionMacro})`;

/** Lines that cannot change what a kernel is. */
type Harmless = "" | "pragma" | "error" | "warning" | "line";

type OtherDirective<Keyword extends string, Rest extends string, P extends ProgramState> = Keyword extends Harmless
  ? P
  : Keyword extends "define"
    ? Define<Rest, P>
    : Keyword extends "undef"
      ? WithMacro<P, FirstWord<Rest>>
      : // An include, or something that is not known here: there may be kernels in it, or the rest of one.
        P["pending"]["active"] extends true
        ? WithPending<P, Appended<P["pending"], "#">>
        : Opened<P>;

/** A macro that holds the kernel keyword, or makes words by pasting, could make kernels that cannot be seen. */
type Define<Text extends string, P extends ProgramState> = Text extends `${infer Name}(${string}`
  ? Name extends `${string} ${string}`
    ? DefineObject<Text, OpenedByMacro<Text, P>>
    : WithMacro<OpenedByMacro<Text, P>, Name>
  : DefineObject<Text, OpenedByMacro<Text, P>>;

type OpenedByMacro<Text extends string, P extends ProgramState> = Text extends `${string}##${string}`
  ? Opened<P>
  : HasKernelKeyword<`${Text} `> extends false
    ? P
    : Opened<P>;

/** `#define real float` is as good as a typedef, but only of words that no later macro can change. */
type DefineObject<Text extends string, P extends ProgramState> = Text extends `${infer Name} ${infer Body}`
  ? ReadDeclaration<`${Body} ${Name}`, { macros: P["macros"]; aliases: never; branch: "" }> extends infer Read
    ? [Read] extends [never]
      ? DefineWords<Name, Body, P>
      : Read extends Declaration<"private", infer Type extends CTypeName, "value", Name>
        ? WithAlias<P, Name, Type>
        : DefineWords<Name, Body, P>
    : never
  : DefineWords<Text, "", P>;

/** `#define GLOBAL __global` and `#define IN`: their words are read where the macro stands in a declaration. */
type DefineWords<Name extends string, Body extends string, P extends ProgramState> = Name extends DeclarationWord
  ? WithMacro<P, Name>
  : IsPlain<Body> extends true
    ? WithReplacement<P, Name, Body>
    : WithMacro<P, Name>;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
