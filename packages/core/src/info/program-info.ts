// The program queries whose answers are plain values, and those of a build for one device.

import { ProgramBuildInfo, ProgramInfo } from "../binding/constants.js";
import { bool, int32, raw, semicolonList, size, sizes, string, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** What a program answers about itself. */
export interface ProgramInfoProperties {
  /** References to it, in the driver. */
  readonly referenceCount: number;
  /** How many devices it is for. */
  readonly numDevices: number;
  /** Its source; empty when it was made from something else. */
  readonly source: string;
  /** Bytes of its binary for each device; 0 where there is none. */
  readonly binarySizes: readonly number[];
  /** How many kernels it has. */
  readonly numKernels: number;
  /** Names of its kernels. */
  readonly kernelNames: readonly string[];
  /** Its intermediate language; empty when it was made from something else. */
  readonly il: Uint8Array;
  /** Whether it has constructors at program scope. */
  readonly scopeGlobalCtorsPresent: boolean;
  /** Whether it has destructors at program scope. */
  readonly scopeGlobalDtorsPresent: boolean;
}

/** Queries of {@link ProgramInfoProperties}. */
export const programQueries: Queries<ProgramInfoProperties> = {
  referenceCount: query(ProgramInfo.REFERENCE_COUNT, uint32),
  numDevices: query(ProgramInfo.NUM_DEVICES, uint32),
  source: query(ProgramInfo.SOURCE, string),
  binarySizes: query(ProgramInfo.BINARY_SIZES, sizes),
  numKernels: query(ProgramInfo.NUM_KERNELS, size, "1.2"),
  kernelNames: query(ProgramInfo.KERNEL_NAMES, semicolonList, "1.2"),
  il: query(ProgramInfo.IL, raw, "2.1"),
  scopeGlobalCtorsPresent: query(ProgramInfo.SCOPE_GLOBAL_CTORS_PRESENT, bool, "2.2"),
  scopeGlobalDtorsPresent: query(ProgramInfo.SCOPE_GLOBAL_DTORS_PRESENT, bool, "2.2"),
};

/** What a program answers about its build for one device. */
export interface ProgramBuildProperties {
  /** State of the build, of `BuildStatus`. */
  readonly status: number;
  /** Options of the last build, compilation or link. */
  readonly options: string;
  /** What the compiler said. */
  readonly log: string;
  /** What the binary is, of `ProgramBinaryType`. */
  readonly binaryType: number;
  /** Bytes of the variables at program scope. */
  readonly globalVariableTotalSize: number;
}

/** Queries of {@link ProgramBuildProperties}. */
export const programBuildQueries: Queries<ProgramBuildProperties> = {
  status: query(ProgramBuildInfo.STATUS, int32),
  options: query(ProgramBuildInfo.OPTIONS, string),
  log: query(ProgramBuildInfo.LOG, string),
  binaryType: query(ProgramBuildInfo.BINARY_TYPE, uint32, "1.2"),
  globalVariableTotalSize: query(ProgramBuildInfo.GLOBAL_VARIABLE_TOTAL_SIZE, size, "2.0"),
};
