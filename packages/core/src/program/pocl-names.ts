/**
 * PoCL renames kernels that are called like a function of OpenCL C, so that its compiler does not mix them up: `step`
 * becomes `_cl_step`. Users never see that: names lose the prefix here, and native/kernel.cc tries it when a name is not found.
 */
export function plainName(name: string): string {
  return name.startsWith("_cl_") ? name.slice("_cl_".length) : name;
}
