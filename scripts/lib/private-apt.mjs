// Runs apt without root rights and without a change of the system's state. It verifies signatures.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Downloads the lists of packages to `folder`, and returns a function that runs apt-get with them. It takes the arguments
 * and the folder to run in. Both throw if apt-get fails. `settings` are added to apt's.
 */
export function privateApt(folder, settings = {}) {
  const [lists, archives] = [join(folder, "lists"), join(folder, "archives")];
  for (const path of [lists, archives]) mkdirSync(join(path, "partial"), { recursive: true });
  const all = {
    "Dir::State::lists": lists,
    "Dir::Cache": folder,
    "Dir::Cache::archives": archives,
    // Neither changes the system's state.
    "Debug::NoLocking": "1",
    "APT::Sandbox::User": "",
    ...settings,
  };
  const options = Object.entries(all).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  const apt = (args, cwd = folder) => command("apt-get", [...options, "-q", ...args], cwd);
  apt(["update"]);
  return apt;
}

/** Unpacks the Debian package `archive` into `folder`. */
export function unpackArchive(archive, folder) {
  command("dpkg-deb", ["--extract", archive, folder], ".");
}

function command(name, args, cwd) {
  const options = { cwd, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] };
  const { status, stderr, error } = spawnSync(name, args, options);
  if (status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr.trim()}`);
}
