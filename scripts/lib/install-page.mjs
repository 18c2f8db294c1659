// Follows docs/install.md: runs its programs and commands with the packed packages.
import { cpSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PageProject } from "./page-project.mjs";
import { pnpm } from "./pnpm.mjs";

/** Tools and runtimes that docs/install.md uses. */
const tools = ["typescript@7.0.2", "@types/node@20.19.43", "vitest@4.1.12"];
tools.push("esbuild@0.28.2", "rollup@4.68.7", "@rollup/plugin-node-resolve@16.0.3");
const runtimes = ["@oven/bun-linux-x64@1.4.5", "@deno/linux-x64-glibc@2.9.6"];

/** Runs the programs and commands of docs/install.md in folders below `folder`. */
export function followInstallPage(folder, installCommand, tarballs) {
  usePnpm(join(folder, "pnpm"), tarballs);
  const project = new PageProject("docs/install.md", join(folder, "page"));
  project.prepare(installCommand);
  const saxpy = "12,24,36";
  project.run("npx clkit info", "0:0");
  project.run("node saxpy.mjs", saxpy);
  const devices = project.run("node devices.cjs", "\n");
  const flags = "--save-dev --no-audit --no-fund --prefer-offline --ignore-scripts";
  project.prepare(`npm install ${flags} ${tools.join(" ")}`);
  project.run("npx tsc && node dist/main.mjs", "1,2,3");
  project.run("node --test", "# pass 1");
  project.run("npx vitest run read.spec.mjs", "1 passed");
  console.log("docs/install.md: Node.js, CommonJS, TypeScript, node --test and Vitest");
  bundle(join(folder, "page"), project, saxpy, devices);
  console.log("docs/install.md: esbuild and Rollup");
  if (process.platform !== "linux" || process.arch !== "x64") return;
  project.prepare(`npm install ${flags} ${runtimes.join(" ")}`);
  project.addToPath("node_modules/@oven/bun-linux-x64/bin");
  project.addToPath("node_modules/@deno/linux-x64-glibc");
  project.run("bun saxpy.mjs", saxpy);
  project.run("bun devices.cjs", devices);
  project.run("deno run -A saxpy.mjs", saxpy);
  project.run("deno run -A devices.cjs", devices);
  console.log("docs/install.md: Bun and Deno");
}

/** Bundles the programs of the page. Runs the bundles below the installed packages, and elsewhere with the addon alone. */
function bundle(folder, project, saxpy, devices) {
  project.run(
    "npx esbuild saxpy.mjs --bundle --platform=node --format=esm --external:@cl/core --outfile=dist/external.mjs",
  );
  project.run("npx esbuild saxpy.mjs --bundle --platform=node --format=esm --outfile=dist/esbuild.mjs");
  project.run("npx esbuild devices.cjs --bundle --platform=node --format=cjs --outfile=dist/devices.cjs");
  project.run("npx rollup -c");
  const bundles = { "esbuild.mjs": saxpy, "devices.cjs": devices, "rollup/saxpy.mjs": saxpy };
  for (const [name, output] of Object.entries({ "external.mjs": saxpy, ...bundles })) {
    project.check(`node dist/${name}`, output);
  }
  const addon = join(folder, "node_modules/@cl/core/prebuilds", `${process.platform}-${process.arch}/cl_core.node`);
  for (const [name, output] of Object.entries(bundles)) {
    const alone = `../alone-${dirname(name)}-${basename(name)}`;
    const place = join(folder, alone);
    cpSync(join(folder, "dist", dirname(name)), place, { recursive: true });
    project.check(`node ${basename(name)}`, "A bundle does not contain the addon.", { folder: alone, fails: true });
    project.check(`CL_CORE_BINARY=${addon} node ${basename(name)}`, output, { folder: alone });
    cpSync(addon, join(place, "cl_core.node"));
    project.check(`node ${basename(name)}`, output, { folder: alone });
  }
}

/** Installs core with pnpm, with the overrides that tarballs need. */
function usePnpm(place, tarballs) {
  const project = new PageProject("docs/install.md", place);
  const overrides = [...tarballs].map(([name, tarball]) => `  "${name}": file:${tarball}\n`).join("");
  writeFileSync(join(place, "pnpm-workspace.yaml"), `overrides:\n${overrides}`);
  writeFileSync(join(place, "package.json"), "{}");
  const { ok, output } = pnpm(["add", tarballs.get("@cl/core")], { cwd: place, capture: true });
  if (!ok) throw new Error(`pnpm add failed:\n${output}`);
  project.run("node saxpy.mjs", "12,24,36");
  console.log("docs/install.md: pnpm");
}
