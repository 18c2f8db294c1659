/** Global setup of the tests: bundles the packages, so that tests and their child processes run the current sources. */
const names = ["base", "core", "pocl", "tools", "characterize", "trace", "launcher", "array", "mpi", "cli"];

/** Bundles all packages. Every project of a run calls it; the first call does the work. */
export function setup() {
  globalThis.bundledPackages ??= bundleAll();
  return globalThis.bundledPackages;
}

async function bundleAll() {
  for (const name of names) {
    const { setup } = await import(new URL(`../../packages/${name}/scripts/bundle.mjs`, import.meta.url).href);
    await setup();
  }
}
