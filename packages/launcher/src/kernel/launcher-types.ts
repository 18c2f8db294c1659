/**
 * Types of kernel launchers. If the kernel's signature is known statically, so are the parameters of a launch and their types.
 * All values are also checked at run time.
 */
import type { KernelArgumentLike, LaunchSizes } from "@cl/core";

import type { LauncherOptions } from "../launcher-options.js";

/**
 * Launch sizes. Functions and names refer to the kernel's arguments and the launcher's parameters. `local: "auto"` uses the
 * tuned work-group size, or the driver's choice if none was found.
 */
export type LauncherSizes = Omit<LaunchSizes, "waitFor">;

/**
 * Parameters: names of the kernel's arguments; or names for launches, each with the position or name of an argument.
 */
export type ParameterMap<N extends readonly string[] = readonly string[]> =
  | readonly N[number][]
  | Readonly<Record<string, number | N[number]>>;

/** Names of the options of kernel launchers. */
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

/** Options of kernel launchers. */
export interface KernelLauncherOptions<N extends readonly string[] = readonly string[]>
  extends LauncherOptions, LauncherSizes {
  /**
   * Fixed arguments: in order, without the parameters; as `[name, value]` tuples in any order; or as an object with the
   * arguments' positions or names as keys.
   */
  readonly args?: readonly unknown[] | Readonly<Record<number | string, unknown>>;
  /** Arguments that are passed with each launch. */
  readonly parameters?: ParameterMap<N>;
  /**
   * Arguments, by name or position, whose memory the kernel reads, for lists with order `"graph"`. With this or {@link writes},
   * it must not access any other memory. Without both, const memory is assumed to be read and any other to be written.
   */
  readonly reads?: readonly (number | N[number])[];
  /** Arguments whose memory the kernel writes. */
  readonly writes?: readonly (number | N[number])[];
  /** Number of bytes that one launch reads and writes, for the bytes per second in statistics. @defaultValue 0 */
  readonly bytes?: number;
  /** Name of the kernel if the launcher is created from a program. @defaultValue the program's only kernel */
  readonly kernel?: string;
}

/** Sizes for a single launch instead of the launcher's. */
export type LaunchOverrides = Pick<LaunchSizes, "global" | "local">;

/** Parameter values of a launch, by name. */
export type KernelParametersOf<A extends readonly unknown[], N extends readonly string[], O> = O extends {
  readonly parameters: infer M;
}
  ? M extends readonly string[]
    ? { readonly [Name in M[number]]: ArgumentNamed<A, N, Name> }
    : { readonly [Name in keyof M]: ArgumentAt<A, N, M[Name]> }
  : {};

/** Required fixed arguments; any if the signature is unknown. */
export type FixedArguments<A extends readonly unknown[], N extends readonly string[], O> = string extends N[number]
  ? AnyArguments
  : O extends { readonly args: infer G }
    ? G extends readonly [readonly [string, unknown], ...(readonly (readonly [string, unknown])[])]
      ? AsPairs<A, N, ParameterKeys<O>, G>
      : G extends readonly unknown[]
        ? InOrder<A, N, ParameterKeys<O>>
        : ByKey<A, N, ParameterKeys<O>, G>
    : // Options with a function are first checked without their own type.
      AnyArguments;

type AnyArguments = readonly unknown[] | Readonly<Record<number | string, unknown>>;

/** Type of an argument by name. */
type ArgumentNamed<A extends readonly unknown[], N extends readonly string[], Name> = string extends N[number]
  ? KernelArgumentLike
  : { [I in Positions<N>]: N[I] extends Name ? A[I & keyof A] : never }[Positions<N>];

/** Type of an argument by position or name. */
type ArgumentAt<A extends readonly unknown[], N extends readonly string[], Key> = Key extends number
  ? number extends A["length"]
    ? KernelArgumentLike
    : A[Key]
  : ArgumentNamed<A, N, Key>;

type Positions<T extends readonly unknown[]> = keyof T & `${number}`;

/** Positions and names that are parameters, including iterated ones. */
type ParameterKeys<O> = KeysOf<O extends { readonly parameters: infer M } ? M : readonly []> | IteratedNames<O>;

type KeysOf<M> = M extends readonly string[] ? M[number] : M[keyof M];

/** Iterated arguments that `parameters` does not contain. */
type IteratedNames<O> = O extends { readonly iterate: infer I }
  ? Exclude<
      keyof I,
      O extends { readonly parameters: infer M } ? (M extends readonly string[] ? M[number] : keyof M) : never
    >
  : never;

/** Positions of fixed arguments. */
type FixedPositions<N extends readonly string[], T> = {
  [I in Positions<N>]: [Extract<T, N[I] | PositionOf<I>>] extends [never] ? I : never;
}[Positions<N>];

type PositionOf<I extends string> = I extends `${infer Position extends number}` ? Position : never;

/** Names of fixed arguments. */
type FixedNames<N extends readonly string[], T> = N[FixedPositions<N, T>];

/** Fixed arguments in order. */
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

/** All fixed arguments by position or name, and no others. */
type ByKey<A extends readonly unknown[], N extends readonly string[], T, G> = {
  readonly [I in FixedPositions<N, T> as I | PositionOf<I>]?: A[I & keyof A];
} & { readonly [Name in FixedNames<N, T>]?: ArgumentNamed<A, N, Name> } & {
  readonly [Name in MissingNames<N, T, `${keyof G & (number | string)}`>]: ArgumentNamed<A, N, Name>;
} & { readonly [Key in UnknownKeys<N, T, keyof G>]: never };

/** Names of fixed arguments given neither by name nor by position. */
type MissingNames<N extends readonly string[], T, Given extends string> = {
  [I in FixedPositions<N, T>]: string extends Given ? never : [Extract<Given, I | N[I]>] extends [never] ? N[I] : never;
}[FixedPositions<N, T>];

type UnknownKeys<N extends readonly string[], T, Key extends PropertyKey> = Key extends string | number
  ? string extends Key
    ? never
    : `${Key}` extends FixedPositions<N, T> | FixedNames<N, T>
      ? never
      : Key
  : never;

/** All fixed arguments as `[name, value]` tuples. */
type AsPairs<
  A extends readonly unknown[],
  N extends readonly string[],
  T,
  G extends readonly (readonly [string, unknown])[],
> = readonly { [Name in FixedNames<N, T>]: readonly [Name, ArgumentNamed<A, N, Name>] }[FixedNames<N, T>][] &
  ([MissingNames<N, T, G[number][0]>] extends [never]
    ? unknown
    : { readonly missing: MissingNames<N, T, G[number][0]> });
