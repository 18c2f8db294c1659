/** `clkit info`: lists platforms and devices. */
import { type Command, defineCommand, UsageError } from "../../command.js";
import { writeJson } from "../../json.js";
import { asList, asTree } from "./as-text.js";
import { listMachine, type ListedPlatform } from "./machine.js";
import { queryProperties } from "./properties.js";

export const info: Command = defineCommand({
  name: "info",
  summary: "list platforms and devices and their properties",
  usage: "[options]",
  usesDevices: true,
  options: {
    all: { type: "boolean", short: "a", help: "print all properties, with their names in @cl/core" },
    device: {
      type: "string",
      short: "d",
      value: "SELECTOR",
      help: 'list only these devices: "0:0", "gpu", "nvidia", "pocl:*"',
    },
    json: { type: "boolean", help: "print all properties as JSON" },
  },
  notes: [
    "Examples:",
    "  clkit info",
    "  clkit info --device gpu --all",
    "  clkit info --json | jq '.platforms[].name'",
  ],
  async run({ all = false, device, json = false }, _positionals, io) {
    if (all && json) throw new UsageError("--json already includes all properties and cannot be combined with --all.");
    const platforms = listMachine(device);
    if (json) writeJson(io, asJson(platforms));
    else io.out.write(all ? asList(platforms, io.out) : asTree(platforms, io.out));
    return 0;
  },
});

function asJson(platforms: readonly ListedPlatform[]): unknown {
  return {
    platforms: platforms.map(({ index, platform, devices }) => ({
      index,
      name: platform.name,
      runtime: platform.runtime,
      ...queryProperties(platform),
      devices: devices.map(({ selector, device }) => ({ selector, name: device.name, ...queryProperties(device) })),
    })),
  };
}
