/** Loads the modules whose exports are checked. */
import { entryPoints } from "../../../api/entry-points.mjs";

const repository = new URL("../../../../", import.meta.url);

/** Functions that load the modules, by name without `@cl/`. */
export const packages: Readonly<Record<string, () => Promise<object>>> = Object.fromEntries(
  entryPoints.map(({ name, source }) => [
    name,
    () => import(/* @vite-ignore */ new URL(source, repository).href) as Promise<object>,
  ]),
);
