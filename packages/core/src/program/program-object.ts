/** What can be asked of a program: what it was made of, how its builds went, its binaries. */
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

/** What a program remembers besides what the driver does. */
export interface ProgramState {
  /** What the last build did for each device. */
  readonly records: Map<Device, BuildRecord>;
  /** The devices of a build that runs. */
  busy: readonly Device[];
  /** Known until the next build. */
  kernelNames: readonly string[] | undefined;
  /** Whether the native program came from the cache, and so has no source. */
  isCached: boolean;
  /** Where a line of the source comes from. */
  readonly origin: ((line: number) => string | undefined) | undefined;
  /** Whether somebody else may know the native program, so that no other may take its place. */
  isShared: boolean;
  /** Texts of the headers that it was compiled with. */
  headers: ReadonlyMap<string, string>;
  /** For a linked program: what its parts were compiled from. */
  linked: readonly SourceText[];
  /** Types of the last build's source, once they were needed. */
  types: ProgramTypes | undefined;
}

/** The asking half of {@link Program}. */
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

  /** @internal Where a line of the source comes from, for errors. */
  get origin(): ProgramState["origin"] {
    return this.#state.origin;
  }

  /** @internal What its kernels were compiled from; nothing if that is not known, or differs between devices. */
  get sourceTexts(): readonly SourceText[] {
    const { records, headers, linked } = this.#state;
    const [options, ...others] = new Set([...records.values()].map((record) => record.options));
    if (this.#source === undefined) return linked;
    return options === undefined || others.length > 0 ? [] : [{ source: this.#source, options, headers }];
  }

  /** @internal The types that its source declares. */
  get types(): ProgramTypes {
    return (this.#state.types ??= new ProgramTypes(this.sourceTexts, this.#devices));
  }

  /** The names of its kernels. */
  get kernelNames(): readonly string[] {
    if (this.#state.busy.length > 0) {
      throw invalidOperation("clGetProgramInfo", "this program is being built: wait for that first");
    }
    try {
      this.#state.kernelNames ??= Object.freeze(
        infoOf(this, programQueries, "kernelNames").map((name) => plainName(name, this.#source)),
      );
    } catch (error) {
      throw isUnbuilt(error)
        ? invalidOperation("clGetProgramInfo", "this program is not built: await program.build() first")
        : error;
    }
    return this.#state.kernelNames;
  }

  /** How many kernels it has. */
  get numKernels(): number {
    return this.kernelNames.length;
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** The devices that it is for. */
  get devices(): readonly Device[] {
    return this.#devices;
  }

  /** How many devices it is for. */
  get numDevices(): number {
    return this.#devices.length;
  }

  /** Its source; undefined if it was made of something else. */
  get source(): string | undefined {
    return this.#source;
  }

  /** Its SPIR-V; undefined if it was made of something else. */
  get il(): Uint8Array | undefined {
    try {
      const il = infoOf(this, programQueries, "il");
      return il.length === 0 ? undefined : il;
    } catch (error) {
      if (error instanceof OpenCLError) return undefined;
      throw error;
    }
  }

  /** Where its build stands for a device, of `BuildStatus`. */
  status(device: Device): BuildStatus {
    this.#checkDevice(device);
    if (this.#state.busy.includes(device)) return BuildStatus.IN_PROGRESS;
    if (this.#isUntouched(device)) return BuildStatus.NONE;
    return this.#buildQuery(device, "status", BuildStatus.NONE) as BuildStatus;
  }

  /** What the compiler said for a device at the last build; warnings too. Empty before. */
  log(device: Device): string {
    this.#checkDevice(device);
    return this.#state.records.get(device)?.log ?? this.#buildQuery(device, "log", "").trimEnd();
  }

  /** The options of the last build for a device, as the driver got them. Empty before. */
  options(device: Device): string {
    this.#checkDevice(device);
    return this.#state.records.get(device)?.options ?? this.#buildQuery(device, "options", "");
  }

  /** What its binary for a device is, of `ProgramBinaryType`. */
  binaryType(device: Device): ProgramBinaryType {
    this.#checkDevice(device);
    if (this.#isUntouched(device)) return ProgramBinaryType.NONE;
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
   * Its binary for each device; null where it is not built. A header with a checksum precedes the driver's bytes, which
   * `driverBinary` returns. PoCL compiles for this, so {@link fetchBinaries} is better there.
   */
  get binaries(): ReadonlyMap<Device, Uint8Array | null> {
    const all = this.#unlessUnbuilt(() => this.#askForBinaries((program) => native.programBinaries(program)), []);
    return this.#byDevice(all, framed);
  }

  /** Like {@link binaries}, without blocking. */
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
      const all = native.programBinaries(twin);
      return this.#byDevice(all, framed);
    } finally {
      native.recycle(twin);
    }
  }

  /** Bytes of its binary for each device, header included; 0 where it is not built. */
  get binarySizes(): ReadonlyMap<Device, number> {
    const all = this.#unlessUnbuilt(() => infoOf(this, programQueries, "binarySizes"), []);
    return this.#byDevice(all, (size) => (size ? frameBytes + size : 0));
  }

  /** References that the driver counts; each kernel has one. */
  get referenceCount(): number {
    return infoOf(this, programQueries, "referenceCount");
  }

  /** The raw answer of any query. */
  override getInfo(param: number): Uint8Array {
    checkInteger(param, "param", 0, 0xffffffff);
    const read = (program: Handle): Uint8Array => native.getInfo(program, param);
    return param === ProgramInfo.BINARY_SIZES ? this.#askForBinaries(read) : read(handleOf(this));
  }

  /** The raw answer of any query about the build for a device. */
  getBuildInfo(device: Device, param: number): Uint8Array {
    this.#checkDevice(device);
    return native.getBuildInfo(handleOf(this), handleOf(device), checkInteger(param, "param", 0, 0xffffffff));
  }

  /** Sets a specialization constant of SPIR-V, before the build: its id, and the value's bytes. */
  setSpecializationConstant(id: number, value: ArrayBufferView): this {
    checkInteger(id, "id", 0, 0xffffffff);
    if (!isView(value) || ![1, 2, 4, 8].includes(byteLengthOf(value))) {
      throw typeError("value", "a typed array with the value, such as Int32Array.of(3)", value);
    }
    // PoCL ends the process when it is asked for one of another program.
    if (this.il === undefined) {
      throw wrongState("only a program of SPIR-V (Program.fromIL) has specialization constants");
    }
    native.setSpecializationConstant(handleOf(this), id, bytesOver(value));
    return this;
  }

  /** The address of the program object. From now on it stays the same, so builds do not use the cache. */
  override get pointer(): bigint {
    this.#state.isShared = true;
    return super.pointer;
  }

  #checkDevice(device: Device): void {
    checkInstance(device, Device, "device");
    if (!this.#devices.includes(device)) throw typeError("device", "one of the program's devices", device);
  }

  /** The driver answers for its own list of devices: that of PoCL has the whole device where we have parts of it. */
  #byDevice<T, R>(answers: readonly T[], convert: (answer: T | undefined) => R): Map<Device, R> {
    const order = pointers(native.getInfo(handleOf(this), ProgramInfo.DEVICES));
    const answer = (device: Device): T | undefined =>
      this.#isUntouched(device) ? undefined : answers[order.findIndex((pointer) => isOrContains(pointer, device))];
    return new Map(this.#devices.map((device) => [device, convert(answer(device))]));
  }

  /** Asks for what the driver may compile for; see `pocl-binaries.ts`. */
  #askForBinaries<T>(read: (program: Handle) => T): T {
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

  /** What is asked in this one's place, to be built; undefined where this one may be asked. */
  #twin(): Handle | undefined {
    const { records, busy, isCached } = this.#state;
    if (this.#source === undefined || isCached || busy.length > 0 || records.size === 0) return undefined;
    const isNeeded = this.#unlessUnbuilt(() => needsTwin(this.#context, handleOf(this), [...records.keys()]), false);
    return isNeeded ? twinOf(this.#context, this.#source) : undefined;
  }

  /** Never built for that device. PoCL has one status for all devices, so this is known here only. */
  #isUntouched(device: Device): boolean {
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

/** PoCL refuses questions about a program that is not built. */
function isUnbuilt(error: unknown): boolean {
  return (
    error instanceof OpenCLError &&
    (error.code === "CL_INVALID_PROGRAM" || error.code === "CL_INVALID_PROGRAM_EXECUTABLE")
  );
}

/** The error for a call that would only make the driver say CL_INVALID_OPERATION. */
export function invalidOperation(routine: string, message: string): OpenCLError {
  const { code, status } = driverError(routine, -59);
  return new OpenCLError(code, status, routine, message);
}

/** The devices that a program from elsewhere is for. Before it is built, the driver may not say. */
export function devicesOf(program: Handle, context: Context): readonly Device[] {
  const list = pointers(native.getInfo(program, ProgramInfo.DEVICES));
  const devices = context.devices.filter((device) => list.some((pointer) => isOrContains(pointer, device)));
  return devices.length === 0 ? context.devices : Object.freeze(devices);
}

/** Whether the address is that of the device, or of one that it is a part of. */
function isOrContains(pointer: bigint, device: Device): boolean {
  for (let one: Device | undefined = device; one !== undefined; one = one.parentDevice) {
    if (one.pointer === pointer) return true;
  }
  return false;
}
