/** Programs: sources, builds and kernels. */
import {
  abortable,
  checkFunction,
  checkInstance,
  checkOptions,
  checkSignal,
  checkString,
  typeError,
  unknownName,
} from "@cl/base";

import { adoptChecked, type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { readOptions } from "../program/build-options.js";
import { type Either, runAsync, runSync } from "../cache/either.js";
import { BuildStatus, ProgramInfo } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { pointer as decodePointer } from "../info/decode.js";
import { Kernel } from "./kernel.js";
import { native } from "../binding/native.js";
import { requireLinker } from "../program/pocl-linker.js";
import { type BuildRecords, buildProgram, publishBuild } from "../program/program-build.js";
import { checkHeaders, compileProgram, headerTexts } from "../program/program-compile.js";
import { devicesOf, invalidOperation, ProgramObject, type ProgramState } from "../program/program-object.js";
import {
  buildNames,
  type BuildOptions,
  compileNames,
  type CompileOptions,
  type ProgramBinaryOptions,
  type ProgramOptions,
  type ProgramSourceOptions,
} from "../program/program-options.js";
import { type LinkPlan, linkPrograms } from "../program/program-link.js";
import {
  binariesProgram,
  builtInProgram,
  chooseDevices,
  type DeviceBinaries,
  ilProgram,
  sourceProgram,
} from "../program/program-sources.js";
import { Adopted, handleOf, replaceHandle } from "../binding/resource.js";
import type { KernelArguments, KernelNames, KernelParameterNames } from "../typed/index.js";

/** Headers by the name used in `#include`: their text, or a program created from it. */
export type Headers = Readonly<Record<string, string | Program>>;

/**
 * A program. If the source is a literal, the names and argument types of its kernels are inferred from it.
 *
 * @example
 * ```ts
 * const program = await new Program(context, "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2; }").build();
 * program.kernel("twice").launch(queue, { global: 3 }, x);
 * ```
 */
export class Program<S extends string = string> extends ProgramObject {
  readonly #kernels = new Map<string, Kernel>();
  readonly #state: ProgramState;

  /** Creates a program from OpenCL C source; it must be built before its kernels can be used. */
  constructor(context: Context, source: S, options?: ProgramSourceOptions);
  /** @internal */
  constructor(context: Context, adopted: Adopted, devices: readonly Device[]);
  constructor(context: Context, source: S | Adopted, given?: ProgramSourceOptions | readonly Device[]) {
    checkInstance(context, Context, "context");
    const options =
      source instanceof Adopted ? source : checkOptions(given as ProgramSourceOptions | undefined, ["origin", "label"]);
    const { label, origin } = options as ProgramSourceOptions;
    if (origin !== undefined) checkFunction(origin, "options.origin");
    const state: ProgramState = {
      records: new Map(),
      busy: [],
      kernelNames: undefined,
      origin,
      isCached: false,
      isShared: false,
      headers: new Map(),
      linked: [],
      types: undefined,
    };
    if (source instanceof Adopted) {
      super(source.handle, context, given as readonly Device[], state, undefined, label);
      state.isShared = true;
    } else {
      super(sourceProgram(context, source), context, context.devices, state, source, label);
    }
    this.#state = state;
  }

  /**
   * Creates a program from binaries, one per device. It must be built, which links it. Throws if the checksum of a
   * binary does not match.
   */
  static fromBinaries(context: Context, binaries: DeviceBinaries, options?: ProgramBinaryOptions): Program {
    checkInstance(context, Context, "context");
    const { label, requireChecksum = true } = checkOptions(options, ["label", "requireChecksum"]);
    if (typeof requireChecksum !== "boolean") {
      throw typeError("options.requireChecksum", "true or false", requireChecksum);
    }
    requireLinker(context.platform, "clCreateProgramWithBinary");
    const { handle, devices } = binariesProgram(context, binaries, requireChecksum);
    return new Program(context, new Adopted(handle, label), devices);
  }

  /** Creates a program from SPIR-V, in either byte order. */
  static fromIL(context: Context, il: Uint8Array, options?: ProgramOptions): Program {
    checkInstance(context, Context, "context");
    const { label } = checkOptions(options, ["label"]);
    return new Program(context, new Adopted(ilProgram(context, il), label), context.devices);
  }

  /**
   * Creates a program of the devices' built-in kernels, which need not be built. Defaults to all devices of the
   * context.
   */
  static fromBuiltInKernels(
    context: Context,
    names: readonly string[],
    devices?: readonly Device[],
    options?: ProgramOptions,
  ): Program {
    checkInstance(context, Context, "context");
    const { label } = checkOptions(options, ["label"]);
    const chosen = chooseDevices(devices, context.devices, "the context");
    const program = new Program(context, new Adopted(builtInProgram(context, names, chosen), label), chosen);
    program.#state.kernelNames = Object.freeze([...names]);
    return program;
  }

  /** Returns a program for an existing `cl_program`. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): Program {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    let devices: readonly Device[] = [];
    const handle = adoptChecked("program", pointer, retain, (adopted) => {
      if (decodePointer(native.getInfo(adopted, ProgramInfo.CONTEXT)) !== context.pointer) {
        throw typeError("pointer", "the address of a program in this context", pointer);
      }
      devices = devicesOf(adopted, context);
    });
    return new Program(context, new Adopted(handle, label), devices);
  }

  /**
   * Links compiled programs into one program with all their kernels.
   *
   * @example
   * ```ts
   * const parts = [new Program(context, main), new Program(context, library)];
   * for (const part of parts) await part.compile({ headers: { "library.h": header } });
   * const program = await Program.link(context, parts);
   * ```
   */
  static async link(
    context: Context,
    programs: readonly Program[],
    options?: CompileOptions & ProgramOptions,
  ): Promise<Program> {
    const given = checkOptions(options, [...compileNames, "label", "signal"]);
    const plan = linkPlan(context, programs, given);
    const signal = checkSignal(given.signal);
    signal?.throwIfAborted();
    return abortable(runAsync(Program.#link(plan, given.label)), signal);
  }

  /** Like {@link Program.link}, but blocks the event loop. */
  static linkSync(
    context: Context,
    programs: readonly Program[],
    options?: Omit<CompileOptions, "signal"> & ProgramOptions,
  ): Program {
    const given = checkOptions(options, [...compileNames, "label"]);
    return runSync(Program.#link(linkPlan(context, programs, given), given.label));
  }

  /** Builds the program on a worker thread. Rejects with a `BuildError` on failure; warnings are in {@link log}. */
  async build(options?: BuildOptions): Promise<this> {
    const given = checkOptions(options, [...buildNames, "signal"]);
    const signal = checkSignal(given.signal);
    signal?.throwIfAborted();
    await abortable(runAsync(this.#build(given)), signal);
    return this;
  }

  /** Like {@link build}, but blocks the event loop. */
  buildSync(options?: Omit<BuildOptions, "signal">): this {
    runSync(this.#build(checkOptions(options, buildNames)));
    return this;
  }

  /** Compiles the program on a worker thread without linking it. Rejects with a `BuildError` on failure. */
  async compile(options?: CompileOptions & { readonly headers?: Headers }): Promise<this> {
    const given = checkOptions(options, [...compileNames, "headers", "signal"]);
    const signal = checkSignal(given.signal);
    signal?.throwIfAborted();
    await abortable(runAsync(this.#compile(given)), signal);
    return this;
  }

  /** Like {@link compile}, but blocks the event loop. */
  compileSync(options?: Omit<CompileOptions, "signal"> & { readonly headers?: Headers }): this {
    runSync(this.#compile(checkOptions(options, [...compileNames, "headers"])));
    return this;
  }

  *#build({ options, devices, cache }: BuildOptions): Either<void> {
    if (cache !== undefined && typeof cache !== "boolean") throw typeError("cache", "true or false", cache);
    const chosen = chooseDevices(devices, this.devices, "the program");
    const compilerOptions = readOptions(options);
    yield* this.#exclusively(chosen, "clBuildProgram", () =>
      buildProgram({
        program: this,
        context: this.context,
        devices: chosen,
        options: compilerOptions,
        source: this.source,
        isCached: this.#state.isCached,
        cache,
        mayCache: !this.#state.isShared && chosen.length === this.devices.length,
        setRecords: (records, cached) => {
          this.#state.isCached = cached;
          this.#setRecords(records);
        },
      }),
    );
  }

  *#compile({ options, devices, headers }: CompileOptions & { readonly headers?: Headers }): Either<void> {
    const chosen = chooseDevices(devices, this.devices, "the program");
    const compilerOptions = readOptions(options);
    const checked = checkHeaders(headers);
    yield* this.#exclusively(chosen, "clCompileProgram", () => {
      this.#state.headers = headerTexts(checked);
      if (this.#state.isCached && this.source !== undefined) {
        replaceHandle(this, native.programFromSource(handleOf(this.context), this.source));
        this.#state.isCached = false;
      }
      return compileProgram({
        program: this,
        context: this.context,
        devices: chosen,
        options: compilerOptions,
        headers: checked,
        setRecords: (records) => this.#setRecords(records),
      });
    });
  }

  /** Runs a build; throws if another one is running or if kernels of the previous build are in use. */
  *#exclusively(devices: readonly Device[], routine: string, work: () => Either<void>): Either<void> {
    handleOf(this);
    if (this.#state.busy.length > 0) {
      throw invalidOperation(routine, "this program is being built; await that build first");
    }
    const names = [...this.#kernels.values()].filter((kernel) => !kernel.released).map((kernel) => kernel.name);
    if (names.length > 0) {
      throw invalidOperation(
        routine,
        `kernels of this program exist (${names.join(", ")}); release them before building it again`,
      );
    }
    requireLinker(this.context.platform, routine);
    this.#state.busy = devices;
    this.#state.kernelNames = undefined;
    try {
      yield* work();
    } finally {
      this.#state.busy = [];
    }
  }

  #setRecords(records: BuildRecords): void {
    for (const [device, record] of records) this.#state.records.set(device, record);
    this.#state.types = undefined;
  }

  static *#link(plan: LinkPlan, label: string | undefined): Either<Program> {
    const start = performance.now();
    const { handle, records } = yield* linkPrograms(plan);
    const program = new Program(plan.context, new Adopted(handle, label), plan.devices);
    program.#setRecords(records);
    program.#state.linked = plan.programs.flatMap((part) => part.sourceTexts);
    publishBuild(program, start, records, false);
    return program;
  }

  /**
   * Returns a kernel by name: the same object each time until it is released. For a kernel object with separate
   * arguments, use `new Kernel(program, name)`.
   */
  kernel<N extends KernelNames<S>>(name: N): Kernel<KernelArguments<S, N>, KernelParameterNames<S, N>> {
    handleOf(this);
    let kernel = this.#kernels.get(name);
    if (kernel === undefined || kernel.released) {
      checkString(name, "name");
      const names = this.kernelNames;
      if (!names.includes(name)) {
        throw unknownName(
          `kernel of ${this.label === undefined ? "this program" : `program "${this.label}"`}`,
          name,
          names,
        );
      }
      kernel = new Kernel(this, name);
      this.#kernels.set(name, kernel);
    }
    return kernel;
  }

  /** Returns all kernels, in the driver's order. */
  kernels(): readonly Kernel[] {
    return this.kernelNames.map((name) => this.kernel(name as KernelNames<S>) as unknown as Kernel);
  }
}

function linkPlan(context: Context, programs: readonly Program[], given: CompileOptions): LinkPlan {
  checkInstance(context, Context, "context");
  if (!Array.isArray(programs) || programs.length === 0) {
    throw typeError("programs", "an array of at least one compiled Program", programs);
  }
  const inputs: readonly Program[] = programs;
  inputs.forEach((program, i) => {
    checkInstance(program, Program, `programs[${i}]`);
    if (!program.context.equals(context)) throw typeError(`programs[${i}]`, "a Program of the same context", program);
  });
  const { options, devices } = given;
  requireLinker(context.platform, "clLinkProgram");
  const chosen = chooseDevices(devices, context.devices, "the context");
  // NVIDIA's driver links uncompiled sources to a program without kernels.
  inputs.forEach((program, i) => {
    const untouched = (device: Device): boolean =>
      program.devices.includes(device) && program.status(device) === BuildStatus.NONE;
    if (program.source !== undefined && chosen.some(untouched)) {
      throw invalidOperation("clLinkProgram", `programs[${i}] is not compiled; call its compile() first`);
    }
  });
  return {
    context,
    programs,
    devices: chosen,
    options: readOptions(options),
  };
}
