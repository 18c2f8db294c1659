// Runs commands in a copy of this machine's files, which other processes don't see and which is deleted afterwards.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The number of the user `nobody`, who has no rights. */
const guest = 65534;

const script = `
mount -t overlay overlay -o lowerdir=/,upperdir="$1/changes",workdir="$1/work" "$1/root"
for name in proc sys dev; do mount --rbind "/$name" "$1/root/$name"; done
mkdir -p "$1/root/home/guest" && chown ${guest}:${guest} "$1/root/home/guest"
chroot "$1/root" bash -euc "$2"
exec chroot --userspec=${guest}:${guest} "$1/root" bash -euc "cd /home/guest; $3"`;

/**
 * Runs `prepare` as root and `command` as a user without rights and with an empty home folder, both in bash, in the copy.
 * Returns whether they succeeded. Throws if this process may not mount file systems.
 */
export function runInCopy(prepare, command, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cl-copy-"));
  for (const name of ["root", "changes", "work"]) mkdirSync(join(folder, name));
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CL|OCL|POCL|XDG|VITEST)_|^CI$|^npm_(?!config_registry)/.test(name),
  );
  const env = { ...Object.fromEntries(inherited), HOME: "/home/guest", ...variables };
  try {
    const { status, error } = spawnSync("unshare", ["--mount", "bash", "-euc", script, "-", folder, prepare, command], {
      env,
      stdio: "inherit",
    });
    if (error) throw error;
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
