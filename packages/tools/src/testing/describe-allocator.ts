/** The tests that every allocator has to pass. */
import { checkFunction, checkInteger, checkOptions, checkString, typeError } from "@cl/base";
import {
  type Allocation,
  type Allocator,
  CommandQueue,
  Context,
  type DeviceBuffer,
  DeviceSvmCapabilities,
  type SvmPointer,
} from "@cl/core";
import { beforeAll, beforeEach, describe } from "vitest";

import { DeferredAllocator } from "../allocators/deferred-allocator.js";
import { SvmAllocator } from "../allocators/svm-allocator.js";
import { testContents } from "./battery/contents.js";
import { testFailures } from "./battery/failures.js";
import { buildPatterns } from "./battery/patterns.js";
import { testReleases } from "./battery/releases.js";
import { testRequests } from "./battery/requests.js";
import type { AllocatorSetting, Place, Subject } from "./battery/subject.js";
import { needs } from "@cl/base/testing";

export type { AllocatorSetting } from "./battery/subject.js";

/** What {@link describeAllocator} is to know about an allocator. */
export interface DescribeAllocatorOptions<A> {
  /** Buffers or shared virtual memory; `"buffer"` if not said. The upstream in the setting gives the same. */
  readonly memory?: "buffer" | "svm";
  /** Makes the context to test in; `Context.create()` if not said. */
  readonly context?: () => Context;
  /** Whether no bytes give null; if not said, true for buffers and false for shared virtual memory. */
  readonly zeroIsNull?: boolean;
  /** What addresses are multiples of; 128, as OpenCL's largest type has it, if not said. */
  readonly alignment?: number;
  /** The largest size that is tried; 1 MiB if not said. */
  readonly maxBytes?: number;
  /** The bytes that the allocator says are in use: its books, which must come back to 0. */
  readonly usedBytes?: (allocator: A) => number;
}

/**
 * Describes, with vitest, the tests that every allocator has to pass: sizes, alignment, contents that survive their
 * neighbours, release in every way, failures of the upstream at its n-th call for every n, memory that outlives its
 * allocator. They need `vitest` and `fast-check`. The factory is called often and must make a fresh allocator each time; if
 * that stands on another one it should stand on the setting's `upstream`.
 *
 * @example
 * ```typescript
 * describeAllocator("LimitAdaptor", ({ upstream }) => new LimitAdaptor(upstream, 2 ** 30), {
 *   usedBytes: (allocator) => allocator.usedBytes,
 * });
 * ```
 */
export function describeAllocator<A extends Allocator>(
  name: string,
  factory: (setting: AllocatorSetting<DeviceBuffer>) => A,
  options?: DescribeAllocatorOptions<A> & { readonly memory?: "buffer" },
): void;
export function describeAllocator<A extends Allocator<SvmPointer>>(
  name: string,
  factory: (setting: AllocatorSetting<SvmPointer>) => A,
  options: DescribeAllocatorOptions<A> & { readonly memory: "svm" },
): void;
export function describeAllocator<A extends Allocator<Allocation>>(
  name: string,
  factory: (setting: AllocatorSetting<DeviceBuffer> & AllocatorSetting<SvmPointer>) => A,
  options?: DescribeAllocatorOptions<A>,
): void {
  checkString(name, "name");
  checkFunction(factory, "factory");
  const given = checkOptions(options, ["memory", "context", "zeroIsNull", "alignment", "maxBytes", "usedBytes"]);
  const { memory = "buffer", context = () => Context.create(), alignment = 128, maxBytes = 2 ** 20 } = given;
  if (memory !== "buffer" && memory !== "svm") throw typeError("options.memory", '"buffer" or "svm"', memory);
  const isSvm = memory === "svm";
  let place: Place | undefined;
  const subject: Subject = {
    make: factory as (setting: AllocatorSetting) => Allocator<Allocation>,
    plain: (of) => (isSvm ? new SvmAllocator(of) : new DeferredAllocator(of)),
    usedBytes: (given.usedBytes ?? (() => 0)) as (allocator: Allocator<Allocation>) => number,
    zeroIsNull: given.zeroIsNull ?? !isSvm,
    alignment: checkInteger(alignment, "options.alignment", 1),
    maxBytes: checkInteger(maxBytes, "options.maxBytes", 1),
    place: () => {
      if (place === undefined) throw new Error("the battery has no device yet");
      return place;
    },
  };
  describe(`the allocator ${name}`, () => {
    beforeAll(async () => {
      const chosen = context();
      const queue = new CommandQueue(chosen);
      place = { context: chosen, queue, patterns: await buildPatterns(chosen, queue) };
    });
    beforeEach((run) => {
      needs(run, !isSvm || hasSvm(subject.place().context), "the device has no shared virtual memory");
    });
    testRequests(subject);
    testContents(subject);
    testReleases(subject);
    testFailures(subject);
  });
}

function hasSvm(context: Context): boolean {
  return context.devices.every((device) => {
    try {
      return (device.svmCapabilities & DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0;
    } catch {
      // Devices before OpenCL 2.0 do not know the question.
      return false;
    }
  });
}
