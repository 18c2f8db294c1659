/** Base class of kernels: queries and settings that do not concern arguments or launches. */
import { checkCString, checkInstance, checkInteger, checkList, typeError } from "@cl/base";

import { adoptChecked } from "../binding/adopt.js";
import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf, type Resource } from "../binding/resource.js";
import { KernelInfo, KernelSubGroupInfo } from "../binding/constants.js";
import { pointer as decodePointer } from "../info/decode.js";
import {
  type KernelSubGroupProperties,
  kernelQueries,
  kernelSubGroupQueries,
  type KernelWorkGroupProperties,
  kernelWorkGroupQueries,
} from "../info/kernel-info.js";
import { ask, infoOf } from "../info/query.js";
import type { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { type CommandStatistics, statisticsHandle } from "../profile/command-statistics.js";
import { plainName } from "../program/pocl-names.js";
import { ProgramObject } from "../program/program-object.js";
import { checkSvm } from "../transfer/svm-commands.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import { requireSvm } from "../platform/svm-support.js";
import { checkInput, lazyProperties } from "./kernel-queries.js";

/** Properties of kernels that do not concern their arguments and launches. */
export abstract class KernelObject<P extends ProgramObject = ProgramObject> extends QueriedResource {
  readonly #program: P;
  readonly #name: string;
  #statistics: CommandStatistics | undefined;

  /** @internal */
  protected constructor(program: P, name: string | Adopted) {
    if (name instanceof Adopted) {
      super(name.handle, name.label);
    } else {
      checkProgram(program);
      super(native.createKernel(handleOf(program), checkCString(name, "name")));
    }
    this.#program = program;
    this.#name =
      name instanceof Adopted
        ? plainName(
            ask(kernelQueries, "functionName", (param) => native.getInfo(name.handle, param)),
            program.source,
          )
        : name;
  }

  /** The kernel's name in errors. */
  protected get displayName(): string {
    return `kernel "${this.#name}"`;
  }

  /** The kernel function's name. */
  get name(): string {
    return this.#name;
  }

  /** Statistics that record launches on profiling queues, except those of bound kernels; `undefined` for none. */
  get statistics(): CommandStatistics | undefined {
    return this.#statistics;
  }

  set statistics(value: CommandStatistics | undefined) {
    native.setKernelStatistics(handleOf(this), statisticsHandle(value));
    this.#statistics = value;
  }

  /** The kernel's program. */
  get program(): P {
    return this.#program;
  }

  /** The context. */
  get context(): Context {
    return this.#program.context;
  }

  /** `__attribute__` qualifiers of the source, such as `reqd_work_group_size(8,1,1)`. */
  get attributes(): string {
    return infoOf(this, kernelQueries, "attributes");
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, kernelQueries, "referenceCount");
  }

  /** Returns the kernel's work-group limits and resources on a device; defaults to the context's first device. */
  workGroup(device: Device = this.context.devices[0] as Device): KernelWorkGroupProperties {
    checkInstance(device, Device, "device");
    const read = (param: number): Uint8Array => this.getWorkGroupInfo(param, device);
    return lazyProperties(kernelWorkGroupQueries, read);
  }

  /** Returns the raw answer to any work-group query. */
  getWorkGroupInfo(param: number, device: Device = this.context.devices[0] as Device): Uint8Array {
    return native.getWorkGroupInfo(
      handleOf(this),
      handleOf(checkInstance(device, Device, "device")),
      checkInteger(param, "param", 0, 0xffffffff),
    );
  }

  /** Returns the kernel's sub-group properties on a device, for a local size or a number of sub-groups. */
  subGroup(
    input: readonly number[] = [],
    device: Device = this.context.devices[0] as Device,
  ): KernelSubGroupProperties {
    checkInput(input);
    checkInstance(device, Device, "device");
    return lazyProperties(kernelSubGroupQueries, (param) => this.getSubGroupInfo(param, input, device));
  }

  /** Returns the raw answer to any sub-group query. */
  getSubGroupInfo(
    param: number,
    input: readonly number[] = [],
    device: Device = this.context.devices[0] as Device,
  ): Uint8Array {
    const sizes = BigUint64Array.from(checkInput(input), BigInt);
    if (sizes.length === 0 && needsInput.has(param)) throw typeError("input", "given for this query", input);
    const handle = handleOf(checkInstance(device, Device, "device"));
    return native.getSubGroupInfo(handleOf(this), handle, checkInteger(param, "param", 0, 0xffffffff), sizes);
  }

  /**
   * Declares shared virtual memory that the kernel accesses through pointers inside its arguments; the arguments
   * themselves need not be declared. Replaces earlier declarations. The memory stays allocated while the kernel may use
   * it, even if its allocation is released. Clones and bound kernels created afterwards inherit the declaration.
   */
  setSvmPointers(svms: readonly SvmPointer[]): this {
    const handle = handleOf(this);
    if (!Array.isArray(svms) || svms.length === 0) {
      // Drivers reject an empty list.
      throw typeError("svms", "an array of SvmAllocation or Svm, at least one", svms);
    }
    const given = checkList(svms, "svms", "shared memory") as readonly SvmPointer[];
    const list = given.map((svm, i) => checkSvm(svm, `svms[${i}]`));
    if (list.every((svm) => svm.size === 0)) throw typeError("svms", "at least one non-empty memory", svms);
    native.setKernelSvm(handle, Int32Array.from(list, handleOf));
    return this;
  }

  /**
   * Declares whether the kernel accesses arbitrary memory of the process through pointers (fine-grained system SVM).
   */
  setSvmFineGrainSystem(reachesAll: boolean): this {
    const handle = handleOf(this);
    if (typeof reachesAll !== "boolean") throw typeError("reachesAll", "true or false", reachesAll);
    if (reachesAll) requireSvm(this.context, "clSetKernelExecInfo", "fine-system");
    native.setKernelReachesAll(handle, reachesAll);
    return this;
  }

  /**
   * The address of the `cl_kernel`. Once read, other code may set arguments, so every launch sets all of its arguments.
   */
  override get pointer(): bigint {
    native.shareKernel(handleOf(this));
    return super.pointer;
  }

  /** Returns whether both wrap the same OpenCL object. */
  override equals(other: unknown): boolean {
    // Not through `pointer`, whose getter marks the kernel as shared.
    return (
      this === other ||
      (other instanceof KernelObject && !this.released && !other.released && addressOf(this) === addressOf(other))
    );
  }
}

/** Throws unless `program` is a Program. */
function checkProgram(program: unknown): void {
  if (!(program instanceof ProgramObject)) throw typeError("program", "a Program", program);
}

/** Returns the handle for an existing `cl_kernel` of a program. */
export function adoptKernel(program: ProgramObject, address: bigint, retain: boolean): Handle {
  checkProgram(program);
  const own = program.pointer;
  return adoptChecked("kernel", address, retain, (adopted) => {
    if (decodePointer(native.getInfo(adopted, KernelInfo.PROGRAM)) !== own) {
      throw typeError("pointer", "the address of a kernel of this program", address);
    }
  });
}

/** Queries that need a local size or a number of sub-groups. */
const needsInput: ReadonlySet<number> = new Set([
  KernelSubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
  KernelSubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE,
  KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
]);

function addressOf(kernel: Resource): bigint {
  return native.pointerOf(handleOf(kernel));
}
