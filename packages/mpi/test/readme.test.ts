/** The README's program prints what it shows, on any number of ranks. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

import { describeMpis, rankCounts, programFolder, runJob, unexpected } from "./support/run-ranks.js";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const program = /^```js\n([^]*?)^```$/m.exec(readme)?.[1] ?? "";
const [, shown] = /console\.log\(.*\); \/\/ (.+)$/m.exec(program) ?? [];

describeMpis((mpi) => {
  test.each(rankCounts)("on %d ranks", { tags: "ci" }, async (ranks) => {
    const folder = programFolder();
    try {
      const file = path.join(folder, "heat.mjs");
      writeFileSync(file, program);
      const end = await runJob(mpi, ranks, [file]);
      expect([end.code, unexpected(end), end.stdout]).toEqual([0, "", `${shown}\n`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
