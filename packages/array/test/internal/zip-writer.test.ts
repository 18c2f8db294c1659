/** The writer of archives, on files that fail. */
import type { AtomicFile } from "@cl/base/files";
import { expect, test } from "vitest";

import { ZipWriter } from "../../src/files/zip-writer.js";
import { unhandledRejections } from "../support/unhandled-rejections.js";

test("an error while writing an archive rejects only the caller's promise", async () => {
  class Wrong extends Uint8Array {
    override subarray(): never {
      throw new Error("no part of it");
    }
  }
  const file: Pick<AtomicFile, "length" | "append"> = { length: 0, append: async () => {} };
  const added = async (): Promise<void> => {
    await expect(new ZipWriter(file as AtomicFile).add("a", [new Wrong(3)], true)).rejects.toThrow(
      expect.objectContaining({ message: "no part of it" }),
    );
  };
  expect(await unhandledRejections(added)).toEqual([]);
});
