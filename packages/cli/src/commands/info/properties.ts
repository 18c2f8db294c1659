/** Everything that a platform or a device answers. */
import { Device, DeviceInfo, NotSupportedError, OpenCLError, Platform, PlatformInfo } from "@cl/core";

import { named } from "./constant-groups.js";

/** The answers of one object, in the order of OpenCL's constants. */
export interface Answers {
  /** What was answered, by the property's name in `@cl/core`, with the names of constants for their values. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** What the driver failed to answer, and how. */
  readonly failures: Readonly<Record<string, string>>;
}

const deviceProperties = propertiesOf(Device.prototype, DeviceInfo);
const platformProperties = propertiesOf(Platform.prototype, PlatformInfo);

/** Asks a device or a platform for everything. What it is too old for, or whose extension it lacks, is left out. */
export function answersOf(object: Device | Platform): Answers {
  const properties: Record<string, unknown> = {};
  const failures: Record<string, string> = {};
  for (const name of object instanceof Device ? deviceProperties : platformProperties) {
    try {
      properties[name] = named(name, (object as unknown as Record<string, unknown>)[name]);
    } catch (error) {
      if (error instanceof NotSupportedError || isUnknownQuery(error)) continue;
      failures[name] = error instanceof Error ? error.message : String(error);
    }
  }
  return { properties, failures };
}

/** Drivers that know nothing of a query call it an invalid value, also where they list the extension. */
function isUnknownQuery(error: unknown): boolean {
  return error instanceof OpenCLError && error.code === "CL_INVALID_VALUE";
}

/** A class's getters that stand for a query: `MAX_COMPUTE_UNITS` is `maxComputeUnits`. Each once. */
function propertiesOf(prototype: object, constants: Readonly<Record<string, number>>): readonly string[] {
  const names = Object.keys(constants).map((name) =>
    name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
  // Other objects: where a device belongs is told by where it stands.
  const known = (name: string): boolean => name in prototype && name !== "platform" && name !== "parentDevice";
  return [...new Set(names)].filter(known);
}
