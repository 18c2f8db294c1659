/** What a built kernel says of its parameters. */
import { readParameter } from "@cl/base";
import { type DType, type Kernel, KernelArgAddressQualifier, KernelArgInfo } from "@cl/core";
import { dtypeOfC } from "@cl/core/internal";

/** A parameter, as far as it decides what an argument may be. */
export interface Parameter {
  /** Its name in the source; its place where nobody knows that. */
  readonly name: string;
  /** For sentences: `argument 1 "x" (float*)`. */
  readonly words: string;
  readonly kind: "value" | "memory" | "local" | "image" | "sampler" | "other";
  /** What a value is, or what a pointer points to; undefined for structs and what the runtime does not tell. */
  readonly element: Element | undefined;
  /** Of an image. */
  readonly image?: ImageKind;
}

/** What the type of an image says about it. */
export interface ImageKind {
  /** Axes of its shape; that of an array of images is one of them. */
  readonly axes: 1 | 2 | 3;
  readonly isArray: boolean;
  readonly isDepth: boolean;
}

/** A scalar, or so many of them side by side. */
export interface Element {
  readonly scalar: DType;
  /** 1 for scalars. */
  readonly width: number;
}

/** The parameters of a kernel, in order. */
export function parametersOf(kernel: Kernel): Parameter[] {
  return kernel.argTypes.map((text, i) => {
    const name = kernel.argNames[i];
    const words = `argument ${i}${name === undefined ? "" : ` "${name}"`} (${text})`;
    return { name: name ?? String(i), words, ...kindOf(text, spaceOf(kernel, i)) };
  });
}

/** The element that OpenCL C calls so: `int8` is a vector there, and an integer of 8 bits in NumPy. */
export function elementOf(name: string): Element | undefined {
  const type = dtypeOfC(name);
  return type && { scalar: type.base, width: type.width };
}

/** The kind of image of a type's name; undefined for others, and for those that a command line cannot give. */
function imageKindOf(name: string): ImageKind | undefined {
  const [, dimensions, array, depth] = /^image([123])d(_array)?(_depth)?_t$/u.exec(name) ?? [];
  if (dimensions === undefined) return undefined;
  const axes = Number(dimensions) + (array === undefined ? 0 : 1);
  return { axes: axes as 1 | 2 | 3, isArray: array !== undefined, isDepth: depth !== undefined };
}

function kindOf(text: string, space: number | undefined): Pick<Parameter, "kind" | "element" | "image"> {
  const { type = "", pointers = 0, tag, specifiers } = readParameter(text) ?? {};
  const element = tag === undefined ? elementOf(type) : undefined;
  if (space === KernelArgAddressQualifier.LOCAL || specifiers?.has("local") === true) return { kind: "local", element };
  if (pointers > 0) return { kind: "memory", element: pointers === 1 ? element : undefined };
  const image = imageKindOf(type);
  if (image !== undefined) return { kind: "image", element: undefined, image };
  if (type === "sampler_t") return { kind: "sampler", element: undefined };
  const isOther = /^(?:image.*|queue_t|)$/u.test(type) || specifiers?.has("pipe") === true;
  return isOther ? { kind: "other", element: undefined } : { kind: "value", element };
}

/** Undefined where the runtime keeps no information about arguments. */
function spaceOf(kernel: Kernel, index: number): number | undefined {
  try {
    const answer = kernel.getArgInfo(index, KernelArgInfo.ADDRESS_QUALIFIER);
    return new DataView(answer.buffer, answer.byteOffset, answer.byteLength).getUint32(0, true);
  } catch {
    return undefined;
  }
}
