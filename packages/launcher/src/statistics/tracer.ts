/** Tells of each launch before it happens. */
import { inspect } from "node:util";

import { checkFunction, checkInstance, checkObject, checkOptions, checkString } from "@cl/base";

import type { CommandKind } from "../report/trace.js";
import { type NameFilter, nameFilter } from "./name-filter.js";

/** A launch as a tracer is told of it. */
export interface LaunchNotice {
  /** The launcher's name. */
  readonly name: string;
  readonly kind: CommandKind;
  /** The lists that it is launched through, the outermost first. */
  readonly lists: readonly string[];
  /** A kernel's sizes; undefined where they are not known before. */
  readonly global?: readonly number[] | undefined;
  readonly local?: readonly number[] | undefined;
  /** What it works on, in words: `u: DeviceBuffer "u"`, `dt: 0.5`. */
  readonly args: readonly string[];
}

/** What a member says of itself. */
export type LaunchDescription = Pick<LaunchNotice, "global" | "local" | "args">;

/** How to make a tracer. */
export interface TracerOptions {
  /** Of which launchers it tells, by their names. */
  readonly filter?: NameFilter;
}

/**
 * Calls a function with each launch of the launchers that are made with it, as `options.tracer`, before anything is
 * enqueued; one of a list tells of each member. Launchers without one ask nothing.
 *
 * @example
 * ```ts
 * const launches: string[] = [];
 * const tracer = new Tracer((launch) => launches.push(launchText(launch)), { filter: "clear" });
 * new FillLauncher("clear", { target: u, pattern: 0, bytes: 16, tracer }).launch(queue);
 * console.log(launches); // [ 'fill clear (DeviceBuffer { Float32Array × 64, 256 bytes }, 16 bytes)' ]
 * ```
 */
export class Tracer {
  readonly #announce: (launch: LaunchNotice) => void;
  readonly #wants: (name: string) => boolean;

  constructor(announce: (launch: LaunchNotice) => void, options?: TracerOptions) {
    this.#announce = checkFunction(announce, "announce");
    this.#wants = nameFilter(checkOptions(options, ["filter"]).filter, "options.filter");
  }

  /** True if it tells of launchers of this name. */
  wants(name: string): boolean {
    return this.#wants(checkString(name, "name"));
  }

  /** Tells of a launch, unless its filter says no; for launches that no launcher makes. */
  announce(launch: LaunchNotice): void {
    if (this.wants(checkObject(launch, "launch").name)) this.#announce(launch);
  }
}

/**
 * A launch in one line.
 *
 * @example
 * ```ts
 * const launch = { name: "advect", kind: "kernel", lists: ["timestep"], global: [64], args: ["dt: 0.5"] } as const;
 * console.log(launchText(launch)); // kernel timestep > advect [64] (dt: 0.5)
 * ```
 */
export function launchText(launch: LaunchNotice): string {
  const { name, kind, lists, global, local, args } = launch;
  const sizes = [global, local].map((size) => (size === undefined ? "" : ` [${size.join(", ")}]`));
  return `${kind} ${[...lists, name].join(" > ")}${sizes.join(local === undefined ? "" : " by")} (${args.join(", ")})`;
}

/** A value in a few words, on one line. */
export function describeValue(value: unknown): string {
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} of ${value.byteLength} bytes`;
  return inspect(value, { depth: 0, breakLength: Infinity, maxArrayLength: 4, maxStringLength: 40 });
}

/** A tracer, or none. */
export function checkTracer(value: unknown): Tracer | undefined {
  return value === undefined ? undefined : checkInstance(value, Tracer, "options.tracer");
}
