/**
 * Tuning results on disk: one file per kernel, arguments, sizes, device and driver.
 *
 * A file has two lines: the SHA-256 of the second line, and JSON with the key as text and the result. A file is used only if the
 * checksum and the key match and the result is possible for the tuning. Otherwise the tuning is measured again and the file
 * replaced.
 */
import { createHash } from "node:crypto";
import { isObject } from "@cl/base";
import { CacheFolder } from "@cl/core";

import type { TuningCandidate, TuningConfig, TuningValue } from "./tune-types.js";

export interface CachedResult {
  readonly best: TuningConfig;
  readonly candidates: readonly TuningCandidate[];
  readonly possible: number;
  /** Whether outputs were compared. */
  readonly verified: boolean;
}

/** Disk cache for one key. */
export class TuningCache {
  readonly #folder = new CacheFolder("tuning-v1");
  readonly #key: readonly string[];
  readonly #file: string;

  constructor(key: readonly string[]) {
    this.#key = [KEY_VERSION, ...key];
    this.#file = `${sha256(JSON.stringify(this.#key)).slice(0, 32)}.json`;
  }

  /**
   * Returns the result if it is valid; `possible` checks whether the configuration can be used. Blocks for about 0.1 ms: launches
   * cannot wait, and an asynchronous read takes longer.
   */
  readSync(possible: (config: TuningConfig) => boolean): CachedResult | undefined {
    const bytes = this.#folder.readSync(this.#file, MAX_BYTES);
    const result = bytes && decode(bytes, this.#key);
    return isCachedResult(result) && possible(result.best) ? result : undefined;
  }

  /** Writes a result. Failures are ignored; the tuning is then measured again. */
  async write(result: CachedResult): Promise<void> {
    const body = JSON.stringify({ key: this.#key, result });
    await this.#folder.write(this.#file, new TextEncoder().encode(`${sha256(body)}\n${body}\n`));
  }
}

/** Decodes a file; `undefined` unless it is complete and has this key. */
function decode(bytes: Uint8Array, key: readonly string[]): unknown {
  try {
    const [sum, body = "", rest] = new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
    if (rest !== "" || sum !== sha256(body)) return undefined;
    const { key: storedKey, result } = JSON.parse(body) as { readonly key?: unknown; readonly result?: unknown };
    return JSON.stringify(storedKey) === JSON.stringify(key) ? result : undefined;
  } catch {
    return undefined;
  }
}

function isCachedResult(value: unknown): value is CachedResult {
  if (!isObject(value)) return false;
  const { best, candidates, possible, verified } = value;
  return (
    isConfig(best) &&
    Array.isArray(candidates) &&
    candidates.every(isCandidate) &&
    candidates.length > 0 &&
    Number.isSafeInteger(possible) &&
    typeof verified === "boolean"
  );
}

function isCandidate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { config, medianNs, rounds, reason } = value;
  return (
    isConfig(config) &&
    (medianNs === undefined || (Number.isFinite(medianNs) && (medianNs as number) >= 0)) &&
    Number.isSafeInteger(rounds) &&
    (reason === undefined || typeof reason === "string")
  );
}

function isConfig(value: unknown): value is TuningConfig {
  if (!isObject(value)) return false;
  const { parameters, local } = value;
  return isObject(parameters) && Object.values(parameters).every(isTuningValue) && (local === null || isSize(local));
}

function isSize(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > 3) return false;
  return value.every((size) => Number.isSafeInteger(size) && size >= 1);
}

/** Whether a value is a string or a finite number. */
export function isTuningValue(value: unknown): value is TuningValue {
  return typeof value === "string" || Number.isFinite(value);
}

/** Returns the SHA-256 of a text in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Maximum file size. Files contain at most one entry per candidate. */
const MAX_BYTES = 2 ** 20;
/** Part of all keys. Increase the number when the measurement changes. */
const KEY_VERSION = "@cl/launcher tuning 1";
