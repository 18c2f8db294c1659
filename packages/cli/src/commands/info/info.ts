/** `clkit info`: platforms and devices. */
import { type Command, defineCommand, UsageError } from "../../command.js";
import { writeJson } from "../../json.js";
import { asList, asTree } from "./as-text.js";
import { listMachine, type ListedPlatform } from "./machine.js";
import { answersOf } from "./properties.js";

/** Lists platforms and devices. */
export const info: Command = defineCommand({
  name: "info",
  summary: "lists platforms and devices, and what they are",
  usage: "[options]",
  options: {
    all: { type: "boolean", short: "a", help: "every property, by its name in @cl/core" },
    device: {
      type: "string",
      short: "d",
      value: "SELECTOR",
      help: 'only these devices: "0:0", "gpu", "nvidia", "pocl:*"',
    },
    json: { type: "boolean", help: "every property as JSON" },
  },
  notes: [
    "Examples:",
    "  clkit info",
    "  clkit info --device gpu --all",
    "  clkit info --json | jq '.platforms[].name'",
  ],
  async run({ all = false, device, json = false }, _positionals, io) {
    if (all && json) throw new UsageError("--json has every property; --all adds nothing to it.");
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
      ...answersOf(platform),
      devices: devices.map(({ selector, device }) => ({ selector, name: device.name, ...answersOf(device) })),
    })),
  };
}
