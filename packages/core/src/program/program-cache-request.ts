/** The disk cache as programs use it: which cache, under what key, and what an entry holds. */
import { oncePer } from "@cl/base";

import type { CachedProgram, ProgramRequest } from "../cache/program-cache.js";
import { ProgramCache } from "../cache/program-cache.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import type { KernelDescriptions } from "./kernel-descriptions.js";

/** What is kept of a built program. */
export interface KeptProgram {
  /** One for each device. */
  readonly binaries: readonly Uint8Array[];
  /** One for each device. */
  readonly logs: readonly string[];
  /** Parsed when it is called: a warm build need not wait for it. */
  readonly describe: () => KernelDescriptions;
}

/** The cache that the environment asks for; looked at again when that has changed. */
export function programCache(): ProgramCache {
  const { CL_CACHE_DIR, CL_NO_CACHE, CL_CACHE_MAX_BYTES, XDG_CACHE_HOME, HOME } = process.env;
  const wanted = [CL_CACHE_DIR, CL_NO_CACHE, CL_CACHE_MAX_BYTES, XDG_CACHE_HOME, HOME].join("\0");
  if (cache === undefined || wanted !== asked) {
    cache = ProgramCache.fromEnvironment();
    asked = wanted;
  }
  return cache;
}

/** What the cache is asked for a source. */
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
    identity: [...identityOf(context), ...devices.flatMap((one) => one.modelIdentifier)],
  };
}

/** What a cache gave; undefined if it is not what {@link packProgram} makes. */
export function unpackProgram(entry: CachedProgram | undefined, devices: number): KeptProgram | undefined {
  if (entry === undefined || entry.binaries.length !== devices + 1) return undefined;
  const descriptions = entry.binaries[devices] as Uint8Array;
  return {
    binaries: entry.binaries.slice(0, devices),
    logs: entry.logs.slice(0, devices),
    // The entry's checksum has been found right, so this is what packProgram wrote.
    describe: () => JSON.parse(new TextDecoder().decode(descriptions)) as KernelDescriptions,
  };
}

/** As the cache keeps it: the kernels' descriptions follow the binaries as one more. */
export function packProgram(
  binaries: readonly Uint8Array[],
  logs: readonly string[],
  descriptions: KernelDescriptions,
): CachedProgram {
  const bytes = new TextEncoder().encode(JSON.stringify(descriptions));
  return { binaries: [...binaries, bytes], logs: [...logs, ""] };
}

let cache: ProgramCache | undefined;
let asked = "";
/** Raise it when what an entry holds changes. */
const form = "program with descriptions 1";

const identityOf = oncePer(({ platform: { name, vendor, version } }: Context): readonly string[] => {
  return [form, `${process.platform}-${process.arch}`, name, vendor, version];
});
