/** Parameters of a built kernel. */
import { readParameter } from "@cl/base";
import { type DType, type Kernel, KernelArgAddressQualifier, KernelArgInfo } from "@cl/core";
import { dtypeOfC } from "@cl/core/internal";

export interface Parameter {
  /** Its name in the source, or its index if the runtime does not report names. */
  readonly name: string;
  /** Description for messages: `argument 1 "x" (float*)`. */
  readonly label: string;
  readonly kind: "value" | "memory" | "local" | "image" | "sampler" | "other";
  /** Element type of the value or of the pointer's target; `undefined` for structs and if the runtime does not report it. */
  readonly element: Element | undefined;
  /** For images only. */
  readonly image?: ImageKind;
}

/** Properties of an image type. */
export interface ImageKind {
  /** Number of axes, including that of an array of images. */
  readonly axes: 1 | 2 | 3;
  readonly isArray: boolean;
  readonly isDepth: boolean;
}

/** A scalar or vector type. */
export interface Element {
  readonly scalar: DType;
  /** 1 for scalars. */
  readonly width: number;
}

/** Returns the parameters of a kernel, in order. */
export function parametersOf(kernel: Kernel): Parameter[] {
  return kernel.argTypes.map((text, i) => {
    const name = kernel.argNames[i];
    const label = `argument ${i}${name === undefined ? "" : ` "${name}"`} (${text})`;
    return { name: name ?? String(i), label, ...kindOf(text, spaceOf(kernel, i)) };
  });
}

/** Returns the element type of an OpenCL C name: `int8` is a vector there, and an 8-bit integer in NumPy. */
export function elementOf(name: string): Element | undefined {
  const type = dtypeOfC(name);
  return type && { scalar: type.base, width: type.width };
}

/** Parses the name of an image type; `undefined` for other types and for images that the command line does not support. */
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

/** Returns `undefined` if the runtime has no argument information. */
function spaceOf(kernel: Kernel, index: number): number | undefined {
  try {
    const answer = kernel.getArgInfo(index, KernelArgInfo.ADDRESS_QUALIFIER);
    return new DataView(answer.buffer, answer.byteOffset, answer.byteLength).getUint32(0, true);
  } catch {
    return undefined;
  }
}
