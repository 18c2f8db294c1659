/** What decides a result, in plain words: the key under which the disk keeps it. */
import {
  type Device,
  Image,
  type KernelArgument,
  kernelArgument,
  LocalMemory,
  MemoryObject,
  SvmPointer,
} from "@cl/core";

import { sha256 } from "./tuning-cache.js";

/** What a result is about. */
export interface Question {
  readonly device: Device;
  /** The program's source or binary, or another name for it. */
  readonly program: string | Uint8Array;
  readonly buildOptions: string;
  readonly kernel: string;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
  /** Among what the best was looked for. */
  readonly space: string;
}

/** Its words. The values of numbers do not count, the sizes of memory do. */
export function tuningKey(question: Question): readonly string[] {
  const { device, program, buildOptions, kernel, args, global, offset, space } = question;
  return [
    device.platform.name,
    device.platform.version,
    device.name,
    device.vendor,
    device.version,
    device.driverVersion,
    String(device.maxComputeUnits),
    typeof program === "string" ? sha256(program) : sha256(Buffer.from(program).toString("base64")),
    buildOptions,
    kernel,
    args.map(kindOf).join(", "),
    `global ${global.join("x")}${offset === undefined ? "" : ` from ${offset.join(",")}`}`,
    space,
  ];
}

/** What an argument is: its kind, and how much of it there is. */
function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (value instanceof Image) return `image ${value.shape.join("x")} of ${String(value.format)}`;
  if (value instanceof SvmPointer) return `svm ${value.size}`;
  if (value instanceof MemoryObject) return `memory ${value.size}`;
  if (value instanceof LocalMemory) return `local ${value.bytes}`;
  if (typeof value !== "object") return typeof value;
  if (isKernelArgument(value)) {
    const stands = value[kernelArgument]();
    if ("memory" in stands) return kindOf(stands.memory);
    if ("local" in stands) return kindOf(stands.local);
    return "bytes" in stands ? `${stands.bytes.byteLength} bytes` : "sampler";
  }
  return ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : (value.constructor?.name ?? "object");
}

function isKernelArgument(value: object): value is KernelArgument {
  return kernelArgument in value;
}
