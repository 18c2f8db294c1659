/** Environments of processes that tests start. */

/** Variables that select devices. */
const selectors = ["CL_DEVICE", "CL_TEST_DEVICES"] as const;

/**
 * Returns this process's environment with `changes`. If they name another OpenCL library, variables that select devices
 * are left out, since that library has others.
 */
export function childEnvironment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: "" };
  if (usesOtherLibrary(changes)) for (const name of selectors) delete inherited[name];
  return { ...inherited, ...changes };
}

function usesOtherLibrary({ CL_LIBRARY_PATH, OCL_ICD_VENDORS }: NodeJS.ProcessEnv): boolean {
  return Boolean(CL_LIBRARY_PATH) || Boolean(OCL_ICD_VENDORS);
}

/** Removes the variables that select devices from this process's environment, for tests that load another library. */
export function clearSelectors(): void {
  for (const name of selectors) delete process.env[name];
}
