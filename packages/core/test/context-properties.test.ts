import { expect, test } from "vitest";
import { Context, ContextProperties, ContextProperty, getPlatforms, type Platform } from "@cl/core";

const [platform] = getPlatforms() as [Platform];

test("a new list is empty, so the driver chooses the platform", () => {
  const properties = new ContextProperties();
  expect(properties.platform).toBeUndefined();
  expect(properties.toObject()).toEqual({});
});

test("the platform can be set, read and removed", () => {
  const properties = new ContextProperties({ platform });
  expect(properties.platform).toBe(platform);
  expect(properties.toObject()).toEqual({ PLATFORM: [ContextProperty.PLATFORM, platform.pointer] });
  properties.platform = undefined;
  expect(properties.toObject()).toEqual({});
});

test("properties keep their given names and keys", () => {
  const properties = new ContextProperties().set("first", 0x1, 5).set("second", 0x2n, 2n ** 63n);
  expect(properties.toObject()).toEqual({ first: [1, 5n], second: [2, 2n ** 63n] });
});

test("setting a key again replaces its value", () => {
  const properties = new ContextProperties().set("one", 1, 1).set("one", 1, 2);
  expect(properties.toObject()).toEqual({ one: [1, 2n] });
});

test("names maps known keys to their names", () => {
  expect(ContextProperties.names.get(0x1084)).toBe("PLATFORM");
});

test("fromList parses a driver's list and names unknown keys by number", () => {
  const properties = ContextProperties.fromList([0x1084n, platform.pointer, 0x7fffn, 5n, 0n]);
  expect(properties.toObject()).toEqual({ PLATFORM: [0x1084, platform.pointer], [String(0x7fff)]: [0x7fff, 5n] });
});

test("a context's properties can be used to create another context", () => {
  const { properties } = new Context(platform.devices, { properties: new ContextProperties({ platform }) });
  expect(properties.toObject()["PLATFORM"]).toEqual([ContextProperty.PLATFORM, platform.pointer]);
  expect(properties.platform).toBe(platform);
  expect(new Context(platform.devices, { properties }).platform).toBe(platform);
});

test("creating a context does not change its property list", () => {
  const properties = new ContextProperties();
  void new Context(platform.devices, { properties });
  expect(properties.toObject()).toEqual({});
});

test("an invalid platform pointer never reaches the driver", () => {
  const properties = new ContextProperties().set("PLATFORM", ContextProperty.PLATFORM, 0x1230);
  expect(() => new Context(platform.devices, { properties })).toThrow(/not the address of a live OpenCL platform/);
});

test.each<[string, () => unknown, RegExp]>([
  ["a fractional key", () => new ContextProperties().set("x", 1.5, 1), /^key must be an integer/],
  [
    "a string as value",
    () => new ContextProperties().set("x", 1, "y" as unknown as number),
    /^value must be an integer/,
  ],
  ["a number as name", () => new ContextProperties().set(1 as unknown as string, 1, 1), /^name must be a string/],
  [
    "a number as platform",
    () => new ContextProperties({ platform: 5 as unknown as Platform }),
    /platform must be a Platform/,
  ],
  ["null as properties", () => new ContextProperties(null as unknown as object), /must be an object/],
])("%s throws and names the argument", (_, make, message) => {
  expect(make).toThrow(message);
});
