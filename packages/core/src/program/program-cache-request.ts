/** Use of the disk cache for programs: the cache, keys and entries. */
import { memoizePerObject } from "@cl/base";

import type { CachedProgram, ProgramRequest } from "../cache/program-cache.js";
import { ProgramCache } from "../cache/program-cache.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import type { KernelDescriptions } from "./kernel-descriptions.js";

/** A built program in the cache. */
export interface StoredProgram {
  /** One binary per device. */
  readonly binaries: readonly Uint8Array[];
  /** One log per device. */
  readonly logs: readonly string[];
  /** Parses the descriptions on demand, so that warm builds do not wait for it. */
  readonly describe: () => KernelDescriptions;
}

/** Returns the cache configured by the environment; recreated when the environment changes. */
export function programCache(): ProgramCache {
  const { CL_CACHE_DIR, CL_NO_CACHE, CL_CACHE_MAX_BYTES, XDG_CACHE_HOME, HOME } = process.env;
  const settings = [CL_CACHE_DIR, CL_NO_CACHE, CL_CACHE_MAX_BYTES, XDG_CACHE_HOME, HOME].join("\0");
  if (cache === undefined || settings !== cacheSettings) {
    cache = ProgramCache.fromEnvironment();
    cacheSettings = settings;
  }
  return cache;
}

/** Returns the cache request for a program's source. */
export function programRequest(
  context: Context,
  devices: readonly Device[],
  source: string,
  options: readonly string[],
): ProgramRequest {
  return {
    source,
    options,
    headers: [],
    identity: [...identityOf(context), ...devices.flatMap((device) => device.modelIdentifier)],
  };
}

/** Returns the program in a cache entry; `undefined` if the entry was not created by {@link packProgram}. */
export function unpackProgram(entry: CachedProgram | undefined, devices: number): StoredProgram | undefined {
  if (entry === undefined || entry.binaries.length !== devices + 1) return undefined;
  const descriptions = entry.binaries[devices] as Uint8Array;
  return {
    binaries: entry.binaries.slice(0, devices),
    logs: entry.logs.slice(0, devices),
    // The entry's checksum has been verified, so packProgram wrote this.
    describe: () => JSON.parse(new TextDecoder().decode(descriptions)) as KernelDescriptions,
  };
}

/** Returns the cache entry of a program, with the kernels' descriptions as an additional binary. */
export function packProgram(
  binaries: readonly Uint8Array[],
  logs: readonly string[],
  descriptions: KernelDescriptions,
): CachedProgram {
  const bytes = new TextEncoder().encode(JSON.stringify(descriptions));
  return { binaries: [...binaries, bytes], logs: [...logs, ""] };
}

let cache: ProgramCache | undefined;
let cacheSettings = "";
/** Format of an entry; change it whenever the contents change. */
const format = "program with descriptions 1";

const identityOf = memoizePerObject(({ platform: { name, vendor, version } }: Context): readonly string[] => {
  return [format, `${process.platform}-${process.arch}`, name, vendor, version];
});
