/**
 * Reads one C declaration, `__global const float * restrict x`: the shape that parameters and simple typedefs share.
 * The order of qualifiers and type words is free in C, so they are collected as sets: a union of literals.
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

/** The names that a source gives to other things, as seen from one place in it. */
export interface Names {
  /** The names of its macros. */
  macros: string;
  /** Its names of types, as `"real=float@3/"`: defined in branch `3/`. Macros for other words, as `"#GLOBAL=__global@"`. */
  aliases: string;
  /** The branch of the place. */
  branch: string;
}

/** Stands for an attribute that makes another type of what is declared. C has no question mark in declarations. */
export type TypeChanged = "?";

/** A declaration, read. `type` is a canonical type name, or {@link UnknownType}. */
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

/** The type of everything that is not in the table of types; no identifier can be spelled like it. */
export type UnknownType = "?";

/** Whether a declaration is of a value, a pointer, or a pointer to pointers. */
export type Pointing = "value" | "pointer" | "pointers";

/** A parameter list, read: the arguments' types, and their names, `string` where there is none. */
export interface ParameterList<Arguments extends readonly unknown[], ParameterNames extends readonly string[]> {
  arguments: Arguments;
  names: ParameterNames;
}

/** Reads a parameter list such as `float a, __global int *b`; `never` when it cannot be read. */
export type ReadParameters<Text extends string, Known extends Names> =
  Words<Text> extends infer All
    ? All extends [] | ["void"]
      ? ParameterList<[], []>
      : EachParameter<Split<Text, ",">, Known>
    : never;

/** Reads the text of one declaration; `never` when it is none, or uses a macro. */
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

/** Prototypes may leave names out. */
type NameOf<Read> =
  Read extends Declaration<string, string, Pointing, infer Name> ? ([Name] extends [never] ? string : Name) : never;

/** What JavaScript passes for a declared parameter. */
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

/** True for text that is made of words that every declaration may have, as that of `#define GLOBAL __global`. */
export type IsPlain<Text extends string> =
  DeclarationWords<Text> extends readonly (DeclarationWord | TypeKeyword | BuiltinTypedef | "*")[] ? true : false;

/** Words that declarations are made of, but for types. */
export type DeclarationWord = Qualifier | keyof Spaces;

/** Words that say nothing about which argument fits. */
type Qualifier =
  | "const"
  | "volatile"
  | "restrict"
  | "__restrict"
  | "__restrict__"
  | "__const"
  | "__volatile__"
  | `${"" | "__"}${"read_only" | "write_only" | "read_write"}`;

/** What is declared lives there. A pipe is nowhere that JavaScript could reach, and stays untyped. */
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

/** Takes a declaration's words from left to right: the first unknown word is its type, the second its name. */
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
        ? // Behind the star it would qualify the pointer itself, which is always private.
          Collect<Rest, Known, Shape extends "value" ? SpaceBehind<Space, Spaces[Word]> : Space, Type, Shape, Name>
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
                ? // Behind an unknown word, which is then no type, and behind a star or the name it has no place.
                  [Name, UnknownType extends Type ? true : never, Shape] extends [never, never, "value"]
                  ? Collect<Rest, Known, Space, Type | (Word extends Type ? `${Word} twice` : Word), Shape, Name>
                  : never
                : Replacement<Word, Known> extends infer Text extends string
                  ? [Text] extends [never]
                    ? [Type] extends [never]
                      ? Word extends "struct" | "union" | "enum"
                        ? Rest extends readonly [string, ...infer Behind extends readonly string[]]
                          ? Collect<Behind, Known, Space, UnknownType, Shape, Name>
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

/** An attribute that changes the type has the last word. */
type SpaceBehind<Before extends string, Space extends string> = Before extends "other" ? "other" : Space;

/** A lone unknown word, `f(ARGUMENTS)`, may stand for anything: it is no declaration. */
type Finish<Space extends string, Type extends string, Shape extends Pointing, Name extends string> = [Type] extends [
  never,
]
  ? never
  : [Type, Name, Shape] extends [UnknownType, never, "value"]
    ? never
    : Declaration<Space, Canonical<Type>, Shape, Name>;

/** `real` is `float` when the source says so once; unknown when it says nothing, or different things. */
type NamedType<Word extends string, Known extends Names> = Word extends BuiltinTypedef
  ? Word
  : Lookup<Word, Known["aliases"]> extends infer Found
    ? [Found] extends [never]
      ? UnknownType
      : OnlyOne<SeenFrom<Known["branch"], Found>>
    : never;

/** The words that a macro stands for; unknown when it may stand for others, `never` when the word is no such macro. */
type Replacement<Word extends string, Known extends Names> = OnlyOne<
  SeenFrom<Known["branch"], Lookup<`#${Word}`, Known["aliases"]>>
>;

type OnlyOne<Found extends string> = IsUnion<Found> extends true ? UnknownType : Found;

type Lookup<Word extends string, Aliases extends string> = Aliases extends `${Word}=${infer Found}` ? Found : never;

/** A definition in a branch that this place is not in may be another one, or none. */
type SeenFrom<Branch extends string, Found> = Found extends `${infer Type}@${infer DefinedIn}`
  ? Branch extends `${DefinedIn}${string}`
    ? Type
    : UnknownType
  : never;

/** The one name of a set of type words: `unsigned | long | int` is `ulong`. `long long` and nonsense are unknown. */
type Canonical<Set extends string> = UnknownType extends Set
  ? UnknownType
  : "unsigned" extends Set
    ? InTable<`u${Shortest<Exclude<Set, "unsigned">>}`>
    : InTable<Shortest<Exclude<Set, "signed">>>;

type Shortest<Set extends string> = [Exclude<Set, "int">] extends [never] ? "int" : Exclude<Set, "int">;

type InTable<Name extends string> =
  IsUnion<Name> extends true ? UnknownType : Name extends CTypeName ? Name : UnknownType;
