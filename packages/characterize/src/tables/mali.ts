/**
 * Arm Mali and Immortalis GPUs by model. Source: the Arm GPU Datasheet, "Warp width". Local memory is ordinary cached
 * memory (Arm's Mali GPU OpenCL Developer Guide, "Use of local memory"), which the driver reports, so rows have no
 * banks.
 */
import type { DeviceFacts } from "../device/facts.js";
import type { Hardware } from "./row.js";

/** Returns the row of a GPU by its model. */
export function maliRow(facts: DeviceFacts): Hardware | undefined {
  const model = /\b(?:Mali|Immortalis)-(\w+)/i.exec(facts.name)?.[1]?.toUpperCase();
  return model === undefined ? undefined : rows.get(model);
}

const rows: ReadonlyMap<string, Hardware> = new Map(
  (
    [
      ["G31", 4], // datasheet: Bifrost
      ["G51", 4], // datasheet: Bifrost
      ["G71", 4], // datasheet: Bifrost
      ["G72", 4], // datasheet: Bifrost
      ["G52", 8], // datasheet: Bifrost
      ["G76", 8], // datasheet: Bifrost
      ["G57", 16], // datasheet: Valhall
      ["G68", 16], // datasheet: Valhall
      ["G77", 16], // datasheet: Valhall
      ["G78", 16], // datasheet: Valhall
      ["G310", 16], // datasheet: Valhall
      ["G510", 16], // datasheet: Valhall
      ["G610", 16], // datasheet: Valhall
      ["G710", 16], // datasheet: Valhall
      ["G615", 16], // datasheet: Valhall
      ["G715", 16], // datasheet: Valhall
      ["G620", 16], // datasheet: 5th generation
      ["G720", 16], // datasheet: 5th generation
      ["G625", 16], // datasheet: 5th generation
      ["G725", 16], // datasheet: 5th generation
      ["G925", 16], // datasheet: 5th generation
    ] as const
  ).map(([model, simdGroupSize]) => [model, { family: `Arm Mali-${model}`, simdGroupSize }]),
);
