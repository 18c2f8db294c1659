/** The packages whose exports are checked. */
export const packages = {
  core: () => import("@cl/core"),
  tools: () => import("@cl/tools"),
  characterize: () => import("@cl/characterize"),
  launcher: () => import("@cl/launcher"),
  array: () => import("@cl/array"),
};
