/**
 * Asking PoCL for binaries while kernels run.
 *
 * PoCL 3 counts the launches that use a kernel's code by the program's text, the kernel and the local size. Asked for
 * binaries, it compiles kernels of a fixed work-group size under the same three, and may then count the end of a launch
 * for the new code, which has none: it ends the process. So a twin is asked, whose text is nobody else's. What it
 * compiles for the fixed size is the same.
 */
import { randomUUID } from "node:crypto";

import { type Handle, native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import { kernelWorkGroupQueries } from "../info/kernel-info.js";
import { ask } from "../info/query.js";
import { isPocl } from "./pocl-names.js";
import type { Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";

/** Whether a twin must be asked for the binaries of a built program. */
export function needsTwin({ platform }: Context, program: Handle, devices: readonly Device[]): boolean {
  if (!isPocl(platform)) return false;
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

/** A program like that of the source, to be built. Comments would not tell it apart: PoCL goes by preprocessed text. */
export function twinOf(context: Context, source: string): Handle {
  // Two line breaks: the last line may end in a backslash.
  return native.programFromSource(
    handleOf(context),
    `${source}\n\ntypedef int cl_twin_${randomUUID().replaceAll("-", "")};\n`,
  );
}
