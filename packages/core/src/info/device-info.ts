// Every device query in one table; what it is made of stands in the files it imports.

import { type CoreDeviceProperties, coreDeviceQueries } from "./device-core-info.js";
import { type ExtensionDeviceProperties, extensionDeviceQueries } from "./device-extension-info.js";
import { type LaterDeviceProperties, laterDeviceQueries } from "./device-later-info.js";
import { type VendorDeviceProperties, vendorDeviceQueries } from "./device-vendor-info.js";
import type { Queries } from "./query.js";

/** What a device answers about itself, but for other objects. */
export interface DeviceProperties
  extends CoreDeviceProperties, LaterDeviceProperties, ExtensionDeviceProperties, VendorDeviceProperties {}

/** Queries of {@link DeviceProperties}. */
export const deviceQueries: Queries<DeviceProperties> = {
  ...coreDeviceQueries,
  ...laterDeviceQueries,
  ...extensionDeviceQueries,
  ...vendorDeviceQueries,
};
