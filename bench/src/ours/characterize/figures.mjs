// Our figures beside those of clpeak, as one line of JSON: `figures.mjs device` tells where the device stands in the
// lists of platforms and devices, `figures.mjs <group>` what was measured of it.
import { characterize } from "@cl/characterize";
import { Context, DeviceType, getPlatforms } from "@cl/core";

const [, , wanted] = process.argv;
const [device] = Context.create().devices;

if (wanted === "device") {
  const platforms = getPlatforms();
  const platform = platforms.findIndex((one) => one.equals(device.platform));
  const index = platforms[platform].devices.findIndex((one) => one.equals(device));
  console.log(JSON.stringify({ platform, device: index, name: device.name, driver: device.driverVersion }));
} else {
  // As large as clpeak's: a map's bytes a second are twice as many where twice as much is mapped in the same time.
  const largest = (device.type & DeviceType.CPU) === 0 ? 2 ** 31 : 2 ** 29;
  const size = wanted === "transfer" ? { maxBytes: largest } : {};
  console.log(JSON.stringify(await characterize(device, { cache: false, only: [wanted], ...size })));
}
