/** Environments in which the OpenCL loader finds no driver. */
import { packageFolder } from "../../package-folder.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the environment with a folder of drivers that contains none. */
export function withoutDrivers(env: Environment): Environment {
  return { ...env, OCL_ICD_VENDORS: `${packageFolder}dist`, OCL_ICD_FILENAMES: undefined };
}
