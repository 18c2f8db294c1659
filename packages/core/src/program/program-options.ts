/** What programs are made, compiled and built with. */
import type { CompilerOptions } from "./build-options.js";
import type { Device } from "../platform/device.js";

/** How to make a program. */
export interface ProgramOptions {
  /** A name of yours, shown in errors. */
  readonly label?: string;
}

/** How to make a program of binaries. */
export interface ProgramBinaryOptions extends ProgramOptions {
  /**
   * Whether each binary must carry the checksum that `program.binaries` adds. `false` accepts bytes from other programs
   * too; drivers do not check them, and PoCL ends the process if they are damaged.
   *
   * @defaultValue true
   */
  readonly requireChecksum?: boolean;
}

/** How to make a program of source. */
export interface ProgramSourceOptions extends ProgramOptions {
  /**
   * Where a line of a generated source, from 1, comes from: `"line 3 of scale.cl"`. Errors of builds then say it. Undefined
   * for lines that come from nowhere else.
   */
  readonly origin?: (line: number) => string | undefined;
}

/** What compilers and linkers are told. */
export interface CompileOptions {
  /** Options; those of the environment's `CL_BUILD_OPTIONS` follow. */
  readonly options?: CompilerOptions;
  /** For which devices; all if not said. */
  readonly devices?: readonly Device[];
  /** Ends the wait; the compiler runs on. */
  readonly signal?: AbortSignal;
}

/** The names of {@link CompileOptions} but for the signal, which blocking calls do not take. */
export const compileNames = ["options", "devices"] as const;

/** How to build. */
export interface BuildOptions extends CompileOptions {
  /** Whether the disk cache is used; where it is faster than the runtime's own, if not said. */
  readonly cache?: boolean;
}

/** The names of {@link BuildOptions} but for the signal. */
export const buildNames = ["options", "devices", "cache"] as const;
