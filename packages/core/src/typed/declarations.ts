/**
 * Parser for a C declaration such as `__global const float * restrict x`, the form of parameters and simple typedefs.
 * Qualifiers and type words can come in any order in C, so they are collected as sets: unions of literals.
 */
import type {
  BufferArgument,
  BuiltinTypedef,
  CTypeName,
  ElementsOf,
  KernelArgumentLike,
  LocalArgument,
  TypeKeyword,
  ValueArgument,
} from "./c-types.js";
import type { Contains, IsUnion, Punctuation, ReplaceAll, Split, Words } from "./text.js";

/** The macros and type names of a source that are visible at one place in it. */
export interface Names {
  /** Names of macros. */
  macros: string;
  /** Type names as `"real=float@3/"` (defined in branch `3/`), and macros for other words as `"#GLOBAL=__global@"`. */
  aliases: string;
  /** Branch of the place. */
  branch: string;
}

/** Mark for an attribute that changes the declared type. C declarations contain no question marks. */
export type TypeChanged = "?";

/** A parsed declaration. `type` is a canonical type name or {@link UnknownType}. */
export interface Declaration<
  Space extends string = string,
  Type extends string = string,
  Shape extends Pointing = Pointing,
  Name extends string = string,
> {
  space: Space;
  type: Type;
  shape: Shape;
  name: Name;
}

/** Type name for all types that are not in the table; not a valid identifier. */
export type UnknownType = "?";

/** Whether a declaration is of a value, a pointer or a pointer to pointers. */
export type Pointing = "value" | "pointer" | "pointers";

/** A parsed parameter list: the types of the arguments and their names (`string` for a missing name). */
export interface ParameterList<Arguments extends readonly unknown[], ParameterNames extends readonly string[]> {
  arguments: Arguments;
  names: ParameterNames;
}

/** Parses a parameter list such as `float a, __global int *b`; `never` if it cannot be parsed. */
export type ReadParameters<Text extends string, Known extends Names> =
  Words<Text> extends infer All
    ? All extends [] | ["void"]
      ? ParameterList<[], []>
      : EachParameter<Split<Text, ",">, Known>
    : never;

/** Parses one declaration; `never` if it is invalid or uses a macro. */
export type ReadDeclaration<Text extends string, Known extends Names> = Text extends `${infer Declarator}[${string}`
  ? Contains<Declarator, NeverDeclared> extends true
    ? never
    : Collect<[...DeclarationWords<Declarator>, "[]"], Known>
  : Contains<Text, NeverDeclared> extends true
    ? never
    : Collect<DeclarationWords<Text>, Known>;

type NeverDeclared = Exclude<Punctuation, "*" | TypeChanged>;

type DeclarationWords<Text extends string> = Words<ReplaceAll<Text, "*", " * ">>;

type EachParameter<
  Texts extends readonly string[],
  Known extends Names,
  Arguments extends readonly unknown[] = [],
  ParameterNames extends readonly string[] = [],
> = Texts extends readonly [infer Text extends string, ...infer Rest extends readonly string[]]
  ? ReadDeclaration<Text, Known> extends infer Read
    ? [Read] extends [never]
      ? never
      : EachParameter<Rest, Known, [...Arguments, ArgumentOf<Read>], [...ParameterNames, NameOf<Read>]>
    : never
  : ParameterList<Arguments, ParameterNames>;

/** The declared name; `string` if it is omitted, as in prototypes. */
type NameOf<Read> =
  Read extends Declaration<string, string, Pointing, infer Name> ? ([Name] extends [never] ? string : Name) : never;

/** The JavaScript argument type for a declared parameter. */
type ArgumentOf<Read> =
  Read extends Declaration<infer Space, infer Type, infer Shape>
    ? Shape extends "value"
      ? Space extends "private"
        ? ValueArgument<Type>
        : KernelArgumentLike
      : Space extends "global" | "constant"
        ? BufferArgument<ElementsOf<Shape extends "pointer" ? Type : UnknownType>> | null
        : Space extends "local"
          ? LocalArgument
          : KernelArgumentLike
    : never;

/**
 * Whether text consists only of words that any declaration may contain, such as the body of `#define GLOBAL __global`.
 */
export type IsPlain<Text extends string> =
  DeclarationWords<Text> extends readonly (DeclarationWord | TypeKeyword | BuiltinTypedef | "*")[] ? true : false;

/** Words of declarations, except types. */
export type DeclarationWord = Qualifier | keyof Spaces;

/** Words that do not affect the argument type. */
type Qualifier =
  | "const"
  | "volatile"
  | "restrict"
  | "__restrict"
  | "__restrict__"
  | "__const"
  | "__volatile__"
  | `${"" | "__"}${"read_only" | "write_only" | "read_write"}`;

/** Address space qualifiers. A pipe stays untyped. */
interface Spaces {
  global: "global";
  __global: "global";
  constant: "constant";
  __constant: "constant";
  local: "local";
  __local: "local";
  private: "private";
  __private: "private";
  generic: "other";
  __generic: "other";
  pipe: "other";
  __pipe: "other";
}

/** Parses a declaration's words from left to right: the first unknown word is its type, the second its name. */
type Collect<
  All extends readonly string[],
  Known extends Names,
  Space extends string = "private",
  Type extends string = never,
  Shape extends Pointing = "value",
  Name extends string = never,
> = All extends readonly [infer Word extends string, ...infer Rest extends readonly string[]]
  ? Word extends Known["macros"]
    ? never
    : Word extends Qualifier
      ? Collect<Rest, Known, Space, Type, Shape, Name>
      : Word extends keyof Spaces
        ? // After the star it qualifies the pointer itself, which is always private.
          Collect<Rest, Known, Shape extends "value" ? SpaceAfter<Space, Spaces[Word]> : Space, Type, Shape, Name>
        : Word extends TypeChanged
          ? Collect<Rest, Known, "other", Type, Shape, Name>
          : Word extends "*"
            ? [Name] extends [never]
              ? Collect<Rest, Known, Space, Type, PointerTo<Shape>, Name>
              : never
            : Word extends "[]"
              ? // An array parameter is a pointer.
                Collect<Rest, Known, Space, Type, PointerTo<Shape>, Name>
              : Word extends TypeKeyword
                ? // Invalid after an unknown word, a star or the name.
                  [Name, UnknownType extends Type ? true : never, Shape] extends [never, never, "value"]
                  ? Collect<Rest, Known, Space, Type | (Word extends Type ? `${Word} twice` : Word), Shape, Name>
                  : never
                : Replacement<Word, Known> extends infer Text extends string
                  ? [Text] extends [never]
                    ? [Type] extends [never]
                      ? Word extends "struct" | "union" | "enum"
                        ? Rest extends readonly [string, ...infer Following extends readonly string[]]
                          ? Collect<Following, Known, Space, UnknownType, Shape, Name>
                          : never
                        : Collect<Rest, Known, Space, NamedType<Word, Known>, Shape, Name>
                      : [Name] extends [never]
                        ? Collect<Rest, Known, Space, Type, Shape, Word>
                        : never
                    : Text extends UnknownType
                      ? never
                      : Collect<[...DeclarationWords<Text>, ...Rest], Known, Space, Type, Shape, Name>
                  : never
  : Finish<Space, Type, Shape, Name>;

type PointerTo<Shape extends Pointing> = Shape extends "value" ? "pointer" : "pointers";

/** The address space after another qualifier. An attribute that changes the type takes precedence. */
type SpaceAfter<Before extends string, Space extends string> = Before extends "other" ? "other" : Space;

/** The collected declaration; `never` for a single unknown word, as in `f(ARGUMENTS)`, which may be a macro. */
type Finish<Space extends string, Type extends string, Shape extends Pointing, Name extends string> = [Type] extends [
  never,
]
  ? never
  : [Type, Name, Shape] extends [UnknownType, never, "value"]
    ? never
    : Declaration<Space, Canonical<Type>, Shape, Name>;

/** The type of a name, such as `float` for `real`; unknown if it is not defined, or ambiguous. */
type NamedType<Word extends string, Known extends Names> = Word extends BuiltinTypedef
  ? Word
  : Lookup<Word, Known["aliases"]> extends infer Found
    ? [Found] extends [never]
      ? UnknownType
      : OnlyOne<SeenFrom<Known["branch"], Found>>
    : never;

/** The words that a macro expands to; unknown if ambiguous, `never` if the word is not such a macro. */
type Replacement<Word extends string, Known extends Names> = OnlyOne<
  SeenFrom<Known["branch"], Lookup<`#${Word}`, Known["aliases"]>>
>;

type OnlyOne<Found extends string> = IsUnion<Found> extends true ? UnknownType : Found;

type Lookup<Word extends string, Aliases extends string> = Aliases extends `${Word}=${infer Found}` ? Found : never;

/** The definitions that apply in a branch. A definition in a branch that does not enclose it makes the name unknown. */
type SeenFrom<Branch extends string, Found> = Found extends `${infer Type}@${infer DefinedIn}`
  ? Branch extends `${DefinedIn}${string}`
    ? Type
    : UnknownType
  : never;

/**
 * The canonical name of a set of type words: `unsigned | long | int` is `ulong`. `long long` and invalid sets are
 * unknown.
 */
type Canonical<Set extends string> = UnknownType extends Set
  ? UnknownType
  : "unsigned" extends Set
    ? InTable<`u${Shortest<Exclude<Set, "unsigned">>}`>
    : InTable<Shortest<Exclude<Set, "signed">>>;

type Shortest<Set extends string> = [Exclude<Set, "int">] extends [never] ? "int" : Exclude<Set, "int">;

type InTable<Name extends string> =
  IsUnion<Name> extends true ? UnknownType : Name extends CTypeName ? Name : UnknownType;
