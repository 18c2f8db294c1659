// Writes what the published packages bring to a user's machine, as an SBOM in CycloneDX's form, and refuses licences that
// nobody has looked at.
//   node scripts/sbom.mjs [FILE]      sbom.cdx.json if not said
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { installTarballs, npm } from "./lib/install.mjs";
import { packAll } from "./lib/pack.mjs";

/** Licences that let anybody use, change and pass on, as ours does. */
const known = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"];

const file = resolve(process.argv[2] ?? "sbom.cdx.json");
const folder = mkdtempSync(join(tmpdir(), "cl-sbom-"));
try {
  installTarballs(join(folder, "user"), packAll(folder));
  const sbom = JSON.parse(npm(join(folder, "user"), ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "library"]));
  for (const component of sbom.components) {
    const { name, version, licenses = [] } = component;
    const licence = licenses.map((entry) => entry.expression ?? entry.license.id ?? entry.license.name).join(", ");
    console.log(`${name} ${version}: ${licence || "no licence said"}`);
    if (!known.includes(licence)) throw new Error(`${name}: look at its licence, ${licence || "which is not said"}`);
    // Where the tarball lay while this ran says nothing to anybody.
    component.externalReferences = component.externalReferences?.filter(({ url }) => !url.startsWith("file:"));
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(sbom, null, 2)}\n`);
  renameSync(`${file}.new`, file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
