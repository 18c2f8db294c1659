/** `clkit bench`: what a device can do, as measured. */
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

import { checkPlace } from "../../check-place.js";
import { type Command, defineCommand, UsageError } from "../../command.js";
import type { CommandIo } from "../../io.js";
import { writeJson } from "../../json.js";
import { ProgressLine } from "../../progress-line.js";
import { barTable } from "./bars.js";

/** The words of `--only`. */
const groups: Readonly<Record<string, CharacteristicsGroup>> = {
  timer: "timer",
  launch: "launch",
  transfer: "transfer",
  "global-memory": "globalMemory",
  "local-memory": "localMemory",
  compute: "compute",
  atomics: "atomics",
};

/** The words of `--plot`, and what each needs. */
const plots = {
  roofline: { draw: rooflinePlot, needs: ["globalMemory", "compute"] },
  bandwidth: { draw: bandwidthPlot, needs: ["transfer"] },
  launch: { draw: launchPlot, needs: ["launch"] },
} as const satisfies Record<string, unknown>;

/** Measures devices. */
export const bench: Command = defineCommand({
  name: "bench",
  summary: "measures a device: launches, transfers, memory, arithmetic, atomics",
  usage: "[options]",
  options: {
    device: { type: "string", short: "d", value: "SELECTOR", help: 'what to measure: "gpu", "1:0", "nvidia:*"' },
    quick: { type: "boolean", short: "q", help: "fewer sizes, fewer rounds: a first impression" },
    only: { type: "string", value: "GROUPS", help: `some of ${Object.keys(groups).join(",")}` },
    fresh: { type: "boolean", help: "measure again what an earlier run has kept" },
    all: { type: "boolean", short: "a", help: "every figure, without bars" },
    json: { type: "boolean", help: "every figure as JSON, a list with an entry for each device" },
    svg: { type: "string", value: "FILE", help: "write a plot there" },
    plot: { type: "string", value: "NAME", help: `which: ${Object.keys(plots).join(", ")}; roofline if not said` },
  },
  notes: [
    "Figures are medians, with half the distance from the tenth to the ninetieth percentile.",
    "They are kept in the cache folder until the device or its driver changes. Let nothing else run meanwhile.",
  ],
  async run({ device, quick = false, only, fresh = false, all = false, json = false, svg, plot }, _positionals, io) {
    if (all && json) throw new UsageError("--json has every figure; --all adds nothing to it.");
    if (plot !== undefined && svg === undefined) throw new UsageError("--plot needs --svg FILE, where it is drawn.");
    const wanted = only === undefined ? undefined : groupsOf(only);
    const drawing = svg === undefined ? undefined : plotOf(plot ?? "roofline", wanted);
    const devices = device === undefined ? defaultDevices() : selectDevices(device);
    if (svg !== undefined && devices.length > 1) {
      throw new UsageError(`--svg draws one device, but "${device}" selects ${devices.length}.`);
    }
    if (svg !== undefined) checkPlace(svg, "the plot");
    const results: Characteristics[] = [];
    for (const one of devices) results.push(await measure(one, { quick, only: wanted, refresh: fresh }, io));
    if (svg !== undefined && drawing !== undefined) {
      await writeTextAtomically(svg, drawing(results[0] as Characteristics));
    }
    const show = all ? characteristicsTable : (result: Characteristics): string => barTable(result, io.out);
    if (json) writeJson(io, results);
    else io.out.write(results.map(show).join("\n"));
    return 0;
  },
});

interface Wishes {
  readonly quick: boolean;
  readonly only: readonly CharacteristicsGroup[] | undefined;
  readonly refresh: boolean;
}

async function measure(device: Device, { quick, only, refresh }: Wishes, { err }: CommandIo): Promise<Characteristics> {
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

/** What a program gets that names none. */
function defaultDevices(): readonly Device[] {
  const context = Context.create();
  const { devices } = context;
  context.release();
  return devices.slice(0, 1);
}

function groupsOf(only: string): readonly CharacteristicsGroup[] {
  return only.split(",").map((word) => {
    const name = word.trim();
    const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
    if (group !== undefined) return group;
    throw new UsageError(`--only takes some of ${Object.keys(groups).join(",")}; "${name}" is none of them.`);
  });
}

function plotOf(
  name: string,
  wanted: readonly CharacteristicsGroup[] | undefined,
): (result: Characteristics) => string {
  if (!Object.hasOwn(plots, name)) {
    throw new UsageError(`--plot is one of ${Object.keys(plots).join(", ")}; "${name}" is none of them.`);
  }
  const { draw, needs } = plots[name as keyof typeof plots];
  const missing = needs.filter((group) => wanted !== undefined && !wanted.includes(group));
  if (missing.length === 0) return draw;
  const words = missing.map((group) => Object.keys(groups).find((word) => groups[word] === group));
  throw new UsageError(`The plot ${name} needs ${words.join(" and ")}, which --only leaves out.`);
}
