// Writes a CycloneDX SBOM of the published packages and their dependencies. Throws if one has an unknown license.
//   node scripts/sbom.mjs [FILE]      FILE defaults to sbom.cdx.json
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installTarballs, npm } from "./lib/install.mjs";
import { packAll, publishedPackages } from "./lib/pack.mjs";

/** Permissive licenses, compatible with ours. */
const known = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];
/** Licenses of the parts of @cl/pocl's library. The exceptions allow any license for programs that contain the parts. */
const knownOfParts = [
  ...known,
  "Apache-2.0 WITH LLVM-exception",
  "BSD-1-Clause",
  "BSL-1.0",
  "GPL-3.0-or-later WITH GCC-exception-3.1",
  "NCSA",
  "Zlib",
];

const file = resolve(process.argv[2] ?? "sbom.cdx.json");
const folder = mkdtempSync(join(tmpdir(), "cl-sbom-"));
try {
  // npm otherwise rejects packages for other platforms.
  installTarballs(join(folder, "user"), packAll(folder, publishedPackages()), ["--force"]);
  const sbom = JSON.parse(npm(join(folder, "user"), ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library"]));
  for (const component of sbom.components) {
    const { name, version, licenses = [] } = component;
    const license = licenses.map((entry) => entry.expression ?? entry.license.id ?? entry.license.name).join(", ");
    console.log(`${name} ${version}: ${license || "no license"}`);
    const parts = partsOf(name, join(folder, "user"));
    if (parts.length > 0) component.components = parts;
    const accepted =
      parts.length > 0 ? license.split(" AND ").every((each) => knownOfParts.includes(each)) : known.includes(license);
    if (!accepted) throw new Error(`${name}: review its license: ${license || "none declared"}`);
    // Remove the temporary path of the tarball.
    component.externalReferences = component.externalReferences?.filter(({ url }) => !url.startsWith("file:"));
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(sbom, null, 2)}\n`);
  renameSync(`${file}.new`, file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the parts that a package with a library lists in its file sbom.json. Throws if one has an unknown license. */
function partsOf(name, user) {
  const list = join(user, "node_modules", name, "sbom.json");
  if (!existsSync(list)) return [];
  const parts = JSON.parse(readFileSync(list, "utf8"));
  for (const part of parts) {
    const license = part.licenses[0].expression;
    if (!knownOfParts.includes(license)) throw new Error(`${part.name}: review its license: ${license}`);
  }
  return parts;
}
