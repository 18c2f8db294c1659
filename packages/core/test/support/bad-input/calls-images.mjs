/** Calls that create, query and transfer images; see calls-objects.mjs for the format of entries. */
import { ImageFormat } from "@cl/core";

const label = ["empty string", "x", "NUL"];
const waits = ["null", "[]"];
const nothing = (on) => ({ on, args: () => [], names: [] });
const onQueue = { on: (e) => e.queue };
const signal = () => new AbortController().signal;
const box = { origin: [1, 1], region: [2, 1] };
/** Trailing numbers of a box are optional, and every number can be 0. */
const boxNumbers = {
  options: ["{}"],
  "options.waitFor": waits,
};
// null means omitted.
const noPitches = ["[]", "[null]"];
const pixels = ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer"];

export const imageCalls = {
  "new ImageFormat": {
    args: () => ["RGBA", 0x10d2],
    names: ["order", "type"],
    legal: { order: ["0"], type: ["0"] },
  },
  "ImageFormat.fromDtype": { args: () => ["RGBA", "unorm8"], names: ["order", "dtype"], legal: { order: ["0"] } },
  "ImageFormat.fromCType": {
    args: () => ["uchar4", { order: "RGBA", normalized: true }],
    names: ["ctype", "options?"],
    // An unknown order has no known channels.
    fails: true,
    legal: { options: ["{}"] },
  },
  "ImageFormat#equals": { on: (e) => e.format, args: () => [1], names: ["other"], any: true },
  "ImageFormat#toString": nothing((e) => e.format),
  "ImageFormat#Symbol(nodejs.util.inspect.custom)": nothing((e) => e.format),
  supportedImageFormats: {
    args: (e) => [e.context, 0x10f1, { access: "read-only", flags: 0 }],
    names: ["context", "type?", "options?"],
    legal: { context: ["foreign"], options: ["{}"], "options.flags": ["0"] },
    skip: { "options.flags": ["2**31"] },
  },
  "new Image": {
    args: (e) => [
      e.context,
      {
        format: new ImageFormat("RGBA", "UNORM_INT8"),
        shape: [4, 3],
        array: false,
        access: "read-only",
        hostAccess: "none",
        host: e.pixels,
        hostPointer: "copy",
        pitches: [16],
        properties: [],
        flags: 0,
        label: "name",
      },
    ],
    names: ["context", "options"],
    skip: { "options.flags": ["2**31"] },
    legal: {
      context: ["foreign"],
      "options.array": ["true"],
      "options.host": ["liar"],
      "options.pitches": noPitches,
      "options.properties": ["[]"],
      "options.label": label,
      "options.flags": ["0"],
    },
    // Flags can contradict each other, and an image array needs a matching shape.
    otherNames: ["image"],
    fails: true,
  },
  "Image.empty": {
    args: (e) => [e.context, e.format, [4, 3], { array: false, access: "write-only", label: "name" }],
    names: ["context", "format", "shape", "options?"],
    legal: { context: ["foreign"], options: ["{}"], "options.array": ["true"], "options.label": label },
    fails: true,
  },
  "Image.fromPointer": {
    args: (e) => [e.context, e.image.pointer, { retain: true, label: "name" }],
    names: ["context", "pointer", "options?"],
    legal: { "options.label": label, "options.retain": ["true"], options: ["{}"] },
  },
  "Image#getImageInfo": { on: (e) => e.image, args: () => [0x1110], names: ["param"] },
  "Image#summary": nothing((e) => e.image),
  imageFromArray: {
    args: (e) => [e.context, { data: e.pixels, shape: [3, 4, 4] }, { channels: 4, mode: "rw", normalized: true }],
    names: ["context", "array", "options?"],
    legal: { context: ["foreign"], options: ["{}"], array: ["SharedArrayBuffer", "unknown name"] },
    // Errors for unsupported formats and shapes.
    otherNames: ["image", "normalized"],
    fails: true,
  },
  // A buffer instead of an image has other options.
  "CommandQueue#read of an image": {
    ...onQueue,
    args: (e) => [e.image, { ...box, waitFor: [e.event], signal: signal() }],
    names: ["buffer", "options?"],
    otherNames: ["type", "origin"],
    legal: boxNumbers,
  },
  "CommandQueue#readSync of an image": {
    ...onQueue,
    args: (e) => [e.image, { ...box, pitches: [16, 32], into: e.pixels, waitFor: [e.event] }],
    names: ["buffer", "options?"],
    otherNames: ["type", "origin"],
    legal: { ...boxNumbers, "options.into": ["SharedArrayBuffer"], "options.pitches": noPitches },
  },
  "CommandQueue#write of an image": {
    ...onQueue,
    args: (e) => [e.image, e.pixels, { origin: [0, 0], region: [4, 3], waitFor: [e.event], signal: signal() }],
    names: ["buffer", "array", "options?"],
    otherNames: ["origin"],
    legal: boxNumbers,
  },
  "CommandQueue#writeSync of an image": {
    ...onQueue,
    args: (e) => [e.image, e.pixels, { ...box, pitches: [12, 12], waitFor: [e.event] }],
    names: ["buffer", "array", "options?"],
    // Without pitches the array is too long.
    otherNames: ["array", "origin"],
    legal: { ...boxNumbers, array: [...pixels, "resizable"], "options.pitches": noPitches },
  },
  "CommandQueue#enqueueFill of an image": {
    ...onQueue,
    args: (e) => [e.image, [1, 0.5, 0, 1], { ...box, waitFor: [e.event] }],
    names: ["buffer", "color", "options?"],
    otherNames: ["origin"],
    legal: { ...boxNumbers, color: ["resizable"], "color.0": ["0"] },
  },
  "CommandQueue#enqueueCopy of an image": {
    ...onQueue,
    args: (e) => [
      e.otherImage,
      e.image,
      { region: [2, 1], sourceOrigin: [0, 1], targetOrigin: [1, 1], waitFor: [e.event] },
    ],
    names: ["target", "source", "options?"],
    legal: { options: ["{}"], "options.waitFor": waits },
  },
  "CommandQueue#copySync of an image": {
    ...onQueue,
    args: (e) => [
      e.pixels,
      e.image,
      { region: [2, 1], sourceOrigin: [0, 1], targetOffset: 4, targetPitches: [12, 12], waitFor: [e.event] },
    ],
    names: ["target", "source", "options?"],
    otherNames: ["options.targetOffset"],
    legal: {
      options: ["{}"],
      target: [...pixels, "resizable"],
      "options.waitFor": waits,
      "options.targetOffset": ["0", "null"],
      "options.targetPitches": noPitches,
    },
  },
  "CommandQueue#enqueueCopy of an image and a buffer": {
    ...onQueue,
    args: (e) => [
      e.pixelBuffer,
      e.image,
      { region: [2, 1], sourceOrigin: [0, 1], targetOffset: 4, waitFor: [e.event] },
    ],
    names: ["target", "source", "options?"],
    otherNames: ["options.targetOffset"],
    legal: {
      options: ["{}"],
      "options.waitFor": waits,
      "options.targetOffset": ["0", "null"],
      target: [...pixels, "buffer"],
    },
  },
  "CommandQueue#map of an image": {
    ...onQueue,
    args: (e) => [e.image, { ...box, access: "write", waitFor: [e.event], signal: signal() }],
    names: ["buffer", "options?"],
    otherNames: ["type", "origin"],
    legal: boxNumbers,
  },
  "CommandQueue#mapSync of an image": {
    ...onQueue,
    args: (e) => [e.image, { ...box, access: "read", waitFor: [e.event] }],
    names: ["buffer", "options?"],
    otherNames: ["type", "origin"],
    legal: boxNumbers,
  },
  "MappedImage#row": {
    on: (e) => e.mappedImage,
    args: () => [1, 0],
    names: ["y", "z?"],
    legal: { y: ["0"], z: ["0"] },
  },
  "MappedImage#toArray": nothing((e) => e.mappedImage),
  "MappedImage#set": { on: (e) => e.mappedImage, args: (e) => [e.pixels], names: ["array"] },
  "MappedImage#summary": nothing((e) => e.mappedImage),
};
