/** Stand-ins with the phantoms that the package's classes carry. */
import type {
  BufferArgument,
  ElementMark,
  ImageArgument,
  KernelArguments,
  KernelNames,
  LocalArgument,
  SamplerArgument,
  TypedArray,
} from "@cl/core";

export declare class Buffer<T extends TypedArray = TypedArray> implements BufferArgument<T> {
  declare readonly "~argument": ElementMark<T>;
  readonly byteLength: number;
}

export declare class Local implements LocalArgument {
  declare readonly "~argument": "local";
  readonly byteLength: number;
}

export declare class Image implements ImageArgument {
  declare readonly "~argument": "image";
}

export declare class Sampler implements SamplerArgument {
  declare readonly "~argument": "sampler";
}

export declare class Program<const Source extends string> {
  constructor(source: Source);
  kernel<Name extends KernelNames<Source>>(name: Name): Kernel<KernelArguments<Source, Name>>;
}

export interface Kernel<Arguments extends readonly unknown[]> {
  launch(queue: unknown, sizes: unknown, ...args: Arguments): void;
}

/** The argument types of the kernel `f`, whose parameter list is `Text`. */
export type Parameters<Text extends string> = KernelArguments<`__kernel void f(${Text}) { }`, "f">;

/** What a pointer to elements of `T` takes. */
export type Pointer<T extends TypedArray = TypedArray> = BufferArgument<T> | null;
