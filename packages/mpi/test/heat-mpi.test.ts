/**
 * The example heat-mpi prints what its README shows.
 *
 * @module-tag full
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

import { describeMpis, runJob, unexpected } from "./support/run-ranks.js";

const example = new URL("../../../examples/heat-mpi/", import.meta.url);

describeMpis((mpi) => {
  test.each<[number, readonly string[]]>([
    [1, []],
    [2, []],
    [4, ["--overlap"]],
  ])("on %d ranks, with %j", async (ranks, options) => {
    const end = await runJob(mpi, ranks, [fileURLToPath(new URL("dist/main.js", example)), ...options]);
    expect([end.code, unexpected(end), end.code === 0 ? "" : end.stdout]).toEqual([0, "", ""]);
    const readme = readFileSync(new URL("README.md", example), "utf8");
    const [sameBits = "", heat = ""] = end.stdout.trimEnd().split("\n");
    expect(sameBits).toBe(`${ranks} ranks compute what one computes, bit for bit`);
    expect(readme).toContain(`\`${heat}\``);
  });
});
