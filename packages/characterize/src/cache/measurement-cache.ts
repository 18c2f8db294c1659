/**
 * Results on disk, one file for each device as it is now: another driver, another number of compute units or another
 * way of measuring is another file.
 *
 * A file is two lines: the SHA-256 of the second, and the second, JSON with the key in plain words and the result.
 * Nothing is believed before the sum fits, the key is this device's and every property is what it should be; whatever
 * is wrong, the device is measured again and the file replaced.
 */
import { createHash } from "node:crypto";
import os from "node:os";
import { CacheFolder, type Device } from "@cl/core";

import type { Characteristics } from "../measure/characteristics.js";
import { isCharacteristics } from "./validate.js";

/** The kept result of one device. */
export class MeasurementCache {
  readonly #folder = new CacheFolder("characterize-v1");
  readonly #key: readonly string[];
  readonly #file: string;

  constructor(device: Device, quick: boolean) {
    this.#key = keyOf(device, quick);
    this.#file = `${sha256(JSON.stringify(this.#key)).slice(0, 32)}.json`;
  }

  /**
   * The result, if there is one that can be believed. It blocks for the third of a millisecond that 30 KB take: an awaited
   * read goes to another thread and back six times, which on a busy machine takes a hundred times as long.
   */
  readSync(): Characteristics | undefined {
    const bytes = this.#folder.readSync(this.#file);
    return bytes && decode(bytes, this.#key);
  }

  /** Keeps a result. Where that is not possible, it will be measured again. */
  async write(result: Characteristics): Promise<void> {
    await this.#folder.write(this.#file, encode(result, this.#key));
  }
}

/** The bytes of a file. */
function encode(result: Characteristics, key: readonly string[]): Uint8Array {
  const body = JSON.stringify({ key, result });
  return new TextEncoder().encode(`${sha256(body)}\n${body}\n`);
}

/** The result in a file; nothing if it is anything but a whole file with that key. */
function decode(bytes: Uint8Array, key: readonly string[]): Characteristics | undefined {
  let content: unknown;
  try {
    const [sum, body = "", rest] = new TextDecoder("utf-8", { fatal: true }).decode(bytes).split("\n");
    if (rest !== "" || sum !== sha256(body)) return undefined;
    content = JSON.parse(body);
  } catch {
    return undefined;
  }
  const { key: itsKey, result } = content as { readonly key?: unknown; readonly result?: unknown };
  return JSON.stringify(itsKey) === JSON.stringify(key) && isCharacteristics(result) ? result : undefined;
}

/** Everything that decides the figures, as far as it can be known. The host is part of every transfer. */
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

/** Raise it when what is measured changes, or how. */
const MEASURING = "@cl/characterize measuring 1";
