/** Limit of pending host functions in a loop without await. */
import { HostLauncher, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { ints, queue, read } from "./support/device.js";
import { plus } from "./support/launchers.js";

const limit = 10_000;

describe("a loop of launches without await", () => {
  test("throws at 10,000 pending host steps without enqueuing", async (run) => {
    const quick = queue.device.hostUnifiedMemory;
    needs(run, quick, "NVIDIA's driver takes minutes to accept this many commands after host functions");
    const x = ints(0);
    let ran = 0;
    const list = new ListLauncher("step").push(
      plus(x, 1, "add"),
      new HostLauncher("one", () => ran++),
      new HostLauncher("two", () => ran++),
    );
    let launched = 0;
    expect(() => {
      for (; launched < 2 * limit; launched++) list.launch(queue);
    }).toThrow(expect.objectContaining({ code: "ERR_INVALID_STATE" }));
    expect(launched).toBe(limit / 2);
    expect(() => list.enqueue(queue)).toThrow(TypeError);
    await queue.finish();
    expect(ran).toBe(limit);
    expect(await read(x)).toEqual([limit / 2]);
    await list.enqueue(queue).wait();
    expect(ran).toBe(limit + 2);
  }, 240_000);
});
