// Program queries with plain values, and queries of a build for a device.

import { ProgramBuildInfo, ProgramInfo } from "../binding/constants.js";
import { bool, int32, raw, semicolonList, size, sizes, string, uint32 } from "./decode.js";
import { type Queries, query } from "./query.js";

/** Info properties of a program. */
export interface ProgramInfoProperties {
  /** The driver's reference count. */
  readonly referenceCount: number;
  /** Number of devices. */
  readonly numDevices: number;
  /** Source; empty if the program was not created from source. */
  readonly source: string;
  /** Size of the binary for each device, in bytes; 0 for a device without a binary. */
  readonly binarySizes: readonly number[];
  /** Number of kernels. */
  readonly numKernels: number;
  /** Names of the kernels. */
  readonly kernelNames: readonly string[];
  /** Intermediate language; empty if the program was not created from it. */
  readonly il: Uint8Array;
  /** Whether the program has constructors of program-scope variables. */
  readonly scopeGlobalCtorsPresent: boolean;
  /** Whether the program has destructors of program-scope variables. */
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

/** Info properties of a program's build for a device. */
export interface ProgramBuildProperties {
  /** Status of the build, a value of `BuildStatus`. */
  readonly status: number;
  /** Options of the last build, compilation or link. */
  readonly options: string;
  /** Build log. */
  readonly log: string;
  /** Kind of binary, a value of `ProgramBinaryType`. */
  readonly binaryType: number;
  /** Total size of the program-scope variables, in bytes. */
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
