/** Calls that create, query and transfer images; see calls-objects.mjs for the format of entries. */
import { ImageFormat } from "@cl/core";

import { bothForms } from "./both-forms.mjs";

const label = ["empty string", "x", "NUL"];
const onQueue = { on: (e) => e.queue };
const signal = () => new AbortController().signal;
const box = { origin: [1, 1], region: [2, 1] };
// null means omitted.
const noPitches = ["[]", "[null]"];
const pixels = ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer"];

export const imageCalls = {
  "new ImageFormat": { args: () => ({ order: "RGBA", type: 0x10d2 }), legal: { order: ["0"], type: ["0"] } },
  "ImageFormat.fromDtype": { args: () => ({ order: "RGBA", dtype: "unorm8" }), legal: { order: ["0"] } },
  "ImageFormat.fromCType": {
    args: () => ({ ctype: "uchar4", "options?": { order: "RGBA", normalized: true } }),
    // An unknown order has no known channels.
    fails: true,
  },
  "ImageFormat#equals": { on: (e) => e.format, args: () => ({ other: 1 }), any: true },
  supportedImageFormats: {
    args: (e) => ({ context: e.context, "type?": 0x10f1, "options?": { access: "read-only", flags: 0 } }),
    legal: { context: ["foreign"], "options.flags": ["0"] },
    skip: { "options.flags": ["2**31"] },
  },
  "new Image": {
    args: (e) => ({
      context: e.context,
      options: {
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
    }),
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
    args: (e) => ({
      context: e.context,
      format: e.format,
      shape: [4, 3],
      "options?": { array: false, access: "write-only", label: "name" },
    }),
    legal: { context: ["foreign"], "options.array": ["true"] },
    fails: true,
  },
  "Image.fromPointer": {
    args: (e) => ({ context: e.context, pointer: e.image.pointer, "options?": { retain: true, label: "name" } }),
    legal: { "options.retain": ["true"] },
  },
  "Image#getImageInfo": { on: (e) => e.image, args: () => ({ param: 0x1110 }) },
  imageFromArray: {
    args: (e) => ({
      context: e.context,
      array: { data: e.pixels, shape: [3, 4, 4] },
      "options?": { channels: 4, mode: "rw", normalized: true },
    }),
    legal: { context: ["foreign"], array: ["SharedArrayBuffer", "unknown name"] },
    // Errors for unsupported formats and shapes.
    otherNames: ["image", "normalized"],
    fails: true,
  },
  // A buffer instead of an image has other options.
  "CommandQueue#read of an image": {
    ...onQueue,
    args: (e) => ({ buffer: e.image, "options?": { ...box, waitFor: [e.event], signal: signal() } }),
    otherNames: ["type", "origin"],
  },
  "CommandQueue#readSync of an image": {
    ...onQueue,
    args: (e) => ({ buffer: e.image, "options?": { ...box, pitches: [16, 32], into: e.pixels, waitFor: [e.event] } }),
    otherNames: ["type", "origin"],
    legal: { "options.into": ["SharedArrayBuffer"], "options.pitches": noPitches },
  },
  "CommandQueue#write of an image": {
    ...onQueue,
    args: (e) => ({
      buffer: e.image,
      array: e.pixels,
      "options?": { origin: [0, 0], region: [4, 3], waitFor: [e.event], signal: signal() },
    }),
    otherNames: ["origin"],
  },
  "CommandQueue#writeSync of an image": {
    ...onQueue,
    args: (e) => ({ buffer: e.image, array: e.pixels, "options?": { ...box, pitches: [12, 12], waitFor: [e.event] } }),
    // Without pitches the array is too long.
    otherNames: ["array", "origin"],
    legal: { array: [...pixels, "resizable"], "options.pitches": noPitches },
  },
  "CommandQueue#enqueueFill of an image": {
    ...onQueue,
    args: (e) => ({ buffer: e.image, color: [1, 0.5, 0, 1], "options?": { ...box, waitFor: [e.event] } }),
    otherNames: ["origin"],
    legal: { color: ["resizable"], "color.0": ["0"] },
  },
  "CommandQueue#enqueueCopy of an image": {
    ...onQueue,
    args: (e) => ({
      target: e.otherImage,
      source: e.image,
      "options?": { region: [2, 1], sourceOrigin: [0, 1], targetOrigin: [1, 1], waitFor: [e.event] },
    }),
  },
  "CommandQueue#copySync of an image": {
    ...onQueue,
    args: (e) => ({
      target: e.pixels,
      source: e.image,
      "options?": {
        region: [2, 1],
        sourceOrigin: [0, 1],
        targetOffset: 4,
        targetPitches: [12, 12],
        waitFor: [e.event],
      },
    }),
    otherNames: ["options.targetOffset"],
    legal: {
      target: [...pixels, "resizable"],
      "options.targetOffset": ["0", "null"],
      "options.targetPitches": noPitches,
    },
  },
  "CommandQueue#enqueueCopy of an image and a buffer": {
    ...onQueue,
    args: (e) => ({
      target: e.pixelBuffer,
      source: e.image,
      "options?": { region: [2, 1], sourceOrigin: [0, 1], targetOffset: 4, waitFor: [e.event] },
    }),
    otherNames: ["options.targetOffset"],
    legal: { "options.targetOffset": ["0", "null"], target: [...pixels, "buffer"] },
  },
  ...bothForms("CommandQueue#map of an image", {
    ...onQueue,
    args: (e) => ({ buffer: e.image, "options?": { ...box, access: "write", waitFor: [e.event], signal: signal() } }),
    otherNames: ["type", "origin"],
  }),
  "MappedImage#row": { on: (e) => e.mappedImage, args: () => ({ y: 1, "z?": 0 }), legal: { y: ["0"], z: ["0"] } },
  "MappedImage#set": { on: (e) => e.mappedImage, args: (e) => ({ array: e.pixels }) },
};
