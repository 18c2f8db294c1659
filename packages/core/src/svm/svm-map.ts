/** Mapping shared virtual memory. */
import { checkOptions, checkSignal, outOfRange, typeError } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { waitHandles } from "../event/event.js";
import { type ElementRange, elementRange, splitType } from "../memory/element-range.js";
import { checkElementType, type ElementType } from "../dtype/host-array.js";
import { checkQueue } from "../queue/check-queue.js";
import type { QueueBase } from "../queue/queue-base.js";
import { type AsyncMapOptions, mapAccessFlags, mapCompletion, type MapOptions } from "../mapping/map.js";
import { MappedSvm } from "./mapped-svm.js";
import type { PublicSvm } from "./svm-base.js";

/** Map options for methods whose name implies the access. */
export type SvmMapOptions = Omit<MapOptions, "access">;

/** Asynchronous map options for methods whose name implies the access. */
export type AsyncSvmMapOptions = Omit<AsyncMapOptions, "access">;

/** `[]`, `[options]`, `[type]` or `[type, options]`. */
export type MapArguments<O> = readonly [typeOrOptions?: ElementType | O, options?: O];

/** Maps memory. If the method's name implies `access`, the options must not set it. */
export async function mapSvm(
  svm: PublicSvm,
  queue: QueueBase,
  given: MapArguments<AsyncMapOptions>,
  access?: MapOptions["access"],
): Promise<MappedSvm> {
  handleOf(svm);
  const [type, maybe] = splitType(...given);
  const options = checkOptions(maybe, ["offset", "length", "access", "waitFor", "signal"]);
  const { elements, range, flags, waits } = plan(svm, type, options, access);
  const signal = checkSignal(options.signal);
  signal?.throwIfAborted();
  const [mapping, event] = enqueueMap(svm, queue, flags, range, false, waits);
  await mapCompletion(queue, mapping, event, signal, "clEnqueueSVMMap");
  return wrap(mapping, queue, svm, elements, range);
}

/** Maps like {@link mapSvm}, but blocks the event loop until the map has completed. */
export function mapSvmSync(
  svm: PublicSvm,
  queue: QueueBase,
  given: MapArguments<MapOptions>,
  access?: MapOptions["access"],
): MappedSvm {
  handleOf(svm);
  const [type, maybe] = splitType(...given);
  const options = checkOptions(maybe, ["offset", "length", "access", "waitFor"]);
  const { elements, range, flags, waits } = plan(svm, type, options, access);
  const [mapping] = enqueueMap(svm, queue, flags, range, true, waits);
  return wrap(mapping, queue, svm, elements, range);
}

function plan(
  svm: PublicSvm,
  type: ElementType | undefined,
  options: MapOptions,
  access: MapOptions["access"],
): { elements: ElementType; range: ElementRange; flags: number; waits: Int32Array | undefined } {
  if (access !== undefined && options.access !== undefined) {
    throw typeError("options.access", "omitted; the method's name implies it", options.access);
  }
  const flags = mapAccessFlags(access ?? options.access);
  const elements = elementsOf(svm, type);
  const range = elementRange(svm, elements, options, "memory");
  if (range.length === 0) throw outOfRange("options.length must be at least 1; an empty range cannot be mapped");
  return { elements, range, flags, waits: waitHandles(options.waitFor) };
}

/** Returns the requested element type, or else the memory's, or else `Uint8Array`. */
export function elementsOf(svm: PublicSvm, type: ElementType | undefined): ElementType {
  return type === undefined ? (svm.type ?? Uint8Array) : checkElementType(type, "type");
}

function enqueueMap(
  svm: PublicSvm,
  queue: QueueBase,
  flags: number,
  range: ElementRange,
  blocking: boolean,
  waits: Int32Array | undefined,
): [Handle, Handle] {
  return native.mapSvm(
    handleOf(checkQueue(queue)),
    handleOf(svm),
    flags,
    svm.byteOffset + range.byteOffset,
    range.bytes,
    blocking,
    waits,
  );
}

function wrap(mapping: Handle, queue: QueueBase, svm: PublicSvm, type: ElementType, range: ElementRange): MappedSvm {
  try {
    return new MappedSvm(mapping, queue, svm, type, range.length, range.byteOffset);
  } catch (error) {
    native.recycle(mapping);
    throw error;
  }
}
