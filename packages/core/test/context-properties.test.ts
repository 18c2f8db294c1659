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

test("properties keep their names and keys, and setting a key again replaces its value", () => {
  const properties = new ContextProperties()
    .set("first", 0x1, 4)
    .set("first", 0x1, 5)
    .set("second", 0x2n, 2n ** 63n);
  expect(properties.toObject()).toEqual({ first: [1, 5n], second: [2, 2n ** 63n] });
});

test("fromList parses a driver's list and names unknown keys by number", () => {
  const properties = ContextProperties.fromList([0x1084n, platform.pointer, 0x7fffn, 5n, 0n]);
  expect(ContextProperties.names.get(0x1084)).toBe("PLATFORM");
  expect(properties.toObject()).toEqual({ PLATFORM: [0x1084, platform.pointer], [String(0x7fff)]: [0x7fff, 5n] });
});

test("a context's properties can be used to create another context", () => {
  const { properties } = new Context(platform.devices, { properties: new ContextProperties({ platform }) });
  expect(properties.toObject()["PLATFORM"]).toEqual([ContextProperty.PLATFORM, platform.pointer]);
  expect(properties.platform).toBe(platform);
  expect(new Context(platform.devices, { properties }).platform).toBe(platform);
});

test("an invalid platform pointer never reaches the driver", () => {
  const properties = new ContextProperties().set("PLATFORM", ContextProperty.PLATFORM, 0x1230);
  expect(() => new Context(platform.devices, { properties })).toThrow(TypeError);
});
