/** Unknown options, such as misspelled ones, are rejected by name. */
import { CommandQueue, Context } from "@cl/core";
import {
  allocateEventually,
  DeferredAllocator,
  generateTrace,
  ImmediateAllocator,
  KernelTemplate,
  matchStruct,
  memoizeByFirstArg,
  MemoryPool,
  parseArgument,
  readTrace,
  replayTrace,
  RetryAdaptor,
  ScalarArgument,
  SvmAllocator,
  TrackAdaptor,
  VectorArgument,
} from "@cl/tools";
import { expect, test } from "vitest";
import { outOfRange } from "@cl/testing/error-like";

const context = Context.create();
const allocator = new DeferredAllocator(context);
const trace = generateTrace({ requests: 1 });
const template = new KernelTemplate("__kernel void nothing(void) {}", {});

test.each<readonly [string, (options: never) => unknown]>([
  ["allocateEventually", (options) => allocateEventually(allocator, 16, options)],
  ["new DeferredAllocator", (options) => new DeferredAllocator(context, options)],
  ["new ImmediateAllocator", (options) => new ImmediateAllocator(new CommandQueue(context), options)],
  ["new SvmAllocator", (options) => new SvmAllocator(context, options)],
  ["new MemoryPool", (options) => new MemoryPool(allocator, options)],
  ["new RetryAdaptor", (options) => new RetryAdaptor(allocator, options)],
  ["new TrackAdaptor", (options) => new TrackAdaptor(allocator, options)],
  ["memoizeByFirstArg", (options) => memoizeByFirstArg((one: object) => one, options)],
  ["generateTrace", (options) => generateTrace(options)],
  ["readTrace", (options) => readTrace("trace.csv", options)],
  ["replayTrace", (options) => replayTrace(trace, allocator, options)],
  ["parseArgument", (options) => parseArgument("float a", options)],
  ["new ScalarArgument", (options) => new ScalarArgument("float32", "a", options)],
  ["new VectorArgument", (options) => new VectorArgument("float32", "a", options)],
  ["matchStruct", (options) => matchStruct(context.devices[0] as never, "pair", [["a", "int32"]], options)],
  ["new KernelTemplate", (options) => new KernelTemplate("__kernel void nothing(void) {}", {}, options)],
  ["KernelTemplate.build", (options) => template.build(context, {}, options)],
  ["KernelTemplate.buildSync", (options) => template.buildSync(context, {}, options)],
])("%s rejects an unknown option by name", async (_, call) => {
  await expect((async () => call({ noSuchOption: 1 } as never))()).rejects.toThrow(outOfRange("options"));
});
