/** Processing of preprocessor lines: macros, and parts of the source that become uncertain. */
import type { CTypeName } from "./c-types.js";
import type { EnterElse, EnterIf, LeaveIf, SkippedBranch } from "./conditionals.js";
import type { Declaration, DeclarationWord, IsPlain, ReadDeclaration } from "./declarations.js";
import type { HasKernelKeyword } from "./kernel-keyword.js";
import type { Appended } from "./pending-signature.js";
import type { Opened, ProgramState, WithAlias, WithMacro, WithPending, WithReplacement } from "./program-state.js";
import type { ReplaceAll, TrimEnd, TrimStart } from "./text.js";

/** The program state after a preprocessor line, given without its `#`, which is directive `Id` of the source. */
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

/** The condition of an `#if`, `#ifdef` or `#ifndef`. */
type ConditionOf<Keyword extends string, Rest extends string> = [Keyword, Rest] extends
  | ["if", "0" | `!defined${Version}`]
  | ["ifndef", VersionMacro]
  ? "never"
  : [Keyword, Rest] extends ["if", "1" | `defined${Version}`] | ["ifdef", VersionMacro]
    ? "always"
    : "unknown";

/** Macros that every OpenCL C compiler defines, and no other compiler. */
type VersionMacro = "__OPENCL_VERSION__" | "__OPENCL_C_VERSION__";

type Version = ` ${VersionMacro}` | `(${VersionMacro})`;

/** Directives that do not affect kernels. */
type Harmless = "" | "pragma" | "error" | "warning" | "line";

type OtherDirective<Keyword extends string, Rest extends string, P extends ProgramState> = Keyword extends Harmless
  ? P
  : Keyword extends "define"
    ? Define<Rest, P>
    : Keyword extends "undef"
      ? WithMacro<P, FirstWord<Rest>>
      : // An include or an unknown directive may contain kernels, or the rest of a signature.
        P["pending"]["active"] extends true
        ? WithPending<P, Appended<P["pending"], "#">>
        : Opened<P>;

/**
 * Defines a macro. One that contains the kernel keyword or token pasting may define kernels that are not visible here.
 */
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

/** Treats `#define real float` as a typedef, if no later macro can change its words. */
type DefineObject<Text extends string, P extends ProgramState> = Text extends `${infer Name} ${infer Body}`
  ? ReadDeclaration<`${Body} ${Name}`, { macros: P["macros"]; aliases: never; branch: "" }> extends infer Read
    ? [Read] extends [never]
      ? DefineWords<Name, Body, P>
      : Read extends Declaration<"private", infer Type extends CTypeName, "value", Name>
        ? WithAlias<P, Name, Type>
        : DefineWords<Name, Body, P>
    : never
  : DefineWords<Text, "", P>;

/**
 * Stores a macro for words of declarations, such as `#define GLOBAL __global` or `#define IN`, for expansion in these.
 */
type DefineWords<Name extends string, Body extends string, P extends ProgramState> = Name extends DeclarationWord
  ? WithMacro<P, Name>
  : IsPlain<Body> extends true
    ? WithReplacement<P, Name, Body>
    : WithMacro<P, Name>;

type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
