// Packs the public packages for this platform into one folder, as they would be published, and prints the command that
// installs them.
//   npm run -s pack [-- FOLDER]      FOLDER defaults to `packed` in the root of the repository
// `npm pack` alone would leave `workspace:*` in the dependencies; pnpm replaces it with the version. The tarballs of core
// and mpi contain the addons that were built on this machine, and those that scripts/prebuild.mjs has compiled. Without a
// built library, @cl/pocl is left out, because it does nothing else.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./lib/environment.mjs";
import { packAll, usablePackages } from "./lib/pack.mjs";

const folder = resolve(process.argv[2] ?? join(root, "packed"));
mkdirSync(folder, { recursive: true });
// The printed command would install the tarballs of an older version, too.
for (const name of readdirSync(folder)) if (/^cl-[a-z0-9-]+-\d.*\.tgz$/.test(name)) rmSync(join(folder, name));
const tarballs = packAll(folder, usablePackages());
if (!tarballs.has("@cl/pocl")) {
  console.log("Left out @cl/pocl: its library is not built (on Debian 12: node scripts/build-pocl.mjs)");
}
console.log(`Packed ${[...tarballs.keys()].join(", ")}. To install them, run this in your project's folder:`);
console.log(`npm install ${/^[\w@%+=:,./-]+$/.test(folder) ? folder : JSON.stringify(folder)}/*.tgz`);
