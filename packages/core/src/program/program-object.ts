/** Base class of programs: queries of the source, builds and binaries. */
import {
  byteLengthOf,
  bytesOver,
  checkInstance,
  checkInteger,
  checkOptions,
  isView,
  typeError,
  wrongState,
} from "@cl/base";

import { completionOf } from "../binding/completion.js";
import { BuildStatus, ProgramBinaryType, ProgramInfo } from "../binding/constants.js";
import type { Context } from "../platform/context.js";
import { Device } from "../platform/device.js";
import { driverError, OpenCLError } from "../binding/errors.js";
import { pointers } from "../info/decode.js";
import { type ProgramBuildProperties, programBuildQueries, programQueries } from "../info/program-info.js";
import { ask, infoOf } from "../info/query.js";
import { type Handle, native } from "../binding/native.js";
import { frameBinary, frameBytes } from "./framed-binary.js";
import { needsTwin, twinOf } from "./pocl-binaries.js";
import { plainName } from "./pocl-names.js";
import type { BuildRecord } from "./program-build.js";
import { ProgramTypes, type SourceText } from "./program-types.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { handleOf } from "../binding/resource.js";

/** Program state that the driver does not have. */
export interface ProgramState {
  /** Options and log of the last build for each device. */
  readonly records: Map<Device, BuildRecord>;
  /** Devices of the running build. */
  busy: readonly Device[];
  /** Cached until the next build. */
  kernelNames: readonly string[] | undefined;
  /** Whether the native program was loaded from the cache and therefore has no source. */
  isCached: boolean;
  /** Returns the origin of a source line. */
  readonly origin: ((line: number) => string | undefined) | undefined;
  /** Whether other code may have the native program, which then must not be replaced. */
  isShared: boolean;
  /** Texts of the headers used in the last compilation. */
  headers: ReadonlyMap<string, string>;
  /** Sources of the programs that a linked program consists of. */
  linked: readonly SourceText[];
  /** Types declared in the source of the last build; read on demand. */
  types: ProgramTypes | undefined;
}

/** Query methods of {@link Program}. */
export abstract class ProgramObject extends QueriedResource {
  readonly #context: Context;
  readonly #source: string | undefined;
  readonly #devices: readonly Device[];
  readonly #state: ProgramState;

  /** @internal */
  protected constructor(
    handle: Handle,
    context: Context,
    devices: readonly Device[],
    state: ProgramState,
    source?: string,
    label?: string,
  ) {
    super(handle, label);
    this.#context = context;
    this.#devices = devices;
    this.#source = source;
    this.#state = state;
  }

  /** @internal Returns the origin of a source line, for errors. */
  get origin(): ProgramState["origin"] {
    return this.#state.origin;
  }

  /** @internal Sources of the kernels; empty if unknown or different between devices. */
  get sourceTexts(): readonly SourceText[] {
    const { records, headers, linked } = this.#state;
    const [options, ...others] = new Set([...records.values()].map((record) => record.options));
    if (this.#source === undefined) return linked;
    return options === undefined || others.length > 0 ? [] : [{ source: this.#source, options, headers }];
  }

  /** @internal The types declared in the source. */
  get types(): ProgramTypes {
    return (this.#state.types ??= new ProgramTypes(this.sourceTexts, this.#devices));
  }

  /** Names of the kernels. */
  get kernelNames(): readonly string[] {
    if (this.#state.busy.length > 0) {
      throw invalidOperation("clGetProgramInfo", "this program is being built; await that build first");
    }
    try {
      this.#state.kernelNames ??= Object.freeze(
        infoOf(this, programQueries, "kernelNames").map((name) => plainName(name, this.#source)),
      );
    } catch (error) {
      throw isUnbuilt(error)
        ? invalidOperation("clGetProgramInfo", "this program is not built; await program.build() first")
        : error;
    }
    return this.#state.kernelNames;
  }

  /** Number of kernels. */
  get numKernels(): number {
    return this.kernelNames.length;
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** The program's devices. */
  get devices(): readonly Device[] {
    return this.#devices;
  }

  /** Number of devices. */
  get numDevices(): number {
    return this.#devices.length;
  }

  /** OpenCL C source; `undefined` if the program was not created from source. */
  get source(): string | undefined {
    return this.#source;
  }

  /** SPIR-V; `undefined` if the program was not created from SPIR-V. */
  get il(): Uint8Array | undefined {
    try {
      const il = infoOf(this, programQueries, "il");
      return il.length === 0 ? undefined : il;
    } catch (error) {
      if (error instanceof OpenCLError) return undefined;
      throw error;
    }
  }

  /** Returns the build status for a device. */
  status(device: Device): BuildStatus {
    this.#checkDevice(device);
    if (this.#state.busy.includes(device)) return BuildStatus.IN_PROGRESS;
    if (this.#neverBuilt(device)) return BuildStatus.NONE;
    return this.#buildQuery(device, "status", BuildStatus.NONE) as BuildStatus;
  }

  /** Returns the log of the last build for a device, including warnings; empty before the first build. */
  log(device: Device): string {
    this.#checkDevice(device);
    return this.#state.records.get(device)?.log ?? this.#buildQuery(device, "log", "").trimEnd();
  }

  /** Returns the options passed to the driver in the last build for a device; empty before the first build. */
  options(device: Device): string {
    this.#checkDevice(device);
    return this.#state.records.get(device)?.options ?? this.#buildQuery(device, "options", "");
  }

  /** Returns the type of the binary for a device. */
  binaryType(device: Device): ProgramBinaryType {
    this.#checkDevice(device);
    if (this.#neverBuilt(device)) return ProgramBinaryType.NONE;
    return this.#buildQuery(device, "binaryType", ProgramBinaryType.NONE) as ProgramBinaryType;
  }

  /** {@link status} of every device. */
  get statuses(): ReadonlyMap<Device, BuildStatus> {
    return new Map(this.#devices.map((device) => [device, this.status(device)]));
  }

  /** {@link log} of every device. */
  get logs(): ReadonlyMap<Device, string> {
    return new Map(this.#devices.map((device) => [device, this.log(device)]));
  }

  /**
   * Binaries by device; `null` if the program is not built for a device. A binary starts with a header that contains a
   * checksum; `driverBinary` returns the driver's bytes. PoCL compiles kernels for this query, so prefer
   * {@link fetchBinaries} there.
   */
  get binaries(): ReadonlyMap<Device, Uint8Array | null> {
    const binaries = this.#unlessUnbuilt(() => this.#queryBinaries((program) => native.programBinaries(program)), []);
    return this.#byDevice(binaries, framed);
  }

  /** Returns {@link binaries} without blocking the event loop. */
  async fetchBinaries(options?: { readonly signal?: AbortSignal }): Promise<ReadonlyMap<Device, Uint8Array | null>> {
    const { signal } = checkOptions(options, ["signal"]);
    const twin = this.#twin();
    if (twin === undefined) {
      await completionOf((id) => native.prepareBinaries(handleOf(this), id), signal);
      return this.binaries;
    }
    try {
      for (const [device, { options: text }] of this.#state.records) {
        const list = Int32Array.of(handleOf(device));
        const status = await completionOf((id) => native.buildProgram(twin, list, text, id), signal);
        if (status !== 0) throw driverError("clBuildProgram", status);
      }
      await completionOf((id) => native.prepareBinaries(twin, id), signal);
      return this.#byDevice(native.programBinaries(twin), framed);
    } finally {
      await completionOf((id) => native.discardProgram(twin, id));
    }
  }

  /** Sizes of the binaries by device, in bytes, including the header; 0 if the program is not built for a device. */
  get binarySizes(): ReadonlyMap<Device, number> {
    const sizes = this.#unlessUnbuilt(() => infoOf(this, programQueries, "binarySizes"), []);
    return this.#byDevice(sizes, (size) => (size ? frameBytes + size : 0));
  }

  /** The driver's reference count; each kernel holds a reference. */
  get referenceCount(): number {
    return infoOf(this, programQueries, "referenceCount");
  }

  /** Returns the raw answer to any query. */
  override getInfo(param: number): Uint8Array {
    checkInteger(param, "param", 0, 0xffffffff);
    const read = (program: Handle): Uint8Array => native.getInfo(program, param);
    return param === ProgramInfo.BINARY_SIZES ? this.#queryBinaries(read) : read(handleOf(this));
  }

  /** Returns the raw answer to any build query for a device. */
  getBuildInfo(device: Device, param: number): Uint8Array {
    this.#checkDevice(device);
    return native.getBuildInfo(handleOf(this), handleOf(device), checkInteger(param, "param", 0, 0xffffffff));
  }

  /** Sets a specialization constant of a SPIR-V program, by id, to the bytes of `value`. Call before the build. */
  setSpecializationConstant(id: number, value: ArrayBufferView): this {
    checkInteger(id, "id", 0, 0xffffffff);
    if (!isView(value) || ![1, 2, 4, 8].includes(byteLengthOf(value))) {
      throw typeError("value", "a typed array with the value, such as Int32Array.of(3)", value);
    }
    // PoCL 3.1 aborts for other programs that are not built.
    if (this.il === undefined) {
      throw wrongState("specialization constants are only supported for SPIR-V programs (Program.fromIL)");
    }
    native.setSpecializationConstant(handleOf(this), id, bytesOver(value));
    return this;
  }

  /** The address of the `cl_program`. Once read, it stays the same, so later builds do not use the cache. */
  override get pointer(): bigint {
    this.#state.isShared = true;
    return super.pointer;
  }

  #checkDevice(device: Device): void {
    checkInstance(device, Device, "device");
    if (!this.#devices.includes(device)) throw typeError("device", "one of the program's devices", device);
  }

  /** Maps answers to devices, in the driver's order. PoCL's list has the root device instead of sub-devices. */
  #byDevice<T, R>(answers: readonly T[], convert: (answer: T | undefined) => R): Map<Device, R> {
    const order = pointers(native.getInfo(handleOf(this), ProgramInfo.DEVICES));
    const answer = (device: Device): T | undefined =>
      this.#neverBuilt(device) ? undefined : answers[order.findIndex((pointer) => isOrContains(pointer, device))];
    return new Map(this.#devices.map((device) => [device, convert(answer(device))]));
  }

  /** Runs a query that may compile kernels; see `pocl-binaries.ts`. */
  #queryBinaries<T>(read: (program: Handle) => T): T {
    const twin = this.#twin();
    if (twin === undefined) return read(handleOf(this));
    try {
      for (const [device, { options }] of this.#state.records) {
        const status = native.buildProgram(twin, Int32Array.of(handleOf(device)), options, undefined);
        if (status !== 0) throw driverError("clBuildProgram", status ?? 0);
      }
      return read(twin);
    } finally {
      native.recycle(twin);
    }
  }

  /** Returns an unbuilt twin to query instead of this program; `undefined` if none is needed. */
  #twin(): Handle | undefined {
    const { records, busy, isCached } = this.#state;
    if (this.#source === undefined || isCached || busy.length > 0 || records.size === 0) return undefined;
    const isNeeded = this.#unlessUnbuilt(() => needsTwin(this.#context, handleOf(this), [...records.keys()]), false);
    return isNeeded ? twinOf(this.#context, this.#source) : undefined;
  }

  /** Returns whether the program was never built for a device. PoCL has only one status for all devices. */
  #neverBuilt(device: Device): boolean {
    return this.#source !== undefined && !this.#state.isShared && !this.#state.records.has(device);
  }

  #buildQuery<K extends keyof ProgramBuildProperties>(
    device: Device,
    name: K,
    otherwise: ProgramBuildProperties[K],
  ): ProgramBuildProperties[K] {
    return this.#unlessUnbuilt(
      () => ask(programBuildQueries, name, (param) => this.getBuildInfo(device, param)),
      otherwise,
    );
  }

  #unlessUnbuilt<T>(read: () => T, otherwise: T): T {
    try {
      return read();
    } catch (error) {
      if (isUnbuilt(error)) return otherwise;
      throw error;
    }
  }

  protected override summary(): string {
    if (this.#state.busy.length > 0) return "being built";
    const names = this.#unlessUnbuilt(() => infoOf(this, programQueries, "kernelNames"), undefined);
    if (names === undefined) return "not built";
    return `${names.length} kernel${names.length === 1 ? "" : "s"}${names.length === 0 ? "" : `: ${names.slice(0, 8).join(", ")}`}`;
  }
}

function framed(binary: Uint8Array | undefined): Uint8Array | null {
  return binary?.length ? frameBinary(binary) : null;
}

/** Returns whether a query failed because the program is not built, as on PoCL. */
function isUnbuilt(error: unknown): boolean {
  return (
    error instanceof OpenCLError &&
    (error.code === "CL_INVALID_PROGRAM" || error.code === "CL_INVALID_PROGRAM_EXECUTABLE")
  );
}

/** Returns a CL_INVALID_OPERATION error with a clearer message than the driver's. */
export function invalidOperation(routine: string, message: string): OpenCLError {
  const { code, status } = driverError(routine, -59);
  return new OpenCLError(code, status, routine, message);
}

/** Returns the devices of an existing program; all of the context if the driver does not report them before a build. */
export function devicesOf(program: Handle, context: Context): readonly Device[] {
  const list = pointers(native.getInfo(program, ProgramInfo.DEVICES));
  const devices = context.devices.filter((device) => list.some((pointer) => isOrContains(pointer, device)));
  return devices.length === 0 ? context.devices : Object.freeze(devices);
}

/** Returns whether the address is that of the device or of one of its parents. */
function isOrContains(pointer: bigint, device: Device): boolean {
  for (let current: Device | undefined = device; current !== undefined; current = current.parentDevice) {
    if (current.pointer === pointer) return true;
  }
  return false;
}
