/** `clkit info`: platforms and devices. */
import { getPlatforms } from "@cl/core";

import { type Command, defineCommand } from "../../command.js";
import { style } from "../../style.js";

/** Lists platforms and devices. */
export const info: Command = defineCommand({
  name: "info",
  summary: "lists platforms and devices, and what they are",
  usage: "[options]",
  options: {},
  async run(_values, _positionals, { out }) {
    for (const [p, platform] of getPlatforms().entries()) {
      out.write(`${p}  ${style(out, "bold", platform.name)}\n`);
      for (const [d, device] of platform.devices.entries()) out.write(`  ${p}:${d}  ${device.name}\n`);
    }
    return 0;
  },
});
