/** The files through which drivers reach GPUs, and whether this user may use them. */
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";

import { type Finding, ok, warn } from "./finding.js";

/** Looks at what there is in `/dev`; for Linux. */
export function checkDeviceFiles(): readonly Finding[] {
  const check = "device files";
  const files = [...list("/dev/dri", /^renderD\d+$/), ...list("/dev", /^(nvidia(\d+|ctl|-uvm)|kfd|dxg)$/)];
  if (files.length === 0) {
    return [ok(check, "There is none of a GPU (/dev/dri/renderD*, /dev/nvidia*, /dev/kfd): only CPUs can be used.")];
  }
  const closed = files.filter((file) => !mayUse(file));
  const open = files.filter((file) => !closed.includes(file));
  return [
    ...(open.length === 0 ? [] : [ok(check, `This user may use ${open.join(", ")}.`)]),
    ...closed.map((file) => {
      const group = groupOf(file);
      const fix = group === undefined ? `ls -l ${file}` : `sudo usermod -aG ${group} "$USER"   # then log in again`;
      return warn(check, `This user may not read and write ${file}.`, fix);
    }),
  ];
}

function list(folder: string, name: RegExp): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((one) => name.test(one))
      .sort()
      .map((one) => `${folder}/${one}`);
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

/** The name of a file's group, if the group may use it: `render`, `video`. */
function groupOf(file: string): string | undefined {
  try {
    const { gid, mode } = statSync(file);
    if (gid === 0 || (mode & 0o060) !== 0o060) return undefined;
    const line = readFileSync("/etc/group", "utf8")
      .split("\n")
      .find((one) => one.split(":")[2] === String(gid));
    return line?.split(":")[0];
  } catch {
    return undefined;
  }
}
