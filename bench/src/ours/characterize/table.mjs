// `node bench/src/ours/characterize/table.mjs [folder]`: measures the device of CL_DEVICE and prints the table for
// docs/characterize.md. Writes the result and three plots to the folder, if given.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { bandwidthPlot, characteristicsTable, characterize, launchPlot, rooflinePlot } from "@cl/characterize";
import { Context } from "@cl/core";

const [, , folder] = process.argv;
const [device] = Context.create().devices;
const result = await characterize(device, { cache: false });
process.stdout.write(characteristicsTable(result));
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  const files = {
    "characteristics.json": `${JSON.stringify(result, null, 2)}\n`,
    "roofline.svg": rooflinePlot(result),
    "bandwidth.svg": bandwidthPlot(result),
    "launches.svg": launchPlot(result),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}
