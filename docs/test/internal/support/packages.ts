/** Loads the packages whose exports are checked. */
export const packages: Readonly<Record<string, () => Promise<object>>> = {
  core: () => import("@cl/core"),
  tools: () => import("@cl/tools"),
  characterize: () => import("@cl/characterize"),
  trace: () => import("@cl/trace"),
  launcher: () => import("@cl/launcher"),
  array: () => import("@cl/array"),
};
