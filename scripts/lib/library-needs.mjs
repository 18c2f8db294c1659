// Checks what a shared library requires from the system.
import { spawnSync } from "node:child_process";

/** Throws if `file` depends on a library that `allowed` does not match, or on a version newer than one in `maxVersions`. */
export function checkNeeds(name, file, allowed, maxVersions) {
  const matches = (option, pattern) => [...readelf(option, file).matchAll(pattern)];
  for (const [, library] of matches("-d", /\(NEEDED\).*\[(.+)\]/g)) {
    if (!allowed.test(library)) throw new Error(`${name} depends on ${library}, which not every system has`);
  }
  for (const [, library, version] of matches("-V", /\b(GLIBC|GLIBCXX)_([\d.]+)/g)) {
    if (newer(version, maxVersions[library])) {
      throw new Error(`${name} requires ${library} ${version}, newer than ${maxVersions[library]}`);
    }
  }
}

function newer(a, b) {
  return a.localeCompare(b, "en", { numeric: true }) > 0;
}

function readelf(option, file) {
  const { status, error, stdout, stderr } = spawnSync("readelf", ["-W", option, file], { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`readelf ${option} ${file} exited with status ${status}: ${stderr}`);
  return stdout;
}
