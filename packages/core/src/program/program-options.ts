/** Options of programs and builds. */
import type { CompilerOptions } from "./build-options.js";
import type { Device } from "../platform/device.js";

/** Options for creating a program. */
export interface ProgramOptions {
  /** Label shown in errors. */
  readonly label?: string;
}

/** Options for creating a program from binaries. */
export interface ProgramBinaryOptions extends ProgramOptions {
  /**
   * Whether each binary must have the checksum that `program.binaries` adds. `false` also accepts binaries from other
   * sources; drivers do not validate them, and PoCL crashes if they are damaged.
   *
   * @defaultValue true
   */
  readonly requireChecksum?: boolean;
}

/** Options for creating a program from source. */
export interface ProgramSourceOptions extends ProgramOptions {
  /**
   * Returns the origin of a line (from 1) of generated source, such as `"line 3 of scale.cl"`, which build errors then
   * show; `undefined` if the line has no other origin.
   */
  readonly origin?: (line: number) => string | undefined;
}

/** Options for compiling and linking. */
export interface CompileOptions {
  /** Compiler options; those of the environment variable `CL_BUILD_OPTIONS` are appended. */
  readonly options?: CompilerOptions;
  /**
   * Devices to compile for.
   * @defaultValue all devices of the program or context
   */
  readonly devices?: readonly Device[];
  /** Cancels the wait; the compiler continues. */
  readonly signal?: AbortSignal;
}

/** Option names of {@link CompileOptions}, except the signal, which blocking calls do not support. */
export const compileNames = ["options", "devices"] as const;

/** Options for building. */
export interface BuildOptions extends CompileOptions {
  /**
   * Whether to use the disk cache.
   * @defaultValue true on platforms where it is faster than the runtime's own cache
   */
  readonly cache?: boolean;
}

/** Option names of {@link BuildOptions}, except the signal. */
export const buildNames = ["options", "devices", "cache"] as const;
