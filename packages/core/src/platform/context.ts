/** Contexts. */
import { checkFunction, checkInstance, checkOptions, checkPointer, checkString, typeError } from "@cl/base";

import { type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import { listen, unlisten } from "../binding/completion.js";
import { ContextProperties } from "./context-properties.js";
import { Device } from "./device.js";
import { quiesceAtExit } from "../binding/exit.js";
import { contextQueries } from "../info/context-info.js";
import { infoOf } from "../info/query.js";
import { type Handle, handleKinds, native } from "../binding/native.js";
import { checkDeviceType, getPlatforms, type Platform } from "./platform.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { defaultDevices, selectDevices } from "./selector.js";

/** Options for creating a context. */
export interface ContextOptions {
  /** Device selector in the syntax of `CL_DEVICE`; for {@link Context.create}. */
  readonly device?: string;
  /** Platform and vendor-specific properties. */
  readonly properties?: ContextProperties;
  /** Called with each message that the driver sends about this context, on the JavaScript thread. */
  readonly onMessage?: (message: string) => void;
  /** Label shown in errors. */
  readonly label?: string;
}

const contextNames = ["device", "properties", "onMessage", "label"] as const;

/** A context over one or more devices of one platform. */
export class Context extends QueriedResource {
  readonly #devices: readonly Device[];

  /** Creates a context for these devices. Most programs use {@link Context.create} instead. */
  constructor(devices: Device | readonly Device[], options?: ContextOptions);
  /** @internal */
  constructor(adopted: Adopted);
  constructor(devices: Device | readonly Device[] | Adopted, options?: ContextOptions) {
    quiesceAtExit();
    if (devices instanceof Adopted) {
      super(devices.handle, devices.label);
      this.#devices = native.contextDevices(devices.handle).map((handle) => Device.of(handle));
      return;
    }
    const list = checkDevices(devices);
    const given = readOptions(options, list[0]?.platform);
    super(
      withMessages(given, (id) => native.createContext(Int32Array.from(list, handleOf), given.properties, id)),
      given.label,
    );
    this.#devices = Object.freeze([...list]);
  }

  /**
   * Creates a context for the devices that `selector` names; defaults to `CL_DEVICE`, then the first GPU, then the
   * first device.
   *
   * @example
   * ```ts
   * const context = Context.create();
   * const first = Context.create("0:0"); // the first platform's first device
   * ```
   */
  static create(selector?: string | ContextOptions, options?: ContextOptions): Context {
    if (typeof selector === "object") {
      return Context.create(checkOptions(selector, contextNames, "selector").device, selector);
    }
    return new Context(selector === undefined ? defaultDevices() : selectDevices(selector), options);
  }

  /**
   * Creates a context for all devices of a type on one platform: the platform in the properties, or else the first that
   * has such devices.
   */
  static fromType(type: number, options?: ContextOptions): Context {
    checkDeviceType(type);
    const platform = checkOptions(options, contextNames).properties?.platform;
    const devices = platform?.getDevices(type) ?? firstDevices(type);
    if (devices.length === 0) throw typeError("type", "a type that some device has", type);
    const given = readOptions(options, devices[0]?.platform);
    const handle = withMessages(given, (id) => native.createContextFromType(type, given.properties, id));
    return new Context(new Adopted(handle, given.label));
  }

  /** Returns a context for an existing `cl_context`. With `retain: false` it takes ownership of the reference. */
  static fromPointer(pointer: bigint, options?: AdoptOptions): Context {
    const { retain, label } = adoptOptions(options);
    return new Context(new Adopted(native.adopt(handleKinds.indexOf("context"), checkPointer(pointer), retain), label));
  }

  /** The context's devices. */
  get devices(): readonly Device[] {
    return this.#devices;
  }

  /** Number of devices. */
  get numDevices(): number {
    return this.#devices.length;
  }

  /** The devices' platform. */
  get platform(): Platform {
    return (this.#devices[0] as Device).platform;
  }

  /** The driver's reference count; for tests. */
  get referenceCount(): number {
    return infoOf(this, contextQueries, "referenceCount");
  }

  /** The properties that the context was created with. */
  get properties(): ContextProperties {
    return ContextProperties.fromList(infoOf(this, contextQueries, "properties"));
  }

  protected override summary(): string {
    return this.#devices.map((device) => `'${device.name}'`).join(", ");
  }
}

function checkDevices(devices: Device | readonly Device[]): readonly Device[] {
  const list: readonly unknown[] = Array.isArray(devices) ? devices : [devices];
  if (list.length === 0) throw typeError("devices", "at least one Device", devices);
  const checked = list.map((device, i) => checkInstance(device, Device, list.length > 1 ? `devices[${i}]` : "devices"));
  const platform = checked[0]?.platform;
  const otherDevice = checked.find((device) => device.platform !== platform);
  if (otherDevice !== undefined) throw typeError("devices", "devices of one platform", otherDevice);
  return checked;
}

function firstDevices(type: number): readonly Device[] {
  for (const platform of getPlatforms()) {
    const devices = platform.getDevices(type);
    if (devices.length > 0) return devices;
  }
  return [];
}

/** Checks the options. Always sets the platform, because some loaders choose a wrong one without it. */
function readOptions(
  options: ContextOptions | undefined,
  platform: Platform | undefined,
): { properties: BigUint64Array; onMessage: ContextOptions["onMessage"]; label: string | undefined } {
  const { properties: given, onMessage, label } = checkOptions(options, contextNames);
  if (given !== undefined) checkInstance(given, ContextProperties, "options.properties");
  if (onMessage !== undefined) checkFunction(onMessage, "options.onMessage");
  const properties = ContextProperties.fromList(given === undefined ? [] : [...given.toList()]);
  if (given?.platform === undefined && platform !== undefined) properties.platform = platform;
  if (label !== undefined) checkString(label, "options.label");
  return { properties: properties.toList(), onMessage, label };
}

/** Creates a context with a message listener, which stays registered unless creation fails. */
function withMessages(
  { onMessage }: Pick<ReturnType<typeof readOptions>, "onMessage">,
  make: (id: number | undefined) => Handle,
): Handle {
  if (onMessage === undefined) return make(undefined);
  const id = listen((_, message) => onMessage(message));
  try {
    return make(id);
  } catch (error) {
    unlisten(id);
    throw error;
  }
}

/** Throws unless `value` is a `type` of `context`. The error names `owner` as the context's owner. */
export function checkMember<T extends { readonly context: Context }>(
  value: T,
  type: abstract new (...args: never[]) => T,
  name: string,
  context: Context,
  owner: string,
): T {
  checkInstance(value, type, name);
  if (value.context !== context && !value.context.equals(context)) {
    throw typeError(name, `a ${type.name} of the ${owner}'s context`, value);
  }
  return value;
}
