/**
 * Results on disk, a file for each question: the kernel, what its arguments are, its sizes, the device and its driver.
 *
 * A file is two lines: the SHA-256 of the second, and the second, JSON with the key in plain words and the result. Nothing is
 * believed before the sum fits, the key is the same and the result is one that could have been found here; whatever is
 * wrong, it is measured again and the file replaced.
 */
import { createHash } from "node:crypto";
import { CacheFolder } from "@cl/core";

import type { TuningCandidate, TuningConfig, TuningValue } from "./tune-types.js";

/** What is kept. */
export interface KeptResult {
  readonly best: TuningConfig;
  readonly candidates: readonly TuningCandidate[];
  readonly possible: number;
  /** Whether the outputs were compared. */
  readonly verified: boolean;
}

/** The kept answer to one question. */
export class TuningCache {
  readonly #folder = new CacheFolder("tuning-v1");
  readonly #key: readonly string[];
  readonly #file: string;

  constructor(key: readonly string[]) {
    this.#key = [TUNING, ...key];
    this.#file = `${sha256(JSON.stringify(this.#key)).slice(0, 32)}.json`;
  }

  /**
   * The result, if there is one that can be believed; `possible` says whether a configuration could be used here. It blocks
   * for the tenth of a millisecond that a small file takes: a launch cannot wait, and an awaited read takes longer.
   */
  readSync(possible: (config: TuningConfig) => boolean): KeptResult | undefined {
    const bytes = this.#folder.readSync(this.#file, MAX_BYTES);
    const result = bytes && decode(bytes, this.#key);
    return isKeptResult(result) && possible(result.best) ? result : undefined;
  }

  /** Keeps a result. Where that is not possible, it will be measured again. */
  async write(result: KeptResult): Promise<void> {
    const body = JSON.stringify({ key: this.#key, result });
    await this.#folder.write(this.#file, new TextEncoder().encode(`${sha256(body)}\n${body}\n`));
  }
}

/** What a file says; nothing if it is anything but a whole file with that key. */
function decode(bytes: Uint8Array, key: readonly string[]): unknown {
  try {
    const [sum, body = "", rest] = new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
    if (rest !== "" || sum !== sha256(body)) return undefined;
    const { key: its, result } = JSON.parse(body) as { readonly key?: unknown; readonly result?: unknown };
    return JSON.stringify(its) === JSON.stringify(key) ? result : undefined;
  } catch {
    return undefined;
  }
}

function isKeptResult(value: unknown): value is KeptResult {
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

/** A string or a finite number. */
export function isTuningValue(value: unknown): value is TuningValue {
  return typeof value === "string" || Number.isFinite(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The SHA-256 of a text, in hexadecimal digits. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A file has a line for each candidate at most. */
const MAX_BYTES = 2 ** 20;
/** Raise it when what is measured changes, or how. */
const TUNING = "@cl/launcher tuning 1";
