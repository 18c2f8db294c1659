export type {
  BufferArgument,
  ElementMark,
  ImageArgument,
  KernelArgumentLike,
  LocalArgument,
  SamplerArgument,
  TypedArray,
  VectorArgument,
} from "./c-types.js";
export type {
  KernelArguments,
  KernelNames,
  KernelParameterNames,
  KernelsOf,
  UntypedArguments,
} from "./kernel-source.js";
export type { Declaration, DeclaredParameters, Pointing } from "./parameter-list.js";
