/**
 * One valid call of each public function: `on` returns the receiver, `args` the arguments by the names that errors have
 * (`?` marks optional ones), or a list with `names`. `otherNames` has further names that an error can use. `legal` lists
 * other valid values by argument or field (`options.label`), except those that judge.mjs knows; `skip` has values that
 * are not tried. `fails`: the driver may reject the call. `any`: accepts anything, such as constructors of errors.
 * `unchanged`: no wrong arguments are tried.
 */
import { CacheFolder, ContextProperties, DeviceBuffer } from "@cl/core";

const label = ["empty string", "x", "NUL"];
const flag = ["true"];
const param = { param: [] };
const pointer = { names: ["context", "pointer", "options?"], legal: { "options.retain": flag } };
const info = (on, value) => ({ on, args: () => ({ param: value }), legal: param });
const nothing = (on) => ({ on, args: () => [] });
const anything = (args = () => []) => ({ args, any: true });

const readFile = {
  on: () => new CacheFolder("folder-v1"),
  args: () => ({ file: "file", "maxBytes?": 100 }),
  legal: { file: ["x"], maxBytes: ["0", "2**31"] },
};

export const objectCalls = {
  // Functions.
  getPlatforms: nothing(),
  addRuntime: {
    args: () => ({
      path: "/nonexistent/libOpenCL.so",
      "options?": { name: "other", environment: { SETTING: "value" } },
    }),
    legal: { "options.name": label, "options.environment": ["unknown name"], "options.environment.SETTING": label },
    // The library does not exist.
    fails: true,
  },
  handleCount: nothing(),
  handleCounts: nothing(),
  selectDevices: { args: () => ({ selector: "all" }) },
  selectDeviceLists: { args: () => ({ selector: "all;0:0" }), legal: { selector: ["empty string"] } },
  waitForEvents: {
    args: (e) => ({ events: [e.event], "options?": { signal: new AbortController().signal } }),
    legal: { events: ["undefined", "null", "[]"], "events.0": ["foreign"] },
  },
  waitForEventsSync: {
    args: (e) => ({ events: [e.event] }),
    legal: { events: ["undefined", "null", "[]"], "events.0": ["foreign"] },
  },
  profilingTimes: {
    args: (e) => ({ events: [e.event], "fields?": ["start", "end"], "into?": new BigInt64Array(2) }),
    legal: { events: ["[]"], "events.0": ["foreign"], fields: ["[]"], into: ["null"] },
    // Errors can be about the size of the target.
    otherNames: ["into"],
  },

  // CL_NO_CACHE disables the caches, so nothing is written.
  "new CacheFolder": { args: () => ({ name: "folder-v1" }), legal: { name: ["x"] } },
  "CacheFolder#read": readFile,
  "CacheFolder#readSync": readFile,
  "CacheFolder#write": {
    on: () => new CacheFolder("folder-v1"),
    args: () => ({ file: "file", bytes: Uint8Array.of(1) }),
    legal: { file: ["x"], bytes: ["any"] },
  },

  // Errors, whose constructors accept anything.
  "new BinaryNotFoundError": { args: () => ["linux-x64", ["tried"], "folder"], unchanged: true },
  "new OpenCLError": anything(() => ["CL_X", -1, "clFlush", "message"]),
  "new OutOfMemoryError": anything(() => ["CL_X", -1, "clFlush", "message"]),
  "new NotSupportedError": anything(() => ["clFlush", "message"]),
  "new NoRuntimeError": anything(() => ["message", ["tried"]]),
  "new DisposedError": anything(() => ["thing"]),
  "new BuildError": anything(() => [{ status: -11, routine: "clBuildProgram", options: "", logs: new Map() }]),

  // Classes that only the package instantiates. A forged handle is invalid or refers to an existing object.
  "new Resource": anything(() => [0]),
  "new QueriedResource": anything(() => [0]),
  "new ProgramObject": anything(() => [0]),
  "new KernelObject": anything(() => [0]),
  "new Platform": anything(() => [0]),
  "new Device": anything(() => [0]),
  "Device.of": anything(() => [0]),
  "new CommandEvent": anything(() => [0]),
  "new MemoryObject": anything(() => [0]),
  "new QueueBase": anything(() => [0]),
  "new MappedBuffer": anything(() => [0]),
  "new MappedMemory": anything(() => [0]),
  "new MappedImage": anything(() => [0]),
  "new BoundKernel": anything(() => [0]),

  // Resource.
  "Resource#label=": {
    on: (e) => e.buffer,
    args: () => ({ label: "name" }),
    legal: { label: ["undefined", ...label] },
  },
  "Resource#onReleased": {
    on: (e) => e.buffer,
    args: () => ({ callback: () => undefined }),
    legal: { callback: ["function"] },
  },
  "Resource#equals": { ...anything(() => [1]), on: (e) => e.buffer },

  // Platform and Device.
  "Platform.fromPointer": { args: (e) => ({ pointer: e.platform.pointer }) },
  "Platform#getDevices": { on: (e) => e.platform, args: () => ({ "type?": 4 }) },
  "Platform#hasExtension": {
    on: (e) => e.platform,
    args: () => ({ name: "cl_khr_icd" }),
    legal: { name: ["empty string", "x", "NUL"] },
  },
  "Device.fromPointer": { args: (e) => ({ pointer: e.device.pointer }) },
  "Device#getInfo": info((e) => e.device, 0x102b),
  "Device#hasExtension": {
    on: (e) => e.device,
    args: () => ({ name: "cl_khr_fp64" }),
    legal: { name: ["empty string", "x", "NUL"] },
  },
  "Device#createSubDevices": { on: (e) => e.device, args: () => ({ partition: { equally: 1 } }) },
  // The device may not support timers.
  "Device#timers": { ...nothing((e) => e.device), fails: true },
  "Device#hostTimer": { ...nothing((e) => e.device), fails: true },

  // Context.
  "new Context": {
    args: (e) => ({
      devices: [e.device],
      "options?": { properties: e.properties, onMessage: () => undefined, label: "name" },
    }),
    legal: { devices: ["device"], "options.onMessage": ["function"] },
  },
  "Context.create": {
    args: () => ({ "selector?": "all", "options?": { label: "name" } }),
    legal: { selector: ["{}"] },
  },
  "Context.fromType": { args: (e) => ({ type: e.device.type, "options?": { label: "name" } }) },
  "Context.fromPointer": {
    args: (e) => ({ pointer: e.context.pointer, "options?": { retain: true, label: "name" } }),
    legal: { "options.retain": flag },
  },
  "QueriedResource#getInfo": info((e) => e.context, 0x1080),
  "new ContextProperties": {
    args: (e) => ({ "properties?": { platform: e.platform } }),
    legal: { properties: ["{}", "unknown name"] },
  },
  "ContextProperties.fromList": {
    args: () => ({ list: [0x1085n, 1n] }),
    otherNames: ["key"],
    legal: { list: ["[]"], "list.0": ["5n", "-1n", "2n**70n"] },
  },
  "ContextProperties#platform=": {
    on: () => new ContextProperties(),
    args: (e) => ({ platform: e.platform }),
    legal: { platform: ["undefined"] },
  },
  "ContextProperties#set": {
    on: () => new ContextProperties(),
    args: () => ({ name: "SYNC", key: 0x1085, value: 1 }),
    legal: {
      name: label,
      key: ["-1", "0", "2**31", "5n", "-1n", "2n**70n"],
      value: ["-1", "0", "2**31", "5n", "-1n", "2n**70n"],
    },
  },
  "ContextProperties#toObject": nothing(() => new ContextProperties()),
  "ContextProperties#toList": nothing(() => new ContextProperties()),

  // CommandQueue, except transfers.
  "new CommandQueue": {
    args: (e) => ({
      context: e.context,
      "options?": { device: e.device, outOfOrder: true, profiling: true, properties: [], label: "name" },
    }),
    legal: {
      context: ["foreign"],
      "options.outOfOrder": flag,
      "options.profiling": flag,
      "options.properties": ["[]", "null"],
    },
  },
  "CommandQueue.fromPointer": {
    args: (e) => [e.context, e.queue.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "CommandQueue#finish": { on: (e) => e.queue, args: () => ({ "options?": { signal: new AbortController().signal } }) },
  "CommandQueue#enqueueMarker": {
    on: (e) => e.queue,
    args: (e) => ({ "waitFor?": [e.event] }),
    legal: { waitFor: ["null", "[]"] },
  },
  "CommandQueue#enqueueBarrier": {
    on: (e) => e.queue,
    args: (e) => ({ "waitFor?": e.event }),
    legal: { waitFor: ["null", "[]"] },
  },
  "CommandQueue#enqueueWaitForEvents": {
    on: (e) => e.queue,
    args: (e) => [e.event, [e.event]],
    names: ["events", "events"],
    legal: { events: ["[]", "proxy"] },
  },

  // Events.
  "CommandEvent.fromPointer": {
    args: (e) => ({ context: e.context, pointer: e.event.pointer, "options?": { retain: true } }),
    legal: { "options.retain": flag },
  },
  "CommandEvent#wait": { on: (e) => e.event, args: () => ({ "options?": { signal: new AbortController().signal } }) },
  "CommandEvent#onStatus": {
    on: (e) => e.event,
    args: () => ({ stage: "complete", callback: () => undefined }),
    legal: { callback: ["function"] },
  },
  "new UserEvent": {
    args: (e) => ({ context: e.context, "options?": { label: "name" } }),
    legal: { context: ["foreign"] },
  },
  "UserEvent#fail": { on: (e) => e.userEvent, args: () => ({ "status?": -5 }), legal: { status: ["-1"] } },

  // Memory objects and buffers.
  "MemoryObject.fromPointer": {
    args: (e) => [e.context, e.buffer.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "MemoryObject#onDestroyed": {
    on: (e) => e.buffer,
    args: () => ({ callback: () => undefined }),
    legal: { callback: ["function"] },
  },
  "new DeviceBuffer": {
    args: (e) => ({
      context: e.context,
      options: {
        length: 4,
        type: Float32Array,
        access: "read-only",
        hostAccess: "none",
        flags: 0,
        label: "name",
        properties: [],
      },
    }),
    // Errors can name the size in bytes.
    otherNames: ["bytes"],
    // The driver checks unknown flag bits.
    skip: { "options.flags": ["2**31"] },
    legal: {
      context: ["foreign"],
      "options.flags": ["0"],
      "options.label": label,
      "options.properties": ["[]"],
      options: ["2**31"],
    },
  },
  "DeviceBuffer.from": {
    args: (e) => ({
      context: e.context,
      array: e.array,
      "options?": { access: "read-only", hostCoherent: "preferred" },
    }),
    legal: { context: ["foreign"], array: ["Float64Array", "SharedArrayBuffer", "resizable", "liar"] },
  },
  "DeviceBuffer.empty": {
    args: (e) => ({ context: e.context, type: Float32Array, length: 4, "options?": { access: "read-only" } }),
    otherNames: ["bytes"],
    legal: { context: ["foreign"] },
  },
  "DeviceBuffer.fromPointer": {
    args: (e) => [e.context, e.buffer.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "DeviceBuffer#as": { on: (e) => e.buffer, args: () => ({ type: Int32Array }), legal: { type: ["null"] } },
  "DeviceBuffer#subBuffer": {
    on: (e) => new DeviceBuffer(e.context, 1024),
    args: () => ({ origin: 0, bytes: 512, "options?": { access: "read-only", label: "name" } }),
    otherNames: ["a part of"],
    legal: { "options.label": ["null", ...label] },
  },
  "DeviceBuffer#slice": {
    on: (e) => e.buffer,
    args: () => ({ "start?": 0, "end?": 2, "options?": { access: "read-only" } }),
    otherNames: ["the slice from"],
    legal: { end: ["-1"] },
  },
  memoryRange: { args: (e) => ({ memory: e.buffer }), legal: { memory: ["foreign", "buffer"] } },
  reclaimUnreachable: nothing(),
  beforeReclaiming: { args: () => ({ callback: () => undefined }), legal: { callback: ["function"] } },
  "new BorrowedBuffer": {
    args: (e) => ({ block: e.buffer, bytes: 8, lender: { takeBack: () => undefined } }),
    legal: { lender: ["unknown name"], "lender.takeBack": ["function"], block: ["foreign", "buffer"] },
  },
};
