/** Programs that are built when a kernel is needed. */
import { BuildError, Kernel, Program } from "@cl/core";
import { expect, test, vi } from "vitest";

import { GeneratedProgram } from "../../src/kernels/generated-program.js";
import { attempt, waitingForCompiler, whenBuilt } from "../../src/storage/attempt.js";
import { context } from "../support/device.js";

let count = 0;
function newProgram(): GeneratedProgram {
  const number = count++;
  return new GeneratedProgram(context, {
    source: () => `kernel void f(global int *x) { *x = ${number}; }`,
    label: "f",
  });
}

test("a kernel is built when it is first needed, and again when it was released", () => {
  const builds = vi.spyOn(Program.prototype, "buildSync");
  const kernel = newProgram().kernel("f");
  expect(builds).not.toHaveBeenCalled();
  const first = kernel.ready();
  expect(first).toBeInstanceOf(Kernel);
  expect(kernel.ready()).toBe(first);
  expect(builds).toHaveBeenCalledTimes(1);
  first?.release();
  expect(kernel.ready()?.released).toBe(false);
  first?.program.release();
  expect(kernel.ready()?.released).toBe(false);
});

test("an attempt finds all missing programs, and runs when they are built", async () => {
  const builds = vi.spyOn(Program.prototype, "buildSync").mockClear();
  const [one, other] = [newProgram(), newProgram()];
  const kernels = [one.kernel("f"), other.kernel("f")];
  const find = (): readonly (Kernel | undefined)[] => kernels.map((kernel) => kernel.ready());
  const { result, missing } = attempt(find);
  expect(result).toEqual([undefined, undefined]);
  expect([...missing]).toEqual([one, other]);
  for (const kernel of await whenBuilt(missing, find)) expect(kernel).toBeInstanceOf(Kernel);
  expect(builds).not.toHaveBeenCalled();
});

test("an attempt leaves out kernels that are built after one that is not", () => {
  const built = newProgram().kernel("f");
  expect(built.ready()).toBeInstanceOf(Kernel);
  const other = newProgram().kernel("f");
  expect(attempt(() => [built.ready(), other.ready(), built.ready()]).result).toEqual([
    built.ready(),
    undefined,
    undefined,
  ]);
});

test("code within an attempt can wait for the compiler", () => {
  const { result, missing } = attempt(() => waitingForCompiler(() => newProgram().kernel("f").ready()));
  expect(result).toBeInstanceOf(Kernel);
  expect(missing.size).toBe(0);
});

test("compiler errors are those of the caller, or reject", async () => {
  const program = new GeneratedProgram(context, { source: () => "kernel void f() { wrong; }", label: "wrong" });
  expect(() => program.kernel("f").ready()).toThrow(BuildError);
  const { missing } = attempt(() => program.kernel("f").ready());
  await expect(whenBuilt(missing, () => undefined)).rejects.toThrow(BuildError);
});
