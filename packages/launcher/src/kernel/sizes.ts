/** Whether a launcher's sizes stay the same, and if not, how each launch finds them. */
import type { Extents, LaunchSizes, NamedArguments } from "@cl/core";

import type { LauncherSizes } from "./launcher-types.js";

/** Sizes, and whether they have to be worked out at each launch. */
export interface SizePlan {
  readonly sizes: LaunchSizes;
  readonly vary: boolean;
}

/** Sizes as numbers; undefined if there are none. Wrong ones stay what they are, for a launch to tell. */
export function extentsOf(
  extents: LauncherSizes["global" | "offset"],
  named: () => NamedArguments,
): readonly number[] | undefined {
  if (extents === undefined || extents === null) return undefined;
  return [resolve(extents, named())].flat() as number[];
}

/** `named` gives the arguments as they are at a launch; `parameters` are the names of those that may change. */
export function planSizes(
  given: LauncherSizes,
  parameters: ReadonlySet<string>,
  named: () => NamedArguments,
): SizePlan {
  const { global, local, offset } = given;
  const vary = [global, local, offset].some((extents) => varies(extents, parameters));
  if (!vary) return { sizes: given, vary };
  const sizes: Record<string, unknown> = { ...given };
  for (const [key, extents] of Object.entries({ global, local, offset })) {
    if (varies(extents, parameters)) sizes[key] = () => resolve(extents as Sizing, named());
  }
  return { sizes, vary };
}

type Sizing = Extents | ((args: NamedArguments) => Extents | null | undefined);

function varies(extents: Sizing | null | undefined, parameters: ReadonlySet<string>): boolean {
  if (typeof extents === "function") return true;
  return [extents].flat().some((one) => typeof one === "string" && parameters.has(one));
}

function resolve(extents: Sizing, args: NamedArguments): unknown {
  const found = typeof extents === "function" ? extents(args) : extents;
  const value = (one: unknown): unknown => {
    if (typeof one !== "string" || !Object.hasOwn(args, one)) return one;
    const size = args[one];
    return typeof size === "bigint" ? Number(size) : size;
  };
  return Array.isArray(found) ? found.map(value) : value(found);
}
