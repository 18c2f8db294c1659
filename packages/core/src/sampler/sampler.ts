/** Samplers. */
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
 * A sampler determines how kernels read images: the coordinate system, reads outside the image, and interpolation. Pass
 * it to a `sampler_t` parameter.
 *
 * @example
 * ```ts
 * const sampler = new Sampler(context, { addressingMode: AddressingMode.REPEAT, filterMode: FilterMode.LINEAR });
 * ```
 */
export class Sampler extends QueriedResource implements SamplerArgument {
  /** Type-level only; does not exist at run time. */
  declare readonly "~argument": "sampler";
  readonly #context: Context;

  /** Creates a sampler from options or raw OpenCL key-value pairs. */
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

  /** Returns a sampler for an existing `cl_sampler`. With `retain: false` it takes ownership of the reference. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Sampler {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    return new Sampler(context, new Adopted(adoptInto(context, "sampler", pointer, retain), label));
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** Whether coordinates are in [0, 1] instead of in pixels. */
  get normalizedCoordinates(): boolean {
    return infoOf(this, samplerQueries, "normalizedCoords");
  }

  /** How coordinates outside the image are handled, of `AddressingMode`. */
  get addressingMode(): number {
    return infoOf(this, samplerQueries, "addressingMode");
  }

  /** Interpolation of pixels, of `FilterMode`. */
  get filterMode(): number {
    return infoOf(this, samplerQueries, "filterMode");
  }

  /** Interpolation between mip levels, of `FilterMode`. Requires `cl_khr_mipmap_image`. */
  get mipFilterMode(): number {
    return infoOf(this, samplerQueries, "mipFilterMode");
  }

  /** Lowest mip level used. Requires `cl_khr_mipmap_image`. */
  get lodMin(): number {
    return infoOf(this, samplerQueries, "lodMin");
  }

  /** Highest mip level used. Requires `cl_khr_mipmap_image`. */
  get lodMax(): number {
    return infoOf(this, samplerQueries, "lodMax");
  }

  /** The property list that the sampler was created with, including its terminating 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, samplerQueries, "properties");
  }

  /** The driver's reference count. */
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
    throw new NotSupportedError(
      "clCreateSamplerWithProperties",
      `samplers require image support, which ${names} lacks`,
    );
  }
  return native.createSampler(handle, properties);
}
