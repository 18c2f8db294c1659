/** `clkit bench`: measures devices. */
import { writeTextAtomically } from "@cl/base/files";
import {
  bandwidthPlot,
  type Characteristics,
  type CharacteristicsGroup,
  characteristicsTable,
  characterize,
  launchPlot,
  rooflinePlot,
} from "@cl/characterize";
import { Context, type Device, selectDevices } from "@cl/core";

import { checkWritable } from "../../check-writable.js";
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { writeJson } from "../../json.js";
import { ProgressLine } from "../../progress-line.js";
import { barTable } from "./bars.js";

/** Values of `--only`. */
const groups: Readonly<Record<string, CharacteristicsGroup>> = {
  timer: "timer",
  launch: "launch",
  transfer: "transfer",
  "global-memory": "globalMemory",
  "local-memory": "localMemory",
  compute: "compute",
  atomics: "atomics",
};

/** Values of `--plot`, and the groups that each plot needs. */
const plots = {
  roofline: { draw: rooflinePlot, needs: ["globalMemory", "compute"] },
  bandwidth: { draw: bandwidthPlot, needs: ["transfer"] },
  launch: { draw: launchPlot, needs: ["launch"] },
} as const satisfies Record<string, unknown>;

export const bench: Command = defineCommand({
  name: "bench",
  summary: "measure a device: launches, transfers, memory, arithmetic, atomics",
  usage: "[options]",
  usesDevices: true,
  options: {
    device: { type: "string", short: "d", value: "SELECTOR", help: 'device to measure: "gpu", "1:0", "nvidia:*"' },
    quick: { type: "boolean", short: "q", help: "measure fewer sizes and rounds, for a first impression" },
    only: { type: "string", value: "GROUPS", help: `measure only these groups: ${Object.keys(groups).join(",")}` },
    fresh: { type: "boolean", help: "measure again instead of using cached results" },
    all: { type: "boolean", short: "a", help: "print all results, without bars" },
    json: { type: "boolean", help: "print all results as JSON, a list with one entry per device" },
    svg: { type: "string", value: "FILE", help: "write a plot to this file" },
    plot: {
      type: "string",
      value: "NAME",
      help: `plot for --svg: ${Object.keys(plots).join(", ")} (default: roofline)`,
    },
  },
  notes: [
    "Results are medians, with half the distance between the 10th and the 90th percentile.",
    "They are cached until the device or its driver changes. Run nothing else during the measurement.",
  ],
  async run({ device, quick = false, only, fresh = false, all = false, json = false, svg, plot }, _positionals, io) {
    if (all && json) throw new UsageError("--json already includes all results and cannot be combined with --all.");
    if (plot !== undefined && svg === undefined) throw new UsageError("--plot requires --svg FILE.");
    const selected = only === undefined ? undefined : groupsOf(only);
    const drawing = svg === undefined ? undefined : plotOf(plot ?? "roofline", selected);
    const devices = device === undefined ? defaultDevices() : selectDevices(device);
    if (svg !== undefined && devices.length > 1) {
      throw new UsageError(`--svg requires a single device, but "${device}" selects ${devices.length}.`);
    }
    if (svg !== undefined) checkWritable(svg, "the plot");
    const results: Characteristics[] = [];
    for (const each of devices) results.push(await measure(each, { quick, only: selected, refresh: fresh }, io));
    if (svg !== undefined && drawing !== undefined) {
      await writeTextAtomically(svg, drawing(results[0] as Characteristics));
    }
    const show = all ? characteristicsTable : (result: Characteristics): string => barTable(result, io.out);
    if (json) writeJson(io, results);
    else io.out.write(results.map(show).join("\n"));
    return 0;
  },
});

interface MeasureOptions {
  readonly quick: boolean;
  readonly only: readonly CharacteristicsGroup[] | undefined;
  readonly refresh: boolean;
}

async function measure(
  device: Device,
  { quick, only, refresh }: MeasureOptions,
  { err }: CommandIo,
): Promise<Characteristics> {
  const line = new ProgressLine(err);
  try {
    return await characterize(device, {
      quick,
      refresh,
      ...(only === undefined ? {} : { only }),
      onProgress: ({ fraction, group, name }) =>
        line.update(fraction, `${name === group ? group : `${group}, ${name}`}  (${device.name.trim()})`),
    });
  } finally {
    line.end();
  }
}

/** Returns the device that a program uses if it selects none. */
function defaultDevices(): readonly Device[] {
  const context = Context.create();
  const { devices } = context;
  context.release();
  return devices.slice(0, 1);
}

function groupsOf(only: string): readonly CharacteristicsGroup[] {
  return only.split(",").map((text) => {
    const name = text.trim();
    const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
    if (group !== undefined) return group;
    throw new UsageError(`--only must be a list of ${Object.keys(groups).join(",")}, received "${name}".`);
  });
}

function plotOf(
  name: string,
  selected: readonly CharacteristicsGroup[] | undefined,
): (result: Characteristics) => string {
  if (!Object.hasOwn(plots, name)) {
    throw new UsageError(`--plot must be one of ${Object.keys(plots).join(", ")}, received "${name}".`);
  }
  const { draw, needs } = plots[name as keyof typeof plots];
  const missing = needs.filter((group) => selected !== undefined && !selected.includes(group));
  if (missing.length === 0) return draw;
  const names = missing.map((group) => Object.keys(groups).find((key) => groups[key] === group));
  throw new UsageError(`The plot ${name} requires ${names.join(" and ")}; add this to --only.`);
}
