/**
 * Binary queries on PoCL before 7 while kernels run.
 *
 * It counts the launches that use a kernel's code by program source, kernel and local size. A binary query compiles
 * kernels with a required work-group size under the same key, and PoCL may then decrement the new code's count, which
 * is 0, at the end of a launch and abort the process. Therefore a twin program with a unique source is queried instead;
 * its code for the required size is the same.
 */
import { randomUUID } from "node:crypto";

import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { kernelWorkGroupQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { isPoclBefore } from "../platform/pocl.js";

/** Returns whether the binaries of a built program must be queried from a twin. */
export function needsTwin({ platform }: Context, program: Handle, devices: readonly Device[]): boolean {
  if (!isPoclBefore(platform, 7)) return false;
  let isFixed = false;
  for (const kernel of native.createKernels(program)) {
    try {
      isFixed ||= devices.some((device) =>
        ask(kernelWorkGroupQueries, "compileWorkGroupSize", (param) =>
          native.getWorkGroupInfo(kernel, handleOf(device), param),
        ).some((size) => size > 0),
      );
    } finally {
      native.recycle(kernel);
    }
  }
  return isFixed;
}

/**
 * Returns an unbuilt twin of a program. A comment would not make it unique, because PoCL compares preprocessed sources.
 */
export function twinOf(context: Context, source: string): Handle {
  // Two line breaks: the last line may end in a backslash.
  return native.programFromSource(
    handleOf(context),
    `${source}\n\ntypedef int cl_twin_${randomUUID().replaceAll("-", "")};\n`,
  );
}
