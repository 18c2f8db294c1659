import { CharacterizationWarning } from "@cl/characterize";
import { expect, test } from "vitest";

test("a CharacterizationWarning says which device and which question, and reaches listeners of the process", async () => {
  const warning = new CharacterizationWarning("localMemoryBankCount", "a device", "nobody knows");
  expect(warning).toBeInstanceOf(Error);
  expect(warning).toMatchObject({ name: "CharacterizationWarning", device: "a device", message: "nobody knows" });
  const heard = new Promise((resolve) => {
    process.once("warning", resolve);
  });
  process.emitWarning(warning);
  expect(await heard).toBe(warning);
});
