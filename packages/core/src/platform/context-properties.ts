/** Property lists of contexts. */
import { checkInstance, checkObject, checkString, typeError } from "@cl/base";

import { ContextProperty } from "../binding/constants.js";
import { Platform } from "./platform.js";

/** Key-value pairs passed to context creation. Values are integers or addresses; the platform is a `Platform`. */
export class ContextProperties {
  /** Names of the known keys. */
  static readonly names: ReadonlyMap<number, string> = new Map(
    Object.entries(ContextProperty).map(([name, key]) => [key, name]),
  );

  readonly #values = new Map<number, bigint>();
  readonly #names = new Map<number, string>();

  constructor(properties?: { readonly platform?: Platform }) {
    const { platform } = checkObject(properties, "properties");
    if (platform !== undefined) this.platform = platform;
  }

  /** The platform; `undefined` to use the devices' platform. */
  get platform(): Platform | undefined {
    const pointer = this.#values.get(ContextProperty.PLATFORM);
    return pointer === undefined ? undefined : Platform.fromPointer(pointer);
  }

  set platform(platform: Platform | undefined) {
    if (platform === undefined) this.#values.delete(ContextProperty.PLATFORM);
    else this.set("PLATFORM", ContextProperty.PLATFORM, checkInstance(platform, Platform, "platform").pointer);
  }

  /** Sets a property and its name in {@link toObject}. */
  set(name: string, key: number | bigint, value: number | bigint): this {
    checkString(name, "name");
    this.#values.set(Number(toBigInt(key, "key")), toBigInt(value, "value"));
    this.#names.set(Number(key), name);
    return this;
  }

  /** Returns all properties as `{ name: [key, value] }`. */
  toObject(): Record<string, readonly [key: number, value: bigint]> {
    const object: Record<string, readonly [number, bigint]> = {};
    for (const [key, value] of this.#values) {
      object[this.#names.get(key) ?? ContextProperties.names.get(key) ?? String(key)] = [key, value];
    }
    return object;
  }

  /** Returns the properties in a driver's list of alternating keys and values. */
  static fromList(list: readonly bigint[]): ContextProperties {
    const properties = new ContextProperties();
    if (!Array.isArray(list) && !(list instanceof BigUint64Array)) throw typeError("list", "an array of bigints", list);
    for (const [i, value] of (list as readonly unknown[]).entries()) {
      if (typeof value !== "bigint") throw typeError(`list[${i}]`, "a bigint", value);
    }
    for (let i = 0; i + 1 < list.length && list[i] !== 0n; i += 2) {
      const key = Number(list[i]);
      properties.set(ContextProperties.names.get(key) ?? String(key), key, list[i + 1] as bigint);
    }
    return properties;
  }

  /** @internal Returns the native list, without its terminating 0. */
  toList(): BigUint64Array {
    return BigUint64Array.from([...this.#values].flatMap(([key, value]) => [BigInt(key), value]));
  }
}

function toBigInt(value: unknown, name: string): bigint {
  if (typeof value === "bigint") return BigInt.asUintN(64, value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt.asUintN(64, BigInt(value));
  throw typeError(name, "an integer or a bigint", value);
}
