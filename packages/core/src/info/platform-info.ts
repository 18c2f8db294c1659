// The platform queries.

import { PlatformInfo } from "../binding/constants.js";
import { size, string, uint32s, spaceList } from "./decode.js";
import { type NameVersion, nameVersions, version } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** Info properties of a platform. */
export interface PlatformProperties {
  /** Name of the platform. */
  readonly name: string;
  /** Name of the vendor. */
  readonly vendor: string;
  /** Supported OpenCL version, in the form `OpenCL major.minor …`. */
  readonly version: string;
  /** `FULL_PROFILE` or `EMBEDDED_PROFILE`. */
  readonly profile: string;
  /** Names of the extensions that all devices of the platform support. */
  readonly extensions: readonly string[];
  /** Resolution of the host timer, in nanoseconds; 0 if host and device times cannot be compared. */
  readonly hostTimerResolution: number;
  /** Supported OpenCL version. */
  readonly numericVersion: string;
  /** Supported extensions, with versions. */
  readonly extensionsWithVersion: readonly NameVersion[];
  /** Suffix of the vendor's extension functions. */
  readonly icdSuffixKhr: string;
  /** Handle types from which memory can be imported, values of `ExternalMemoryHandleType`. */
  readonly externalMemoryImportHandleTypesKhr: readonly number[];
  /** Supported kinds of semaphore, values of `SemaphoreType`. */
  readonly semaphoreTypesKhr: readonly number[];
  /** Handle types from which semaphores can be imported, values of `ExternalSemaphoreHandleType`. */
  readonly semaphoreImportHandleTypesKhr: readonly number[];
  /** Handle types to which semaphores can be exported, values of `ExternalSemaphoreHandleType`. */
  readonly semaphoreExportHandleTypesKhr: readonly number[];
}

/** Queries of {@link PlatformProperties}. */
export const platformQueries: Queries<PlatformProperties> = {
  name: query(PlatformInfo.NAME, string),
  vendor: query(PlatformInfo.VENDOR, string),
  version: query(PlatformInfo.VERSION, string),
  profile: query(PlatformInfo.PROFILE, string),
  extensions: query(PlatformInfo.EXTENSIONS, spaceList),
  hostTimerResolution: query(PlatformInfo.HOST_TIMER_RESOLUTION, size, "2.1"),
  numericVersion: query(PlatformInfo.NUMERIC_VERSION, version, "3.0"),
  extensionsWithVersion: query(PlatformInfo.EXTENSIONS_WITH_VERSION, nameVersions, "3.0"),
  icdSuffixKhr: query(PlatformInfo.ICD_SUFFIX_KHR, string, "cl_khr_icd"),
  externalMemoryImportHandleTypesKhr: query(
    PlatformInfo.EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_memory",
  ),
  semaphoreTypesKhr: query(PlatformInfo.SEMAPHORE_TYPES_KHR, uint32s, "cl_khr_semaphore"),
  semaphoreImportHandleTypesKhr: query(
    PlatformInfo.SEMAPHORE_IMPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_semaphore",
  ),
  semaphoreExportHandleTypesKhr: query(
    PlatformInfo.SEMAPHORE_EXPORT_HANDLE_TYPES_KHR,
    uint32s,
    "cl_khr_external_semaphore",
  ),
};
