/** The parameters of a launcher, or of all the members of a list together. */
import { wrongValue } from "@cl/base";

import { compatible } from "./parameter-type.js";

/** Values of parameters, by name. */
export type ParameterValues = Readonly<Record<string, unknown>>;

/** What is known of a parameter. */
export interface ParameterInfo {
  /** Its type, as OpenCL C writes it: that of the first launcher that has it. */
  readonly type: string;
  /** The names of the launchers that it goes to. */
  readonly launchers: readonly string[];
}

/** A parameter, and one launcher that needs it. */
export interface ParameterUse {
  readonly name: string;
  readonly type: string;
  readonly launcher: string;
}

/** Parameters by name, each with all its launchers. */
export class ParameterUnion {
  readonly #all = new Map<string, { readonly type: string; readonly launchers: string[] }>();

  /** The types that the launchers of a parameter need. */
  readonly #types = new Map<string, string[]>();

  /** Of all of them, once they are needed. */
  #names: readonly string[] | undefined;
  /** Those that every object has something for, such as `toString`. */
  #inherited: readonly string[] = [];

  /** By name. */
  get all(): ReadonlyMap<string, ParameterInfo> {
    return this.#all;
  }

  /** Throws, and adds none, if one of them needs another type than those before. `words` is whose union it is. */
  add(uses: readonly ParameterUse[], words: string): void {
    for (const { name, type, launcher } of uses) {
      const known = this.#all.get(name);
      const other = this.#types.get(name)?.find((one) => !compatible(one, type));
      if (known === undefined || other === undefined) continue;
      const others = known.launchers.map((one) => `"${one}"`).join(", ");
      throw wrongValue(
        `${words}: parameter "${name}" is ${other} for ${others}, but ${type} for "${launcher}": no value is both`,
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

  /** Throws unless there is a value for each parameter and for nothing else. Makes no objects: it runs at each launch. */
  check(values: ParameterValues, words: string): void {
    const names = this.#names ?? this.#learn();
    let given = 0;
    for (const _ in values) given++;
    let needed = 0;
    for (let i = 0; i < names.length; i++) if (values[names[i] as string] !== undefined) needed++;
    for (const name of this.#inherited) if (values[name] !== undefined && !isGiven(values, name)) needed--;
    if (needed === names.length && given === needed) return;
    for (const name in values) if (!this.#all.has(name)) throw this.#unknown(name, words);
    if (needed < names.length) throw this.#missing(values, words);
  }

  #learn(): readonly string[] {
    this.#names = [...this.#all.keys()];
    this.#inherited = this.#names.filter((name) => name in Object.prototype);
    return this.#names;
  }

  #unknown(name: string, words: string): TypeError {
    const names = [...this.#all.keys()].join(", ");
    return wrongValue(`${words} has no parameter "${name}": it has ${names === "" ? "none" : names}`);
  }

  #missing(values: ParameterValues, words: string): TypeError {
    const missing = [...this.#all].filter(([name]) => !isGiven(values, name));
    const list = missing.map(([name, { launchers, type }]) => {
      const needs = launchers.map((one) => `"${one}"`).join(", ");
      return `"${name}" (${type}) for ${needs}`;
    });
    return wrongValue(`${words} needs a value for the parameter${list.length === 1 ? "" : "s"} ${list.join("; ")}`);
  }
}

/** True for a value that whoever launches gave. */
function isGiven(values: ParameterValues, name: string): boolean {
  return values[name] !== undefined && (!(name in Object.prototype) || Object.hasOwn(values, name));
}
