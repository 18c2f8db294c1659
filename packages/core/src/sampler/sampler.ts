/** Samplers: how kernels read images. */
import { checkInstance } from "@cl/base";

import { adoptInto, type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { AddressingMode, FilterMode } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { samplerQueries } from "../info/memory-info.js";
import { constantName } from "../info/names.js";
import { infoOf } from "../info/query.js";
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
export class Sampler extends QueriedResource implements SamplerArgument {
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
    return infoOf(this, samplerQueries, "normalizedCoords");
  }

  /** What is read outside of the image, a value of `AddressingMode`. */
  get addressingMode(): number {
    return infoOf(this, samplerQueries, "addressingMode");
  }

  /** How neighbours are mixed, a value of `FilterMode`. */
  get filterMode(): number {
    return infoOf(this, samplerQueries, "filterMode");
  }

  /** How mip levels are mixed, a value of `FilterMode`; needs `cl_khr_mipmap_image`. */
  get mipFilterMode(): number {
    return infoOf(this, samplerQueries, "mipFilterMode");
  }

  /** Lowest mip level it uses; needs `cl_khr_mipmap_image`. */
  get lodMin(): number {
    return infoOf(this, samplerQueries, "lodMin");
  }

  /** Highest mip level it uses; needs `cl_khr_mipmap_image`. */
  get lodMax(): number {
    return infoOf(this, samplerQueries, "lodMax");
  }

  /** The property list that it was made with, with its closing 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, samplerQueries, "properties");
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return infoOf(this, samplerQueries, "referenceCount");
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
