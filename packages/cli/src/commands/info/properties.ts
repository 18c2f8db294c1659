/** Queries all properties of a platform or device. */
import { Device, DeviceInfo, NotSupportedError, OpenCLError, Platform, PlatformInfo } from "@cl/core";

import { withConstantNames } from "./constant-groups.js";

/** Results of the queries, in the order of OpenCL's constants. */
export interface QueriedProperties {
  /** Values by the property's name in `@cl/core`, with constants replaced by their names. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Error messages of the queries that failed. */
  readonly failures: Readonly<Record<string, string>>;
}

const deviceProperties = propertiesOf(Device.prototype, DeviceInfo);
const platformProperties = propertiesOf(Platform.prototype, PlatformInfo);

/** Queries all properties. Omits those that need a newer OpenCL version or a missing extension. */
export function queryProperties(object: Device | Platform): QueriedProperties {
  const properties: Record<string, unknown> = {};
  const failures: Record<string, string> = {};
  for (const name of object instanceof Device ? deviceProperties : platformProperties) {
    try {
      properties[name] = withConstantNames(name, (object as unknown as Record<string, unknown>)[name]);
    } catch (error) {
      if (error instanceof NotSupportedError || isUnknownQuery(error)) continue;
      failures[name] = error instanceof Error ? error.message : String(error);
    }
  }
  return { properties, failures };
}

/** Whether the driver does not know a query. Some report an invalid value even if they list the extension. */
function isUnknownQuery(error: unknown): boolean {
  return error instanceof OpenCLError && error.code === "CL_INVALID_VALUE";
}

/** Returns the names of a class's getters for queries, without duplicates: `MAX_COMPUTE_UNITS` is `maxComputeUnits`. */
function propertiesOf(prototype: object, constants: Readonly<Record<string, number>>): readonly string[] {
  const names = Object.keys(constants).map((name) =>
    name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
  );
  // Omit references to other objects.
  const known = (name: string): boolean => name in prototype && name !== "platform" && name !== "parentDevice";
  return [...new Set(names)].filter(known);
}
