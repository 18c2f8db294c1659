// Builds the documentation site: `build` writes docs/build/site, `dev` serves it with live reload.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { build, createServer } from "vitepress";

import { readStamp, statsDigest, writeStamp } from "../../scripts/lib/fingerprint.mjs";
import { packages } from "../api/entry-points.mjs";
import { writeComingFrom } from "./coming-from.mjs";

const docs = fileURLToPath(new URL("../", import.meta.url));

generateReference();
writeComingFrom();
if (process.argv[2] === "dev") {
  const server = await createServer(docs);
  await server.listen();
  server.printUrls();
} else {
  await build(docs);
}

/** Generates the API reference if a source has changed. */
function generateReference() {
  const sources = ["base", ...packages].map((name) => `packages/${name}/src`);
  const digest = statsDigest(["docs/README.md", "docs/api", "pnpm-lock.yaml", ...sources]);
  if (existsSync(`${docs}build/api.json`) && readStamp("reference") === digest) return;
  const { status } = spawnSync(process.execPath, [`${docs}api/generate.mjs`], { stdio: "inherit" });
  if (status !== 0) throw new Error("failed to generate the API reference");
  writeStamp("reference", digest);
}
