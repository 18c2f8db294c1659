/** Reused addresses, simulated by fake wrappers because no driver reuses addresses on demand. */
import type { Resource } from "@cl/core";
import { expect, test } from "vitest";

import { collectUntil } from "@cl/base/testing";
import { identityOf } from "../../src/memoize/identity.js";

class Wrapper {
  readonly pointer: bigint;
  released = false;
  readonly #callbacks: (() => void)[] = [];

  constructor(pointer: bigint) {
    this.pointer = pointer;
  }

  onReleased(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  release(): void {
    this.released = true;
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

function wrap(pointer: bigint): Wrapper & Resource {
  return new Wrapper(pointer) as Wrapper & Resource;
}

test("an address reused after a release has a new identity", () => {
  const first = wrap(2n);
  const identity = identityOf(first);
  first.release();
  expect(identityOf(wrap(2n))).not.toBe(identity);
});

test("an address reused after garbage collection has a new identity", async () => {
  let old: WeakRef<object> | undefined;
  const use = (): void => {
    old = new WeakRef(identityOf(wrap(3n)));
  };
  use();
  // These wrappers have no finalizer, so the address's entry is never removed.
  expect(await collectUntil(() => old?.deref() === undefined)).toBe(true);
  const next = wrap(3n);
  expect(identityOf(next)).toBe(identityOf(wrap(3n)));
  expect(identityOf(next).alive).toBe(true);
});

test("a late release callback of an old object does not affect the address's new owner", () => {
  const old = wrap(4n);
  const identity = identityOf(old);
  // Released, but its callbacks have not run yet.
  old.released = true;
  const next = wrap(4n);
  const other = identityOf(next);
  expect(other).not.toBe(identity);
  old.release();
  expect(identityOf(wrap(4n))).toBe(other);
});
