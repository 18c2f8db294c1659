/**
 * How arrays appear in host code that cannot wait for their elements: one line without values in `console.log`, and an
 * error that names the reader to wait for in `JSON.stringify` and in iterations.
 */
import { inspect } from "node:util";

import { wrongType } from "@cl/base";
import type { DType } from "@cl/core";
import type { ArraySource } from "../storage/array-ref.js";

/** An array or records. */
interface Described {
  readonly xp: Pick<ArraySource, "queue">;
  readonly dtype: DType;
  readonly shape: readonly number[];
  toString(): string;
}

/** A class of arrays. */
interface DescribedClass {
  readonly name: string;
  readonly prototype: Described;
}

/**
 * Adds the conversions to a class. TypeScript does not know them, so that it rejects iterations. `console.log` neither
 * waits nor enqueues commands: the host does not know which values a kernel has stored.
 */
export function addHostConversions({ name, prototype }: DescribedClass): void {
  const methods = {
    [inspect.custom](this: Described): string {
      const { dtype, shape, xp } = this;
      return `${name} { ${dtype.name} [${shape.join(", ")}] on ${xp.queue.device.name} }`;
    },
    toJSON(this: Described): never {
      throw wrongType(`JSON.stringify cannot wait for the elements of ${String(this)}; pass await a.toNested()`);
    },
    [Symbol.iterator](this: Described): never {
      throw wrongType(`${String(this)} cannot be iterated without waiting; iterate over await a.toNested()`);
    },
  };
  for (const key of Reflect.ownKeys(methods)) {
    const value = methods[key as keyof typeof methods];
    Object.defineProperty(prototype, key, { value, configurable: true, writable: true });
  }
}
