/** Environments of child processes in tests. */

/** Variables that select devices. */
const selectors = ["CL_DEVICE", "CL_TEST_DEVICES"] as const;

/**
 * Returns this process's environment with `changes`. If they select another OpenCL library, variables that select
 * devices are removed, since that library has other devices.
 */
export function childEnvironment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: "" };
  if (usesOtherLibrary(changes)) for (const name of selectors) delete inherited[name];
  return { ...inherited, ...changes };
}

function usesOtherLibrary({ CL_LIBRARY_PATH, OCL_ICD_VENDORS }: NodeJS.ProcessEnv): boolean {
  return Boolean(CL_LIBRARY_PATH) || Boolean(OCL_ICD_VENDORS);
}

/** Removes variables that select devices from this process's environment, for tests that load another library. */
export function clearSelectors(): void {
  for (const name of selectors) delete process.env[name];
}
