/** Tracers, which are notified before each launch. */
import { inspect } from "node:util";

import { checkFunction, checkInstance, checkObject, checkOptions, checkString } from "@cl/base";

import type { CommandKind } from "@cl/trace";
import { type NameFilter, nameFilter } from "./name-filter.js";

/** Description of a launch for tracers. */
export interface LaunchDescription {
  /** Name of the launcher. */
  readonly name: string;
  readonly kind: CommandKind;
  /** Enclosing lists, outermost first. */
  readonly lists: readonly string[];
  /** Sizes of a kernel; `undefined` if unknown before the launch. */
  readonly global?: readonly number[] | undefined;
  readonly local?: readonly number[] | undefined;
  /** Arguments as text: `u: DeviceBuffer "u"`, `dt: 0.5`. */
  readonly args: readonly string[];
}

export type LaunchDetails = Pick<LaunchDescription, "global" | "local" | "args">;

/** Options of a tracer. */
export interface TracerOptions {
  /** Launchers to trace, by name. */
  readonly filter?: NameFilter;
}

/**
 * Calls a function before each launch of the launchers that are created with `options.tracer`. On a list, it is called for each
 * member. Launchers without a tracer have no overhead.
 *
 * @example
 * ```ts
 * const launches: string[] = [];
 * const tracer = new Tracer((launch) => launches.push(formatLaunch(launch)), { filter: "clear" });
 * new FillLauncher("clear", { target: u, pattern: 0, bytes: 16, tracer }).launch(queue);
 * console.log(launches); // [ 'fill clear (DeviceBuffer { Float32Array × 64, 256 bytes }, 16 bytes)' ]
 * ```
 */
export class Tracer {
  readonly #announce: (launch: LaunchDescription) => void;
  readonly #shouldTrace: (name: string) => boolean;

  constructor(announce: (launch: LaunchDescription) => void, options?: TracerOptions) {
    this.#announce = checkFunction(announce, "announce");
    this.#shouldTrace = nameFilter(checkOptions(options, ["filter"]).filter, "options.filter");
  }

  /** Whether launchers of this name are traced. */
  shouldTrace(name: string): boolean {
    return this.#shouldTrace(checkString(name, "name"));
  }

  /** Reports a launch, unless the filter excludes it. For launches without a launcher. */
  announce(launch: LaunchDescription): void {
    if (this.shouldTrace(checkObject(launch, "launch").name)) this.#announce(launch);
  }
}

/**
 * Formats a launch as one line.
 *
 * @example
 * ```ts
 * const launch = { name: "advect", kind: "kernel", lists: ["timestep"], global: [64], args: ["dt: 0.5"] } as const;
 * console.log(formatLaunch(launch)); // kernel timestep > advect [64] (dt: 0.5)
 * ```
 */
export function formatLaunch(launch: LaunchDescription): string {
  const { name, kind, lists, global, local, args } = launch;
  const sizes = [global, local].map((size) => (size === undefined ? "" : ` [${size.join(", ")}]`));
  return `${kind} ${[...lists, name].join(" > ")}${sizes.join(local === undefined ? "" : " by")} (${args.join(", ")})`;
}

/** Formats a value as a short line. */
export function describeValue(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  return inspect(value, { depth: 0, breakLength: Infinity, maxArrayLength: 4, maxStringLength: 40 });
}

export function checkTracer(value: unknown): Tracer | undefined {
  return value === undefined ? undefined : checkInstance(value, Tracer, "options.tracer");
}
