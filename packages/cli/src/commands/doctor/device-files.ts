/** Checks the files through which drivers access GPUs, and the user's permissions for them. */
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";

import { type Finding, ok, warn } from "./finding.js";

/** Checks the files in `/dev`. Linux only. */
export function checkDeviceFiles(): readonly Finding[] {
  const check = "device files";
  const files = [...list("/dev/dri", /^renderD\d+$/), ...list("/dev", /^(nvidia(\d+|ctl|-uvm)|kfd|dxg)$/)];
  if (files.length === 0) {
    return [
      ok(check, "No GPU device files found (/dev/dri/renderD*, /dev/nvidia*, /dev/kfd); only CPUs are available."),
    ];
  }
  const closed = files.filter((file) => !mayUse(file));
  const open = files.filter((file) => !closed.includes(file));
  return [
    ...(open.length === 0 ? [] : [ok(check, `You have access to ${open.join(", ")}.`)]),
    ...closed.map((file) => {
      const group = groupOf(file);
      const fix = group === undefined ? `ls -l ${file}` : `sudo usermod -aG ${group} "$USER"   # then log in again`;
      return warn(check, `You do not have read and write access to ${file}.`, fix);
    }),
  ];
}

function list(folder: string, pattern: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => `${folder}/${name}`);
  } catch {
    return [];
  }
}

function mayUse(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the name of a file's group, such as `render` or `video`, if the group has access. */
function groupOf(file: string): string | undefined {
  try {
    const { gid, mode } = statSync(file);
    if (gid === 0 || (mode & 0o060) !== 0o060) return undefined;
    const line = readFileSync("/etc/group", "utf8")
      .split("\n")
      .find((entry) => entry.split(":")[2] === String(gid));
    return line?.split(":")[0];
  } catch {
    return undefined;
  }
}
