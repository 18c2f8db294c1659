// The Debian packages of another processor that are linked, unpacked into a folder without installing them.
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { privateApt, unpackArchive } from "../../lib/private-apt.mjs";
import { packageVersion, unpackedPackages } from "../requirements.mjs";

/** Downloads the packages for `target`, in the versions that are installed for this computer's processor, to `sysroot`. */
export function unpackSysroot(target, sysroot, say) {
  say(`unpack the packages for ${target.name}`);
  const work = `${sysroot}.new`;
  rmSync(work, { recursive: true, force: true });
  const archives = join(work, "downloaded");
  mkdirSync(archives, { recursive: true });
  // apt must not compare them with the packages that are installed.
  const status = join(work, "status");
  writeFileSync(status, "");
  const apt = privateApt(join(work, "apt"), {
    "APT::Architecture": target.debian,
    "APT::Architectures": target.debian,
    "Dir::State::status": status,
    "Acquire::Languages": "none",
  });
  apt(["download", ...unpackedPackages.map((name) => `${name}=${packageVersion(name)}`)], archives);
  for (const file of readdirSync(archives)) unpackArchive(join(archives, file), sysroot);
  rmSync(work, { recursive: true });
  // Prints paths relative to its own, and the names of LLVM's libraries, which do not depend on the processor.
  const tools = join(sysroot, "usr/lib/llvm-19/bin");
  mkdirSync(tools, { recursive: true });
  copyFileSync("/usr/lib/llvm-19/bin/llvm-config", join(tools, "llvm-config"));
}
