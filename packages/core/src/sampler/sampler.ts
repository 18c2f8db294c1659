/** Samplers: how kernels read images. */
import { checkInstance, checkInteger } from "@cl/base";

import { adoptInto, type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { type Handle, native } from "../binding/native.js";
import { Adopted, handleOf, Resource } from "../binding/resource.js";
import { AddressingMode, FilterMode } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { type SamplerInfoProperties, samplerQueries } from "../info/memory-info.js";
import { constantName } from "../info/names.js";
import { ask } from "../info/query.js";
import { Context } from "../platform/context.js";
import type { SamplerArgument } from "../typed/index.js";
import { samplerProperties, type SamplerOptions, type SamplerPropertyList } from "./sampler-options.js";

/**
 * How kernels read images: where coordinates begin and end, what lies outside, and how neighbours are mixed. A kernel
 * takes one as its `sampler_t` argument.
 *
 * @example
 * ```ts
 * const sampler = new Sampler(context, { addressingMode: AddressingMode.REPEAT, filterMode: FilterMode.LINEAR });
 * ```
 */
export class Sampler extends Resource implements SamplerArgument {
  /** Only for the type checker; there is no such property. */
  declare readonly "~argument": "sampler";
  readonly #context: Context;

  /** A sampler as the options say, or with OpenCL's own key and value pairs. */
  constructor(context: Context, options?: SamplerOptions | SamplerPropertyList);
  /** @internal */
  constructor(context: Context, adopted: Adopted);
  constructor(context: Context, options?: SamplerOptions | SamplerPropertyList | Adopted) {
    checkInstance(context, Context, "context");
    if (options instanceof Adopted) {
      super(options.handle, options.label);
    } else {
      const properties = samplerProperties(options);
      const label = Array.isArray(options) ? undefined : (options as SamplerOptions | undefined)?.label;
      super(create(context, properties), label);
    }
    this.#context = context;
  }

  /** A sampler made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Sampler {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    return new Sampler(context, new Adopted(adoptInto(context, "sampler", pointer, retain), label));
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** True if coordinates go from 0 to 1, false if they count elements. */
  get normalizedCoordinates(): boolean {
    return this.#query("normalizedCoords");
  }

  /** What is read outside of the image, a value of `AddressingMode`. */
  get addressingMode(): number {
    return this.#query("addressingMode");
  }

  /** How neighbours are mixed, a value of `FilterMode`. */
  get filterMode(): number {
    return this.#query("filterMode");
  }

  /** How mip levels are mixed, a value of `FilterMode`; needs `cl_khr_mipmap_image`. */
  get mipFilterMode(): number {
    return this.#query("mipFilterMode");
  }

  /** Lowest mip level it uses; needs `cl_khr_mipmap_image`. */
  get lodMin(): number {
    return this.#query("lodMin");
  }

  /** Highest mip level it uses; needs `cl_khr_mipmap_image`. */
  get lodMax(): number {
    return this.#query("lodMax");
  }

  /** The property list that it was made with, with its closing 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return this.#query("properties");
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return this.#query("referenceCount");
  }

  /** The raw answer of any query. */
  getInfo(param: number): Uint8Array {
    return native.getInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }

  #query<K extends keyof SamplerInfoProperties>(name: K): SamplerInfoProperties[K] {
    return ask(samplerQueries, name, (param) => this.getInfo(param));
  }

  protected override summary(): string {
    const coordinates = this.normalizedCoordinates ? "normalized" : "unnormalized";
    const { addressingMode, filterMode } = this;
    const addressing = constantName(AddressingMode, addressingMode) ?? String(addressingMode);
    return `${coordinates}, ${addressing}, ${constantName(FilterMode, filterMode) ?? String(filterMode)}`;
  }
}

function create(context: Context, properties: BigUint64Array): Handle {
  const handle = handleOf(context);
  if (!context.devices.some((device) => device.imageSupport)) {
    const names = context.devices.map(({ name }) => `'${name}'`).join(", ");
    throw new NotSupportedError("clCreateSamplerWithProperties", `samplers need images, which ${names} lacks`);
  }
  return native.createSampler(handle, properties);
}
