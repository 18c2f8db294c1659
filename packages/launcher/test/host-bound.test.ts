/** The bound on host functions that a loop without an await makes pending. */
import { HostLauncher, KernelLauncher, ListLauncher } from "@cl/launcher";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { ints, program, queue, read } from "./support/device.js";

const most = 10_000;

describe("a loop of launches that never awaits anything", () => {
  test("throws at 10,000 pending host steps, and enqueues nothing", async (run) => {
    const quick = queue.device.hostUnifiedMemory;
    needs(run, quick, "NVIDIA's driver takes minutes to accept so many commands behind host functions");
    const x = ints(0);
    let ran = 0;
    const list = new ListLauncher("step").push(
      new KernelLauncher("add", program.kernel("add"), { args: [x, 1], global: 1 }),
      new HostLauncher("one", () => ran++),
      new HostLauncher("two", () => ran++),
    );
    let launched = 0;
    expect(() => {
      for (; launched < 2 * most; launched++) list.launch(queue);
    }).toThrow(expect.objectContaining({ code: "ERR_INVALID_STATE" }));
    expect(launched).toBe(most / 2);
    expect(() => list.enqueue(queue)).toThrow(TypeError);
    await queue.finish();
    expect(ran).toBe(most);
    expect(await read(x)).toEqual([most / 2]);
    await list.enqueue(queue).wait();
    expect(ran).toBe(most + 2);
  }, 240_000);
});
