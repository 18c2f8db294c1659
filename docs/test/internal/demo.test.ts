import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

test("npm run demo runs the simulation", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts["demo"]).toBe("node scripts/bootstrap.mjs node examples/gray-scott/dist/main.js");
});
