/** Parameters of a launcher, or of all members of a list. */
import { wrongValue } from "@cl/base";

import { compatible } from "./parameter-type.js";

/** Parameter values by name. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** Description of a parameter. */
export interface ParameterInfo {
  /** Type in OpenCL C, of the first launcher that uses it. */
  readonly type: string;
  /** Names of the launchers that use it. */
  readonly launchers: readonly string[];
}

export interface ParameterUse {
  readonly name: string;
  readonly type: string;
  readonly launcher: string;
}

/** Parameters by name, with all their launchers. */
export class ParameterUnion {
  readonly #all = new Map<string, { readonly type: string; readonly launchers: string[] }>();

  /** All types of each parameter. */
  readonly #types = new Map<string, string[]>();

  /** Cached names. */
  #names: readonly string[] | undefined;
  /** Names that every object inherits, such as `toString`. */
  #inherited: readonly string[] = [];

  get all(): ReadonlyMap<string, ParameterInfo> {
    return this.#all;
  }

  /** Adds parameters of a launcher or list. Throws, without adding any, if a type is incompatible with an earlier use. */
  add(uses: readonly ParameterUse[], displayName: string): void {
    for (const { name, type, launcher } of uses) {
      const known = this.#all.get(name);
      const other = this.#types.get(name)?.find((name) => !compatible(name, type));
      if (known === undefined || other === undefined) continue;
      const others = known.launchers.map((name) => `"${name}"`).join(", ");
      throw wrongValue(
        `${displayName}: parameter "${name}" has incompatible types: ${other} for ${others}, and ${type} for "${launcher}"`,
      );
    }
    this.#names = undefined;
    for (const { name, type, launcher } of uses) {
      const known = this.#all.get(name);
      const types = this.#types.get(name);
      if (types === undefined) this.#types.set(name, [type]);
      else if (!types.includes(type)) types.push(type);
      if (known === undefined) this.#all.set(name, { type, launchers: [launcher] });
      else if (!known.launchers.includes(launcher)) known.launchers.push(launcher);
    }
  }

  /** Throws if a value is missing or unknown. Allocates no objects, since it runs at each launch. */
  check(values: ParameterValues, displayName: string): void {
    const names = this.#names ?? this.#loadNames();
    let passed = 0;
    for (const _ in values) passed++;
    let present = 0;
    for (let i = 0; i < names.length; i++) if (values[names[i] as string] !== undefined) present++;
    for (const name of this.#inherited) if (values[name] !== undefined && !isPassed(values, name)) present--;
    if (present === names.length && passed === present) return;
    for (const name in values) if (!this.#all.has(name)) throw this.#unknown(name, displayName);
    if (present < names.length) throw this.#missing(values, displayName);
  }

  #loadNames(): readonly string[] {
    this.#names = [...this.#all.keys()];
    this.#inherited = this.#names.filter((name) => name in Object.prototype);
    return this.#names;
  }

  #unknown(name: string, displayName: string): TypeError {
    const names = [...this.#all.keys()].join(", ");
    return wrongValue(
      `${displayName} has no parameter "${name}"; available parameters: ${names === "" ? "none" : names}`,
    );
  }

  #missing(values: ParameterValues, displayName: string): TypeError {
    const missing = [...this.#all].filter(([name]) => !isPassed(values, name));
    const list = missing.map(([name, { launchers, type }]) => {
      const needs = launchers.map((name) => `"${name}"`).join(", ");
      return `"${name}" (${type}) for ${needs}`;
    });
    return wrongValue(
      `${displayName} requires a value for the parameter${list.length === 1 ? "" : "s"} ${list.join("; ")}`,
    );
  }
}

/** Whether the caller passed a value, ignoring properties inherited from `Object.prototype`. */
function isPassed(values: ParameterValues, name: string): boolean {
  return values[name] !== undefined && (!(name in Object.prototype) || Object.hasOwn(values, name));
}
