import { expect, test, vi } from "vitest";

import { targetName } from "../../src/binary.js";

test("the name of the platform is found without a report, which resolves the names of all open sockets", () => {
  const report = vi.spyOn(process.report, "getReport");
  expect(targetName()).toMatch(new RegExp(`^${process.platform}-${process.arch}(-musl)?$`));
  expect(report).not.toHaveBeenCalled();
});
