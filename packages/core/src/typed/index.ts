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
