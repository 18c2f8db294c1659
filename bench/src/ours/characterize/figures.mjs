// Prints one line of JSON for the comparison with clpeak: `figures.mjs device` prints the indices of platform and device,
// `figures.mjs <group>` the measured values.
import { characterize } from "@cl/characterize";
import { Context, DeviceType, getPlatforms } from "@cl/core";

const [, , group] = process.argv;
const [device] = Context.create().devices;

if (group === "device") {
  const platforms = getPlatforms();
  const platform = platforms.findIndex((other) => other.equals(device.platform));
  const index = platforms[platform].devices.findIndex((other) => other.equals(device));
  console.log(JSON.stringify({ platform, device: index, name: device.name, driver: device.driverVersion }));
} else {
  // The same size as clpeak's, because the bandwidth of a map is proportional to its size.
  const largest = (device.type & DeviceType.CPU) === 0 ? 2 ** 31 : 2 ** 29;
  const size = group === "transfer" ? { maxBytes: largest } : {};
  console.log(JSON.stringify(await characterize(device, { cache: false, only: [group], ...size })));
}
