/** What buffers, and later images and pipes, have in common. */
import { checkFunction, checkInstance, typeError } from "@cl/base";

import { adoptChecked, type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { expectOnce } from "../binding/completion.js";
import { MemInfo, MemObjectType } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { NotSupportedError } from "../binding/errors.js";
import type { HostMemory } from "../dtype/host-array.js";
import { pointer as decodePointer } from "../info/decode.js";
import { memQueries } from "../info/memory-info.js";
import { constantName } from "../info/names.js";
import { ask, infoOf } from "../info/query.js";
import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf } from "../binding/resource.js";

/** Makes the wrapper for each type of memory object; their modules add themselves, since they import this one. */
export const adopters: Map<number, (context: Context, adopted: Adopted) => MemoryObject> = new Map();

/** Memory of a context: what kernels read and write. */
export abstract class MemoryObject extends QueriedResource {
  readonly #context: Context;
  readonly #size: number;
  readonly #base: MemoryObject | undefined;
  readonly #hostArray: HostMemory | undefined;

  /** @internal */
  constructor(
    handle: Handle,
    context: Context,
    size: number,
    label?: string,
    base?: MemoryObject,
    hostArray?: HostMemory,
    owned = true,
  ) {
    super(handle, label, owned);
    this.#context = context;
    this.#size = size;
    this.#base = base;
    this.#hostArray = hostArray;
  }

  /** The memory object at an address, made elsewhere in this process: a `DeviceBuffer` for a buffer. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): MemoryObject {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    let made: MemoryObject | undefined;
    adoptChecked("memory", pointer, retain, (handle) => {
      if (decodePointer(native.getInfo(handle, MemInfo.CONTEXT)) !== context.pointer) {
        throw typeError("pointer", "that of an object in this context", pointer);
      }
      const type = ask(memQueries, "type", (param) => native.getInfo(handle, param));
      const adopter = adopters.get(type);
      if (adopter === undefined) {
        const name = constantName(MemObjectType, type) ?? String(type);
        throw new NotSupportedError("clGetMemObjectInfo", `memory objects of type ${name} cannot be adopted yet`);
      }
      made = adopter(context, new Adopted(handle, label));
    });
    return made as MemoryObject;
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** Its bytes. */
  get size(): number {
    return this.#size;
  }

  /** The buffer that this one is a part of. */
  get base(): MemoryObject | undefined {
    return this.#base;
  }

  /** The host memory that it lives in, if it was made with `hostPointer: "use"`. */
  get hostArray(): HostMemory | undefined {
    return this.#hostArray;
  }

  /** What kind of object it is, a value of `MemObjectType`. */
  get objectType(): number {
    return infoOf(this, memQueries, "type");
  }

  /** Its flags, of `MemFlags`. */
  get flags(): number {
    return infoOf(this, memQueries, "flags");
  }

  /** Where it starts in the buffer that it is a part of, in bytes; 0 for others. */
  get offset(): number {
    return infoOf(this, memQueries, "offset");
  }

  /** The address of the host memory that it lives in; 0 if it does not. */
  get hostPointer(): bigint {
    return infoOf(this, memQueries, "hostPtr");
  }

  /** How often it is mapped now. */
  get mapCount(): number {
    return infoOf(this, memQueries, "mapCount");
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return infoOf(this, memQueries, "referenceCount");
  }

  /** True if its host memory is shared virtual memory. */
  get usesSvmPointer(): boolean {
    return infoOf(this, memQueries, "usesSvmPointer");
  }

  /** The property list that it was made with, with its closing 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, memQueries, "properties");
  }

  /**
   * Calls back, on the JavaScript thread, when the driver has really destroyed the memory: after the last reference and
   * the last command that uses it. Several callbacks come in reverse order. They do not keep the process alive, and one
   * that refers to this object keeps it from being collected.
   */
  onDestroyed(callback: () => void): this {
    checkFunction(callback, "callback");
    const handle = handleOf(this);
    expectOnce(
      () => callback(),
      (id) => native.watchDestruction(handle, id),
      false,
    );
    return this;
  }
}
