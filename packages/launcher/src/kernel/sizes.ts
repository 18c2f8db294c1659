/** Resolves a launcher's sizes, which may depend on its arguments. */
import type { Extents, LaunchSizes, NamedArguments } from "@cl/core";

import type { LauncherSizes } from "./launcher-types.js";

/** Sizes, and whether they are resolved at each launch. */
export interface SizePlan {
  readonly sizes: LaunchSizes;
  readonly vary: boolean;
}

/** Returns sizes as numbers; `undefined` for no sizes. Invalid sizes are returned unchanged; the launch rejects them. */
export function extentsOf(
  extents: LauncherSizes["global" | "local" | "offset"],
  argumentsByName: () => NamedArguments,
): readonly number[] | undefined {
  if (extents === undefined || extents === null) return undefined;
  return [resolve(extents, argumentsByName())].flat() as number[];
}

/** `argumentsByName` returns the current arguments; `parameters` are the names of those that may change. */
export function planSizes(
  options: LauncherSizes,
  parameters: ReadonlySet<string>,
  argumentsByName: () => NamedArguments,
): SizePlan {
  const { global, local, offset } = options;
  const vary = [global, local, offset].some((extents) => varies(extents, parameters));
  if (!vary) return { sizes: options, vary };
  const sizes: Record<string, unknown> = { ...options };
  for (const [key, extents] of Object.entries({ global, local, offset })) {
    if (varies(extents, parameters)) sizes[key] = () => resolve(extents as Sizing, argumentsByName());
  }
  return { sizes, vary };
}

type Sizing = Extents | ((args: NamedArguments) => Extents | null | undefined);

function varies(extents: Sizing | null | undefined, parameters: ReadonlySet<string>): boolean {
  if (typeof extents === "function") return true;
  return [extents].flat().some((size) => typeof size === "string" && parameters.has(size));
}

function resolve(extents: Sizing, args: NamedArguments): unknown {
  const resolved = typeof extents === "function" ? extents(args) : extents;
  const value = (item: unknown): unknown => {
    if (typeof item !== "string" || !Object.hasOwn(args, item)) return item;
    const size = args[item];
    return typeof size === "bigint" ? Number(size) : size;
  };
  return Array.isArray(resolved) ? resolved.map(value) : value(resolved);
}
