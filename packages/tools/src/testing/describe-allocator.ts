/** A test suite for allocators. */
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
import type { AllocatorSetting, TestEnvironment, Subject } from "./battery/subject.js";
import { needs } from "@cl/base/testing";

export type { AllocatorSetting } from "./battery/subject.js";

/** Options of {@link describeAllocator}. */
export interface DescribeAllocatorOptions<A> {
  /** Kind of memory that the allocator and the upstream in the setting return. @defaultValue `"buffer"` */
  readonly memory?: "buffer" | "svm";
  /** Creates the context to test in. @defaultValue `Context.create()` */
  readonly context?: () => Context;
  /** Whether a request for 0 bytes returns `null`. @defaultValue true for buffers, false for shared virtual memory */
  readonly zeroIsNull?: boolean;
  /** Alignment of addresses. @defaultValue 128, the alignment of OpenCL's largest type */
  readonly alignment?: number;
  /** Largest size to test. @defaultValue 1 MiB */
  readonly maxBytes?: number;
  /** Returns the bytes that the allocator reports as in use, which must return to 0. @defaultValue not checked */
  readonly usedBytes?: (allocator: A) => number;
}

/**
 * Defines a Vitest suite that every allocator must pass: sizes, alignment, intact contents, every way to release
 * memory, upstream failures at the n-th call for every n, and memory that outlives its allocator. Requires `vitest` and
 * `fast-check`. The factory must return a new allocator at each call. Adaptors and pools should use the setting's
 * `upstream`.
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
  const checked = checkOptions(options, ["memory", "context", "zeroIsNull", "alignment", "maxBytes", "usedBytes"]);
  const { memory = "buffer", context = () => Context.create(), alignment = 128, maxBytes = 2 ** 20 } = checked;
  if (memory !== "buffer" && memory !== "svm") throw typeError("options.memory", '"buffer" or "svm"', memory);
  const isSvm = memory === "svm";
  let environment: TestEnvironment | undefined;
  const subject: Subject = {
    make: factory as (setting: AllocatorSetting) => Allocator<Allocation>,
    plain: (of) => (isSvm ? new SvmAllocator(of) : new DeferredAllocator(of)),
    usedBytes: (checked.usedBytes ?? (() => 0)) as (allocator: Allocator<Allocation>) => number,
    zeroIsNull: checked.zeroIsNull ?? !isSvm,
    alignment: checkInteger(alignment, "options.alignment", 1),
    maxBytes: checkInteger(maxBytes, "options.maxBytes", 1),
    environment: () => {
      if (environment === undefined) throw new Error("the context is not created yet");
      return environment;
    },
  };
  describe(`the allocator ${name}`, () => {
    beforeAll(async () => {
      const chosen = context();
      const queue = new CommandQueue(chosen);
      environment = { context: chosen, queue, patterns: await buildPatterns(chosen, queue) };
    });
    beforeEach((run) => {
      needs(run, !isSvm || hasSvm(subject.environment().context), "the device has no shared virtual memory");
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
      // Devices before OpenCL 2.0 do not support this query.
      return false;
    }
  });
}
