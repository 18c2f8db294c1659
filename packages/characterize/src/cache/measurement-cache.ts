/**
 * Stores results on disk, one file per device configuration: a different driver, number of compute units or measuring
 * method has a different file.
 *
 * A file has two lines: the SHA-256 hash of the second line, and JSON with the key and the result. A file is used only
 * if the hash matches, the key is that of the device and every property is valid. Otherwise, the device is measured
 * again and the file is replaced.
 */
import { createHash } from "node:crypto";
import os from "node:os";
import { CacheFolder, type Device } from "@cl/core";

import type { Characteristics } from "../measure/characteristics.js";
import { isCharacteristics } from "./validate.js";

/** The cached result of one device. */
export class MeasurementCache {
  readonly #folder = new CacheFolder("characterize-v1");
  readonly #key: readonly string[];
  readonly #file: string;

  constructor(device: Device, quick: boolean) {
    this.#key = keyOf(device, quick);
    this.#file = `${sha256(JSON.stringify(this.#key)).slice(0, 32)}.json`;
  }

  /**
   * Returns the cached result, or `undefined` if it does not exist or is invalid. Reading is synchronous and takes 0.3
   * ms for 30 KB: an asynchronous read switches threads six times, which on a busy machine takes a hundred times as
   * long.
   */
  readSync(): Characteristics | undefined {
    const bytes = this.#folder.readSync(this.#file);
    return bytes && decode(bytes, this.#key);
  }

  /** Stores a result. If that fails, the device will be measured again. */
  async write(result: Characteristics): Promise<void> {
    await this.#folder.write(this.#file, encode(result, this.#key));
  }
}

/** Returns the contents of a file. */
function encode(result: Characteristics, key: readonly string[]): Uint8Array {
  const body = JSON.stringify({ key, result });
  return new TextEncoder().encode(`${sha256(body)}\n${body}\n`);
}

/** Returns the result in a file; `undefined` unless the file is valid and has this key. */
function decode(bytes: Uint8Array, key: readonly string[]): Characteristics | undefined {
  let content: unknown;
  try {
    const [sum, body = "", rest] = new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
    if (rest !== "" || sum !== sha256(body)) return undefined;
    content = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { key: fileKey, result } = content as { readonly key?: unknown; readonly result?: unknown };
  return JSON.stringify(fileKey) === JSON.stringify(key) && isCharacteristics(result) ? result : undefined;
}

/** Returns everything known that affects the results, including the host, which is part of every transfer. */
function keyOf(device: Device, quick: boolean): readonly string[] {
  const unique = device.hasExtension("cl_khr_device_uuid") ? device.uuidKhr : "";
  return [
    MEASURING,
    quick ? "quick" : "full",
    device.platform.name,
    device.platform.version,
    ...device.modelIdentifier,
    unique,
    String(device.maxComputeUnits),
    String(device.globalMemSize),
    `${os.platform()} ${os.arch()} ${os.availableParallelism()} ${os.totalmem()}`,
  ];
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Version of the measurements. Increment it when they change. */
const MEASURING = "@cl/characterize measuring 1";
