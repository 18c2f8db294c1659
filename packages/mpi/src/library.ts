/**
 * Finding the MPI of this job. The launcher's environment tells which one started the process: another would make each process
 * believe that it is alone.
 */
import { existsSync } from "node:fs";

import { compiledFile, native } from "./native.js";

/** What starts processes of MPI, as the environment shows. */
export interface Launch {
  /** The MPI that the launcher belongs to, if that is certain. */
  readonly flavor: "openmpi" | "mpich" | undefined;
  /** Number of processes; `undefined` without a launcher. */
  readonly size: number | undefined;
  /** Number of processes on this node, and the position of this one among them. */
  readonly localSize: number | undefined;
  readonly localRank: number | undefined;
}

/** Reads the environment of a launcher. */
export function launchOf(environment: NodeJS.ProcessEnv): Launch {
  const number = (...names: string[]): number | undefined => {
    const text = names.map((name) => environment[name]).find((value) => value !== undefined && /^\d+$/.test(value));
    return text === undefined ? undefined : Number(text);
  };
  const isOpenMpi = environment["OMPI_COMM_WORLD_SIZE"] !== undefined;
  const isMpich = environment["PMI_SIZE"] !== undefined && !isOpenMpi;
  return {
    flavor: isOpenMpi ? "openmpi" : isMpich ? "mpich" : undefined,
    size: number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "SLURM_STEP_NUM_TASKS"),
    localSize: number("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_TASKS_PER_NODE"),
    localRank: number("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"),
  };
}

/** An MPI that was opened. */
export interface Library {
  readonly name: string;
  /** Its own description, in one line. */
  readonly version: string;
  readonly flavor: string;
}

/** File names of each MPI, newest first. */
const files = {
  openmpi: ["libmpi.so.80", "libmpi.so.40", "libmpi.so"],
  mpich: ["libmpich.so.12", "libmpi.so.12", "libmpich.so", "libmpi.so"],
  mpiabi: ["libmpi_abi.so.0", "libmpi_abi.so"],
} as const;

/** Opens the MPI of the launcher, or the one that `CL_MPI_LIBRARY` names, and the shim that calls it. */
export function openLibrary(environment: NodeJS.ProcessEnv, launch: Launch): Library {
  const given = environment["CL_MPI_LIBRARY"];
  const names = given ? [given] : launch.flavor === undefined ? Object.values(files).flat() : files[launch.flavor];
  const attempts: string[] = [];
  for (const name of new Set(names)) {
    let text: string;
    try {
      text = native.openLibrary(name);
    } catch (error) {
      attempts.push((error as Error).message);
      continue;
    }
    const flavor = flavorOf(text);
    const version = text.split("\n", 1)[0]?.trim() ?? text;
    openShim(flavor, name, version, environment);
    return { name, version, flavor };
  }
  throw new NoMpiError(attempts);
}

/** Returns whose functions a library has, by the text of its version. */
export function flavorOf(version: string): "openmpi" | "mpich" | "mpiabi" {
  if (/Open MPI/.test(version)) return "openmpi";
  // These have the ABI of MPICH.
  return /MPICH|Intel\(R\) MPI|MVAPICH|Cray/i.test(version) ? "mpich" : "mpiabi";
}

function openShim(flavor: string, library: string, version: string, environment: NodeJS.ProcessEnv): void {
  const given = environment["CL_MPI_SHIM"];
  if (given !== undefined && !existsSync(given)) throw new Error(`CL_MPI_SHIM names no file: ${given}`);
  const path = given ?? compiledFile("shims/", `shim-${flavor}.so`);
  if (path === undefined) {
    throw new Error(
      `@cl/mpi has no shim for ${version} (${library}). Compile one with that MPI's compiler:\n  node node_modules/@cl/mpi/scripts/build-shim.mjs --compiler mpicc`,
    );
  }
  native.openShim(path);
}

/** No MPI could be opened. The message lists what was tried, and how to install one. */
export class NoMpiError extends Error {
  /** The stable error code. */
  readonly code = "ERR_CL_NO_MPI";

  constructor(attempts: readonly string[]) {
    super(
      [
        "no MPI was found. Tried:",
        ...attempts.map((attempt) => `  - ${attempt}`),
        "Debian and Ubuntu: apt install openmpi-bin; on a cluster: module load openmpi (or what it is called there).",
        "CL_MPI_LIBRARY names the library of another MPI.",
      ].join("\n"),
    );
    this.name = "NoMpiError";
  }
}
