// Our figures beside those of clpeak, as one line of JSON: `figures.mjs device` tells where the device stands in the
// lists of platforms and devices, `figures.mjs <group>` what was measured of it.
import { characterize } from "@cl/characterize";
import { Context, getPlatforms } from "@cl/core";

const [, , wanted] = process.argv;
const [device] = Context.create().devices;

if (wanted === "device") {
  const platforms = getPlatforms();
  const platform = platforms.findIndex((one) => one.equals(device.platform));
  const index = platforms[platform].devices.findIndex((one) => one.equals(device));
  console.log(JSON.stringify({ platform, device: index, name: device.name, driver: device.driverVersion }));
} else {
  console.log(JSON.stringify(await characterize(device, { cache: false, only: [wanted] })));
}
