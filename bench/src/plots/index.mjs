// Pictures of records: a file of ratios for each package, and one of curves where there are several sizes.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ratioBars } from "./ratios.mjs";
import { scalingCurves } from "./scaling.mjs";

/** @typedef {import("../records.mjs").BenchRecord} BenchRecord */

/**
 * @param {readonly BenchRecord[]} records
 * @param {string} folder is made if it is not there
 * @returns {string[]} the files
 */
export function writePlots(records, folder) {
  mkdirSync(folder, { recursive: true });
  const names = [...new Set(records.map((record) => record.package))];
  return names.flatMap((name) => {
    const its = records.filter((record) => record.package === name);
    const pictures = [
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
