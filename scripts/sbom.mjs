// Writes a CycloneDX SBOM of the published packages and their dependencies. Throws if one has an unknown license.
//   node scripts/sbom.mjs [FILE]      FILE defaults to sbom.cdx.json
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installTarballs, npm } from "./lib/install.mjs";
import { packAll } from "./lib/pack.mjs";

/** Permissive licenses, compatible with ours. */
const known = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];

const file = resolve(process.argv[2] ?? "sbom.cdx.json");
const folder = mkdtempSync(join(tmpdir(), "cl-sbom-"));
try {
  installTarballs(join(folder, "user"), packAll(folder));
  const sbom = JSON.parse(npm(join(folder, "user"), ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library"]));
  for (const component of sbom.components) {
    const { name, version, licenses = [] } = component;
    const license = licenses.map((entry) => entry.expression ?? entry.license.id ?? entry.license.name).join(", ");
    console.log(`${name} ${version}: ${license || "no license"}`);
    if (!known.includes(license)) throw new Error(`${name}: review its license: ${license || "none declared"}`);
    // Remove the temporary path of the tarball.
    component.externalReferences = component.externalReferences?.filter(({ url }) => !url.startsWith("file:"));
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(sbom, null, 2)}\n`);
  renameSync(`${file}.new`, file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
