import { CharacterizationWarning } from "@cl/characterize";
import { expect, test } from "vitest";

test("a CharacterizationWarning names the device and the query, and reaches listeners of the process", async () => {
  const warning = new CharacterizationWarning("localMemoryBankCount", "a device", "no entry");
  expect(warning).toBeInstanceOf(Error);
  expect(warning).toMatchObject({ name: "CharacterizationWarning", device: "a device", message: "no entry" });
  const heard = new Promise((resolve) => {
    process.once("warning", resolve);
  });
  process.emitWarning(warning);
  expect(await heard).toBe(warning);
});
