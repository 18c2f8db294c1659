// Finds PoCL's sources: a given folder or archive, Debian's package with the sources, or upstream's release archive.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { folderDigest } from "./inputs.mjs";

/** The version of PoCL that the patches fit. */
export const poclVersion = "7.1";

/** Archives with the sources, in the order in which they are tried. */
const archives = [
  {
    // Debian's patches to 7.1 only concern its own packages and i386.
    file: "pocl-source_7.1-9_all.deb",
    sha256: "20cd7647eb463f2bd62e5837b1af33fd944b2566509047ecb257afcf92beb402",
    urls: () => [`${debianMirror()}/pool/main/p/pocl/pocl-source_7.1-9_all.deb`],
  },
  {
    // The hash is the one that Homebrew's formula records.
    file: "pocl-7.1.tar.gz",
    sha256: "1110057cb0736c74819ad65238655a03f7b93403a0ca60cdd8849082f515ca25",
    urls: () => ["https://github.com/pocl/pocl/archive/refs/tags/v7.1.tar.gz"],
  },
];

/**
 * Returns the sources as `{ path, digest }`: a folder or an archive, and a digest of its contents. Downloads an archive to
 * `cache` unless `given` names one.
 */
export async function obtainSource(cache, given, say) {
  if (given !== undefined) return givenSource(resolve(given));
  for (const { file, sha256 } of archives) {
    const path = join(cache, file);
    if (existsSync(path) && digestOf(path) === sha256) return { path, digest: sha256 };
  }
  const failures = [];
  for (const { file, sha256, urls } of archives) {
    for (const url of urls()) {
      say(`downloading ${url}`);
      try {
        const path = join(cache, file);
        await download(url, sha256, path);
        return { path, digest: sha256 };
      } catch (error) {
        failures.push(`  ${url}: ${error.cause?.message ?? error.message}`);
      }
    }
  }
  throw new Error(["cannot download the sources; pass --source", ...failures].join("\n"));
}

function givenSource(path) {
  if (!existsSync(path)) throw new Error(`--source must exist, received ${path}`);
  if (statSync(path).isDirectory()) return { path, digest: folderDigest(path) };
  const digest = digestOf(path);
  if (archives.some(({ sha256 }) => sha256 === digest)) return { path, digest };
  throw new Error(
    `--source must be a folder or one of the archives in scripts/pocl/sources.mjs; ${path} has ${digest}`,
  );
}

async function download(url, sha256, path) {
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  const contents = Buffer.from(await response.arrayBuffer());
  const received = createHash("sha256").update(contents).digest("hex");
  if (received !== sha256) throw new Error(`the SHA-256 must be ${sha256}, received ${received}`);
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
}

function digestOf(file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** Returns the mirror that apt uses for Debian. */
function debianMirror() {
  const folder = "/etc/apt/sources.list.d";
  const lists = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  for (const file of ["/etc/apt/sources.list", ...lists]) {
    if (!/\.(list|sources)$/.test(file) || !existsSync(file)) continue;
    const mirror = /^(?:deb\s.*?|URIs:.*?)(https?:\/\/\S+\/debian)\/?(?:\s|$)/m.exec(readFileSync(file, "utf8"))?.[1];
    if (mirror !== undefined) return mirror;
  }
  return "http://deb.debian.org/debian";
}
