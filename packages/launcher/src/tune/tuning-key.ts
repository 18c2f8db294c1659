/** Cache keys of tuning results, as readable text. */
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

/** Everything that determines a result. */
export interface TuningKeyParts {
  readonly device: Device;
  /** Source or binary of the program, or another key. */
  readonly program: string | Uint8Array;
  readonly buildOptions: string;
  readonly kernel: string;
  readonly args: readonly unknown[];
  readonly global: readonly number[];
  readonly offset: readonly number[] | undefined;
  /** Description of the search space. */
  readonly space: string;
}

/** Returns the parts of the key. Includes the sizes of memory, but not the values of numbers. */
export function tuningKey(parts: TuningKeyParts): readonly string[] {
  const { device, program, buildOptions, kernel, args, global, offset, space } = parts;
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
    args.map(describeArgument).join(", "),
    `global ${global.join("x")}${offset === undefined ? "" : ` from ${offset.join(",")}`}`,
    space,
  ];
}

/** Describes an argument by kind and size. */
function describeArgument(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (value instanceof Image) return `image ${value.shape.join("x")} of ${String(value.format)}`;
  if (value instanceof SvmPointer) return `svm ${value.size}`;
  if (value instanceof MemoryObject) return `memory ${value.size}`;
  if (value instanceof LocalMemory) return `local ${value.bytes}`;
  if (typeof value !== "object") return typeof value;
  if (isKernelArgument(value)) {
    const argument = value[kernelArgument]();
    if ("memory" in argument) return describeArgument(argument.memory);
    if ("local" in argument) return describeArgument(argument.local);
    return "bytes" in argument ? `${argument.bytes.byteLength} bytes` : "sampler";
  }
  return ArrayBuffer.isView(value) ? `${value.byteLength} bytes` : (value.constructor?.name ?? "object");
}

function isKernelArgument(value: object): value is KernelArgument {
  return kernelArgument in value;
}
