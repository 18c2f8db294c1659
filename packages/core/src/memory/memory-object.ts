/** Base class of buffers, images and pipes. */
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

/** Wrapper factories by type of memory object; each class's module, which imports this one, adds its own. */
export const adopters: Map<number, (context: Context, adopted: Adopted) => MemoryObject> = new Map();

/** Memory of a context that kernels read and write. */
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

  /** Returns a memory object for an existing `cl_mem`: a `DeviceBuffer` for a buffer. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): MemoryObject {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    let result: MemoryObject | undefined;
    adoptChecked("memory", pointer, retain, (handle) => {
      if (decodePointer(native.getInfo(handle, MemInfo.CONTEXT)) !== context.pointer) {
        throw typeError("pointer", "the address of a memory object in this context", pointer);
      }
      const type = ask(memQueries, "type", (param) => native.getInfo(handle, param));
      const adopter = adopters.get(type);
      if (adopter === undefined) {
        const name = constantName(MemObjectType, type) ?? String(type);
        throw new NotSupportedError("clGetMemObjectInfo", `memory objects of type ${name} are not supported`);
      }
      result = adopter(context, new Adopted(handle, label));
    });
    return result as MemoryObject;
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** Size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** The parent of a sub-buffer. */
  get base(): MemoryObject | undefined {
    return this.#base;
  }

  /** The host memory used with `hostPointer: "use"`, or the memory of a host-coherent buffer. */
  get hostArray(): HostMemory | undefined {
    return this.#hostArray;
  }

  /** Type of the object, of `MemObjectType`. */
  get objectType(): number {
    return infoOf(this, memQueries, "type");
  }

  /** `MemFlags` of the object. */
  get flags(): number {
    return infoOf(this, memQueries, "flags");
  }

  /** Offset of a sub-buffer in its parent, in bytes; 0 for other objects. */
  get offset(): number {
    return infoOf(this, memQueries, "offset");
  }

  /** Address of the host memory used with `hostPointer: "use"`; 0 otherwise. */
  get hostPointer(): bigint {
    return infoOf(this, memQueries, "hostPtr");
  }

  /** Number of active maps. */
  get mapCount(): number {
    return infoOf(this, memQueries, "mapCount");
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, memQueries, "referenceCount");
  }

  /** Whether the object uses shared virtual memory. */
  get usesSvmPointer(): boolean {
    return infoOf(this, memQueries, "usesSvmPointer");
  }

  /** The property list that the object was created with, including its terminating 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, memQueries, "properties");
  }

  /**
   * Calls `callback` on the JavaScript thread when the driver has destroyed the memory: after its last reference and
   * the last command that uses it. Several callbacks run in reverse order. Callbacks do not keep the process alive; a
   * callback that refers to this object keeps it from being garbage-collected.
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
