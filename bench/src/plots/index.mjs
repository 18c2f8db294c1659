// Plots of records: ratios for each package, and curves if a package has jobs with several sizes, or on several ranks.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ratioBars } from "./ratios.mjs";
import { scalingCurves } from "./scaling.mjs";
import { weakScaling } from "./weak-scaling.mjs";

/** @typedef {import("../records.mjs").BenchRecord} BenchRecord */

/**
 * @param {readonly BenchRecord[]} records
 * @param {string} folder created if it does not exist
 * @returns {string[]} the files
 */
export function writePlots(records, folder) {
  mkdirSync(folder, { recursive: true });
  const names = [...new Set(records.map((record) => record.package))];
  return names.flatMap((name) => {
    const its = records.filter((record) => record.package === name);
    const isOnRanks = its.some(({ ranks }) => ranks !== undefined);
    const pictures = isOnRanks
      ? [[`${name}-weak-scaling.svg`, weakScaling(its)]]
      : [
          [`${name}-ratios.svg`, ratioBars(name, its)],
          [`${name}-scaling.svg`, scalingCurves(name, its)],
        ];
    return pictures.flatMap(([file = "", svg]) => {
      if (svg === undefined) return [];
      writeFileSync(join(folder, file), svg);
      return [join(folder, file)];
    });
  });
}
