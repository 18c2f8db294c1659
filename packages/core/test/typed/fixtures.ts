/** Types of kernels and their arguments. */
import type { BufferArgument, KernelArguments, TypedArray } from "@cl/core";

/** The argument types of the kernel `f`, whose parameter list is `Text`. */
export type Parameters<Text extends string> = KernelArguments<`__kernel void f(${Text}) { }`, "f">;

/** What a pointer to elements of `T` takes. */
export type Pointer<T extends TypedArray = TypedArray> = BufferArgument<T> | null;
