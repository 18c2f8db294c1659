import { array, assert, boolean, constantFrom, integer, nat, option, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import type { Access, Accesses } from "../../src/list/access.js";
import { precedents } from "../../src/list/graph.js";

const [a, b] = [{}, {}];
const reads = (store: object, start = 0, end = 8): Access => ({ store, start, end, writes: false });
const writes = (store: object, start = 0, end = 8): Access => ({ store, start, end, writes: true });

describe("the predecessors of a member", () => {
  test("write what it reads, read what it writes, or write what it writes", () => {
    expect(precedents([[writes(a)], [reads(a)], [reads(a)], [writes(a)]])).toEqual([[], [0], [0], [1, 2]]);
    expect(precedents([[writes(a)], [writes(b)], [reads(a), writes(b)]])).toEqual([[], [], [0, 1]]);
  });

  test("do not include members that access only other bytes", () => {
    expect(precedents([[writes(a, 0, 4)], [writes(a, 4, 8)], [reads(a, 3, 5)]])).toEqual([[], [], [0, 1]]);
  });

  test("are all earlier members if its accesses are unknown, and it precedes all later members", () => {
    expect(precedents([[reads(a)], [reads(b)], undefined, [reads(a)], [reads(b)]])).toEqual([[], [], [0, 1], [2], [2]]);
  });

  test("include all conflicting members, directly or transitively", () => {
    const access = record({
      store: constantFrom(a, b),
      start: nat(6),
      bytes: integer({ min: 1, max: 4 }),
      writes: boolean(),
    }).map(({ bytes, ...rest }) => ({ ...rest, end: rest.start + bytes }));
    assert(
      property(array(option(array(access, { maxLength: 3 }), { nil: undefined })), (members: Accesses[]) => {
        const reached: Set<number>[] = [];
        for (const [i, before] of precedents(members).entries()) {
          reached.push(new Set(before.flatMap((j) => [j, ...(reached[j] as Set<number>)])));
          for (let j = 0; j < i; j++) if (conflict(members[i], members[j])) expect(reached[i]).toContain(j);
        }
      }),
    );
  });
});

/** Returns whether accesses conflict, compared byte by byte. */
function conflict(one: Accesses, other: Accesses): boolean {
  if (one === undefined || other === undefined) return true;
  const bytes = ({ start, end }: Access): number[] => Array.from({ length: end - start }, (_, i) => start + i);
  return one.some((x) =>
    other.some((y) => x.store === y.store && (x.writes || y.writes) && bytes(x).some((at) => bytes(y).includes(at))),
  );
}
