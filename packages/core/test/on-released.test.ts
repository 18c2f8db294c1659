import { DeviceBuffer } from "@cl/core";
import { expect, test, vi } from "vitest";

import { collectGarbage } from "@cl/base/testing";
import { disposed } from "@cl/testing/core-errors";
import { context } from "./support/kernels.js";

test("onReleased calls back once, at release", () => {
  const buffer = new DeviceBuffer(context, 16);
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  expect(buffer.onReleased(first).onReleased(second)).toBe(buffer);
  expect(first).not.toHaveBeenCalled();
  buffer.release();
  buffer.release();
  expect(first).toHaveBeenCalledTimes(1);
  expect(second).toHaveBeenCalledTimes(1);
});

test("onReleased calls back when an unreleased object is collected", async () => {
  const callback = vi.fn<() => void>();
  (() => new DeviceBuffer(context, 16).onReleased(callback))();
  await vi.waitFor(async () => {
    await collectGarbage();
    expect(callback).toHaveBeenCalledTimes(1);
  });
});

test("release calls all onReleased callbacks, then throws the first error", () => {
  const last = vi.fn<() => void>();
  const failing = (text: string) => (): never => {
    throw new Error(text);
  };
  const one = new DeviceBuffer(context, 16).onReleased(failing("first")).onReleased(last);
  expect(() => one.release()).toThrow("first");
  expect(last).toHaveBeenCalledTimes(1);
  expect(one.released).toBe(true);
  const two = new DeviceBuffer(context, 16).onReleased(failing("first")).onReleased(failing("second"));
  expect(() => two.release()).toThrow(AggregateError);
});

test("a released object rejects onReleased", () => {
  const buffer = new DeviceBuffer(context, 16);
  buffer.release();
  expect(() => buffer.onReleased(() => undefined)).toThrow(disposed());
});
