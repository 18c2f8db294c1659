// The same programs on the PoCL of @cl/pocl (ours) and on the system's OpenCL runtime. The targets are those of its design.
import { paths } from "../../paths.mjs";
import { functions } from "./functions.mjs";
import { ofGroups } from "./groups.mjs";
import { programs } from "./programs.mjs";

/** The measured package. */
export const measures = "array";

/** The OpenCL library of `ours`. */
export const library = paths.pocl;

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...programs, ...functions, ...ofGroups];
