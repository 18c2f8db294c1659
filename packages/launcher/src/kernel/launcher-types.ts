/**
 * The types of kernel launchers. Where the type checker knows the kernel's signature, it knows which parameters a launch
 * needs and of which types; where not, all is checked at run time only, as it is in any case.
 */
import type { KernelArgumentLike, LaunchSizes } from "@cl/core";

import type { LauncherOptions } from "../launcher-options.js";

/**
 * Over what a kernel runs. Functions and names see the kernel's arguments and the launcher's parameters. `local: "auto"`
 * leaves the groups to tuning, and to the driver where nothing was found.
 */
export type LauncherSizes = Omit<LaunchSizes, "waitFor">;

/**
 * The parameters: names of the kernel's arguments; or the names that a launch uses, each with the argument's position or
 * name.
 */
export type ParameterMap<N extends readonly string[] = readonly string[]> =
  | readonly N[number][]
  | Readonly<Record<string, number | N[number]>>;

/** The options of kernel launchers. */
export const kernelOptionNames = [
  "args",
  "parameters",
  "reads",
  "writes",
  "bytes",
  "kernel",
  "queue",
  "profiler",
  "tracer",
  "global",
  "local",
  "offset",
  "globalInGroups",
  "allowEmpty",
] as const;

/** How to make a kernel launcher. */
export interface KernelLauncherOptions<N extends readonly string[] = readonly string[]>
  extends LauncherOptions, LauncherSizes {
  /**
   * The arguments that stay the same: in order, without those that are parameters; as `[name, value]` tuples in any order;
   * or as an object with the argument's position or name as key.
   */
  readonly args?: readonly unknown[] | Readonly<Record<number | string, unknown>>;
  /** The arguments that each launch gives. */
  readonly parameters?: ParameterMap<N>;
  /**
   * The arguments, by name or position, whose memory the kernel reads, for lists whose order is `"graph"`. With this or
   * {@link writes}, it reads and writes nothing else; without both, it reads what is const and may write the rest.
   */
  readonly reads?: readonly (number | N[number])[];
  /** The arguments whose memory it writes. */
  readonly writes?: readonly (number | N[number])[];
  /** How many bytes of memory one launch of the kernel reads and writes, for the statistics' bytes per second. */
  readonly bytes?: number;
  /** The kernel's name, if the launcher is made of a program; the only one of the program if not said. */
  readonly kernel?: string;
}

/** Sizes that hold for one launch, instead of the launcher's own. */
export type LaunchOverrides = Pick<LaunchSizes, "global" | "local">;

/** The values that a launch needs, by the parameters' names. */
export type KernelParametersOf<A extends readonly unknown[], N extends readonly string[], O> = O extends {
  readonly parameters: infer M;
}
  ? M extends readonly string[]
    ? { readonly [Name in M[number]]: ArgumentNamed<A, N, Name> }
    : { readonly [Name in keyof M]: ArgumentAt<A, N, M[Name]> }
  : {};

/** The arguments that the options have to give; anything if the signature is not known. */
export type FixedArguments<A extends readonly unknown[], N extends readonly string[], O> = string extends N[number]
  ? AnyArguments
  : O extends { readonly args: infer G }
    ? G extends readonly [readonly [string, unknown], ...(readonly (readonly [string, unknown])[])]
      ? AsPairs<A, N, Taken<O>, G>
      : G extends readonly unknown[]
        ? InOrder<A, N, Taken<O>>
        : ByPlace<A, N, Taken<O>, G>
    : // Options with a function are first checked without a type of their own.
      AnyArguments;

type AnyArguments = readonly unknown[] | Readonly<Record<number | string, unknown>>;

/** The type of an argument by its name. */
type ArgumentNamed<A extends readonly unknown[], N extends readonly string[], Name> = string extends N[number]
  ? KernelArgumentLike
  : { [I in Places<N>]: N[I] extends Name ? A[I & keyof A] : never }[Places<N>];

/** The type of an argument by its position or name. */
type ArgumentAt<A extends readonly unknown[], N extends readonly string[], Place> = Place extends number
  ? number extends A["length"]
    ? KernelArgumentLike
    : A[Place]
  : ArgumentNamed<A, N, Place>;

type Places<T extends readonly unknown[]> = keyof T & `${number}`;

/** The positions and names that are parameters, iterated ones included. */
type Taken<O> = TakenBy<O extends { readonly parameters: infer M } ? M : readonly []> | IteratedNames<O>;

type TakenBy<M> = M extends readonly string[] ? M[number] : M[keyof M];

/** The iterated arguments that `parameters` does not name. */
type IteratedNames<O> = O extends { readonly iterate: infer I }
  ? Exclude<
      keyof I,
      O extends { readonly parameters: infer M } ? (M extends readonly string[] ? M[number] : keyof M) : never
    >
  : never;

/** The positions of arguments that are no parameters. */
type OpenPlaces<N extends readonly string[], T> = {
  [I in Places<N>]: [Extract<T, N[I] | PositionOf<I>>] extends [never] ? I : never;
}[Places<N>];

type PositionOf<I extends string> = I extends `${infer Position extends number}` ? Position : never;

/** The names of arguments that are no parameters. */
type OpenNames<N extends readonly string[], T> = N[OpenPlaces<N, T>];

/** The arguments in order without those that are taken. */
type InOrder<
  A extends readonly unknown[],
  N extends readonly string[],
  T,
  Before extends readonly unknown[] = [],
  Out extends readonly unknown[] = readonly [],
> = A extends readonly [infer First, ...infer Rest]
  ? N extends readonly [infer Name, ...infer Names extends readonly string[]]
    ? InOrder<
        Rest,
        Names,
        T,
        [...Before, 0],
        [Extract<T, Name | Before["length"]>] extends [never] ? readonly [...Out, First] : Out
      >
    : Out
  : Out;

/** All of them by position or name, and nothing else. */
type ByPlace<A extends readonly unknown[], N extends readonly string[], T, G> = {
  readonly [I in OpenPlaces<N, T> as I | PositionOf<I>]?: A[I & keyof A];
} & { readonly [Name in OpenNames<N, T>]?: ArgumentNamed<A, N, Name> } & {
  readonly [Name in MissingNames<N, T, `${keyof G & (number | string)}`>]: ArgumentNamed<A, N, Name>;
} & { readonly [Key in UnknownKeys<N, T, keyof G>]: never };

/** The names of open arguments that neither their name nor their position gives. */
type MissingNames<N extends readonly string[], T, Given extends string> = {
  [I in OpenPlaces<N, T>]: string extends Given ? never : [Extract<Given, I | N[I]>] extends [never] ? N[I] : never;
}[OpenPlaces<N, T>];

type UnknownKeys<N extends readonly string[], T, Key extends PropertyKey> = Key extends string | number
  ? string extends Key
    ? never
    : `${Key}` extends OpenPlaces<N, T> | OpenNames<N, T>
      ? never
      : Key
  : never;

/** All of them as `[name, value]` tuples. */
type AsPairs<
  A extends readonly unknown[],
  N extends readonly string[],
  T,
  G extends readonly (readonly [string, unknown])[],
> = readonly { [Name in OpenNames<N, T>]: readonly [Name, ArgumentNamed<A, N, Name>] }[OpenNames<N, T>][] &
  ([MissingNames<N, T, G[number][0]>] extends [never]
    ? unknown
    : { readonly missing: MissingNames<N, T, G[number][0]> });
