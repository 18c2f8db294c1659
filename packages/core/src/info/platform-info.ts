// The platform queries.

import { PlatformInfo } from "../binding/constants.js";
import { size, string, uint32s, words } from "./decode.js";
import { type NameVersion, nameVersions, version } from "./decode-structs.js";
import { type Queries, query } from "./query.js";

/** What a platform answers about itself. */
export interface PlatformProperties {
  /** The platform's name. */
  readonly name: string;
  /** The vendor's name. */
  readonly vendor: string;
  /** Text `OpenCL major.minor …`. */
  readonly version: string;
  /** `FULL_PROFILE` or `EMBEDDED_PROFILE`. */
  readonly profile: string;
  /** Names of the extensions that all its devices have. */
  readonly extensions: readonly string[];
  /** Resolution of the host's timer, in nanoseconds; 0 where it cannot be compared with devices. */
  readonly hostTimerResolution: number;
  /** OpenCL version it supports. */
  readonly numericVersion: string;
  /** Its extensions, with versions. */
  readonly extensionsWithVersion: readonly NameVersion[];
  /** Suffix of the vendor's extension functions. */
  readonly icdSuffixKhr: string;
  /** Handles it imports memory from, of `ExternalMemoryHandleType`. */
  readonly externalMemoryImportHandleTypesKhr: readonly number[];
  /** Kinds of semaphore it has, of `SemaphoreType`. */
  readonly semaphoreTypesKhr: readonly number[];
  /** Handles it imports semaphores from, of `ExternalSemaphoreHandleType`. */
  readonly semaphoreImportHandleTypesKhr: readonly number[];
  /** Handles it exports semaphores to, of `ExternalSemaphoreHandleType`. */
  readonly semaphoreExportHandleTypesKhr: readonly number[];
}

/** Queries of {@link PlatformProperties}. */
export const platformQueries: Queries<PlatformProperties> = {
  name: query(PlatformInfo.NAME, string),
  vendor: query(PlatformInfo.VENDOR, string),
  version: query(PlatformInfo.VERSION, string),
  profile: query(PlatformInfo.PROFILE, string),
  extensions: query(PlatformInfo.EXTENSIONS, words),
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
