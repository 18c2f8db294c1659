// Unpacks packages of Debian or Ubuntu into node_modules/.cache/system, for users who may not install them.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { root } from "./environment.mjs";
import { privateApt, unpackArchive } from "./private-apt.mjs";
import { isDebian, onPath, packagesFor } from "./system.mjs";

const cache = join(root, "node_modules", ".cache");
const system = join(cache, "system");
const list = join(system, "packages.json");

/**
 * Downloads and unpacks the missing packages, with all that they depend on. Returns false if that is not possible. A
 * compiler is not unpacked, because it finds the C library's files only where they are installed.
 */
export function unpackPackages(missing, say) {
  const names = packagesFor(missing, "apt");
  if (!isDebian() || !["apt-get", "dpkg-deb"].every(onPath) || names.includes("g++")) return false;
  const earlier = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  const packages = [...new Set([...earlier, ...names])];
  say(`unpacking into node_modules/.cache, without installing: ${packages.join(" ")}`);
  const work = join(cache, `system-${process.pid}`);
  try {
    const unpacked = join(work, "unpacked");
    const apt = privateApt(join(work, "apt"));
    apt(["-y", "--no-install-recommends", "--download-only", "install", ...packages]);
    const archives = join(work, "apt/archives");
    for (const file of readdirSync(archives).filter((name) => name.endsWith(".deb"))) {
      unpackArchive(join(archives, file), unpacked);
    }
    nameDrivers(unpacked);
    writeFileSync(join(unpacked, "packages.json"), JSON.stringify(packages));
    rmSync(system, { recursive: true, force: true });
    renameSync(unpacked, system);
    useUnpackedPackages();
    return true;
  } catch (error) {
    say(error.message);
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Lets this process and its children find what was unpacked. */
export function useUnpackedPackages() {
  if (!existsSync(list)) return;
  const { env } = process;
  const append = (name, paths) => (env[name] = [...(env[name] ? [env[name]] : []), ...paths].join(delimiter));
  const folders = libraryFolders(system);
  append("PATH", [join(system, "usr/bin")]);
  append("LD_LIBRARY_PATH", folders);
  const headers = join(system, "usr/include");
  if (existsSync(join(headers, "CL"))) env.CL_INC_DIR ||= headers;
  const loader = folders.map((folder) => join(folder, "libOpenCL.so.1")).find(existsSync);
  if (loader !== undefined) env.CL_LIBRARY_PATH ||= loader;
  const vendors = join(system, "etc/OpenCL/vendors");
  if (existsSync(vendors)) env.OCL_ICD_VENDORS ||= vendors;
}

/** Writes the drivers' final paths to the unpacked .icd files, because the loader searches only system folders. */
function nameDrivers(unpacked) {
  const vendors = join(unpacked, "etc/OpenCL/vendors");
  if (!existsSync(vendors)) return;
  for (const file of readdirSync(vendors)) {
    const name = readFileSync(join(vendors, file), "utf8").trim();
    const path = libraryFolders(unpacked)
      .map((folder) => join(folder, name))
      .find(existsSync);
    if (path !== undefined) writeFileSync(join(vendors, file), `${join(system, relative(unpacked, path))}\n`);
  }
}

function libraryFolders(unpacked) {
  return ["lib", "usr/lib"]
    .map((name) => join(unpacked, name))
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.includes("-linux-gnu"));
}
