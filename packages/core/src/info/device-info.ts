// The table of all device queries.

import { type CoreDeviceProperties, coreDeviceQueries } from "./device-core-info.js";
import { type ExtensionDeviceProperties, extensionDeviceQueries } from "./device-extension-info.js";
import { type LaterDeviceProperties, laterDeviceQueries } from "./device-later-info.js";
import { type VendorDeviceProperties, vendorDeviceQueries } from "./device-vendor-info.js";
import type { Queries } from "./query.js";

/** Info properties of a device, except for properties that are objects. */
export interface DeviceProperties
  extends CoreDeviceProperties, LaterDeviceProperties, ExtensionDeviceProperties, VendorDeviceProperties {}

/** Queries of {@link DeviceProperties}. */
export const deviceQueries: Queries<DeviceProperties> = {
  ...coreDeviceQueries,
  ...laterDeviceQueries,
  ...extensionDeviceQueries,
  ...vendorDeviceQueries,
};
