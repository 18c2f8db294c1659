/** Failing host steps, in lists and alone. */
import { CopyLauncher, HostLauncher, ListLauncher } from "@cl/launcher";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { turns, until } from "@cl/base/testing";
import { ints, needsUserEvents, outOfOrder, readNow, targets } from "./support/device.js";
import { plus } from "./support/launchers.js";
import { failureOf, rootOf } from "./support/failures.js";

beforeEach(needsUserEvents);

afterEach(async () => {
  await Promise.all(targets.map(([, target]) => target.finish().catch(() => undefined)));
});

const throws = (): never => {
  throw new RangeError("no such luck");
};
const rejects = async (): Promise<never> => {
  await turns();
  return throws();
};
describe.each(targets)("a failing host step on %s", (_, target) => {
  test.each([
    ["at the end", throws, 0],
    ["before a kernel", rejects, 1],
    ["before a kernel, a host step and a copy to the host", throws, 3],
  ] as const)("%s fails the rest of the list, whose event has the cause", async (__, run, after) => {
    const [x, host] = [ints(0), new Int32Array(1)];
    const called: string[] = [];
    const one = plus(x, 1, "add");
    let fails = true;
    const bad = new HostLauncher("bad", () => (fails ? run() : undefined));
    const follow = [
      one,
      new HostLauncher("next", () => called.push("next")),
      new CopyLauncher("out", { source: x, target: host }),
    ];
    const list = new ListLauncher("list").push(one, bad, ...follow.slice(0, after));
    for (let launches = 1; launches <= 2; launches++) {
      const error = await failureOf(list.enqueue(target));
      expect(error.message).toContain('"bad"');
      expect(rootOf(error)).toEqual(new RangeError("no such luck"));
      expect(await readNow(x)).toEqual([launches]);
    }
    expect(called).toEqual([]);
    expect([...host]).toEqual([0]);
    // The list remains usable.
    await target.finish().catch(() => undefined);
    fails = false;
    await list.enqueue(target).wait();
    expect(await readNow(x)).toEqual([after > 0 ? 4 : 3]);
    expect(called).toEqual(after > 1 ? ["next"] : []);
  });

  test("in a nested list fails the outer list with the cause", async () => {
    const x = ints(0);
    const one = plus(x, 1, "add");
    const inner = new ListLauncher("inner").push(one, new HostLauncher("bad", rejects), one);
    const outer = new ListLauncher("outer").push(inner, one, new ListLauncher("more").push(one));
    expect(rootOf(await failureOf(outer.enqueue(target)))).toBeInstanceOf(RangeError);
    expect(await readNow(x)).toEqual([1]);
  });

  test("does not block other members of a parallel list, and fails the list's event", async () => {
    const x = ints(0);
    const members = [plus(x, 1, "one"), new HostLauncher("bad", throws), plus(ints(0), 1, "two")];
    const list = new ListLauncher("list", { order: "parallel" }).push(...members);
    expect(rootOf(await failureOf(list.enqueue(target)))).toBeInstanceOf(RangeError);
    expect(await readNow(x)).toEqual([1]);
  });

  test("fails commands that wait for the list", async () => {
    const event = new ListLauncher("list").push(new HostLauncher("bad", rejects)).enqueue(target);
    const end = failureOf(plus(ints(0), 1, "add").asList("next").enqueue(outOfOrder, {}, { waitFor: event }));
    expect(rootOf(await failureOf(event))).toBeInstanceOf(RangeError);
    expect((await end).message).not.toBe("");
  });

  test("emits a process warning if it was launched without an event", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void (warning.name === "HostFunctionWarning" && warnings.push(warning));
    process.on("warning", note);
    try {
      new HostLauncher("alone", throws).launch(target);
      await target.finish().catch(() => undefined);
      new ListLauncher("list").push(new HostLauncher("listed", throws), plus(ints(0), 1, "add")).launch(target);
      await target.finish().catch(() => undefined);
      await until(() => warnings.length > 1);
    } finally {
      process.off("warning", note);
    }
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('"alone"'),
      expect.stringContaining('"listed"'),
    ]);
  });
});
