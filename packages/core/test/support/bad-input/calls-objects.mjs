/**
 * One valid call of each public function: `on` returns the receiver, `args` the arguments, and `names` has the argument
 * names used in errors (`?` marks optional ones). `otherNames` has further names that an error can use. `legal` lists other
 * valid values by argument or field (`options.label`), `skip` values that are not tried. `fails`: the driver may reject
 * the call. `any`: accepts anything, such as constructors of errors. `unchanged`: no wrong arguments are tried.
 */
import { CacheFolder, ContextProperties, DeviceBuffer } from "@cl/core";

const label = ["empty string", "x", "NUL"];
const flag = ["true"];
const param = { param: [] };
const pointer = {
  names: ["context", "pointer", "options?"],
  legal: { "options.label": label, "options.retain": flag, options: ["{}"] },
};
const info = (on, value) => ({ on, args: () => [value], names: ["param"], legal: param });
const nothing = (on) => ({ on, args: () => [], names: [] });
const anything = (args = () => []) => ({ args, names: args().map((_, i) => `arg${i}`), any: true });

export const objectCalls = {
  // Functions.
  getPlatforms: nothing(),
  addRuntime: {
    args: () => ["/nonexistent/libOpenCL.so", { name: "other", environment: { SETTING: "value" } }],
    names: ["path", "options?"],
    legal: {
      options: ["{}"],
      "options.name": label,
      "options.environment": ["unknown name"],
      "options.environment.SETTING": label,
    },
    // The library does not exist.
    fails: true,
  },
  handleCount: nothing(),
  handleCounts: nothing(),
  selectDevices: { args: () => ["all"], names: ["selector"] },
  selectDeviceLists: { args: () => ["all;0:0"], names: ["selector"], legal: { selector: ["empty string"] } },
  waitForEvents: {
    args: (e) => [[e.event], { signal: new AbortController().signal }],
    names: ["events", "options?"],
    legal: { events: ["undefined", "null", "[]"], "events.0": ["foreign"], options: ["{}"] },
  },
  waitForEventsSync: {
    args: (e) => [[e.event]],
    names: ["events"],
    legal: { events: ["undefined", "null", "[]"], "events.0": ["foreign"] },
  },
  profilingTimes: {
    args: (e) => [[e.event], ["start", "end"], new BigInt64Array(2)],
    names: ["events", "fields?", "into?"],
    legal: { events: ["[]"], "events.0": ["foreign"], fields: ["[]"], into: ["null"] },
    // Errors can be about the size of the target.
    otherNames: ["into"],
  },

  // CL_NO_CACHE disables the caches, so nothing is written.
  "new CacheFolder": { args: () => ["folder-v1"], names: ["name"], legal: { name: ["x"] } },
  "CacheFolder#read": {
    on: () => new CacheFolder("folder-v1"),
    args: () => ["file", 100],
    names: ["file", "maxBytes?"],
    legal: { file: ["x"], maxBytes: ["0", "2**31"] },
  },
  "CacheFolder#readSync": {
    on: () => new CacheFolder("folder-v1"),
    args: () => ["file", 100],
    names: ["file", "maxBytes?"],
    legal: { file: ["x"], maxBytes: ["0", "2**31"] },
  },
  "CacheFolder#write": {
    on: () => new CacheFolder("folder-v1"),
    args: () => ["file", Uint8Array.of(1)],
    names: ["file", "bytes"],
    legal: { file: ["x"], bytes: ["any"] },
  },

  // Errors, whose constructors accept anything.
  "new BinaryNotFoundError": { args: () => ["linux-x64", ["tried"], "folder"], names: [], unchanged: true },
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
    args: () => ["name"],
    names: ["label"],
    legal: { label: ["undefined", ...label] },
  },
  "Resource#onReleased": {
    on: (e) => e.buffer,
    args: () => [() => undefined],
    names: ["callback"],
    legal: { callback: ["function"] },
  },
  "Resource#equals": { ...anything(() => [1]), on: (e) => e.buffer },
  "Resource#release": nothing((e) => e.buffer),
  "Resource#toString": nothing((e) => e.buffer),
  "Resource#summary": nothing((e) => e.buffer),
  "Resource#Symbol(nodejs.dispose)": nothing((e) => e.buffer),
  "Resource#Symbol(nodejs.util.inspect.custom)": nothing((e) => e.buffer),

  // Platform and Device.
  "Platform.fromPointer": { args: (e) => [e.platform.pointer], names: ["pointer"] },
  "Platform#getDevices": {
    on: (e) => e.platform,
    args: () => [4],
    names: ["type?"],
  },
  "Platform#hasExtension": {
    on: (e) => e.platform,
    args: () => ["cl_khr_icd"],
    names: ["name"],
    legal: { name: ["empty string", "x", "NUL"] },
  },
  "Platform#unloadCompiler": nothing((e) => e.platform),
  "Platform#release": nothing((e) => e.platform),
  "Platform#summary": nothing((e) => e.platform),
  "Device.fromPointer": { args: (e) => [e.device.pointer], names: ["pointer"] },
  "Device#getInfo": info((e) => e.device, 0x102b),
  "Device#hasExtension": {
    on: (e) => e.device,
    args: () => ["cl_khr_fp64"],
    names: ["name"],
    legal: { name: ["empty string", "x", "NUL"] },
  },
  "Device#createSubDevices": { on: (e) => e.device, args: () => [{ equally: 1 }], names: ["partition"] },
  // The device may not support timers.
  "Device#timers": { ...nothing((e) => e.device), fails: true },
  "Device#hostTimer": { ...nothing((e) => e.device), fails: true },
  "Device#release": nothing((e) => e.device),
  "Device#summary": nothing((e) => e.device),

  // Context.
  "new Context": {
    args: (e) => [[e.device], { properties: e.properties, onMessage: () => undefined, label: "name" }],
    names: ["devices", "options?"],
    legal: { devices: ["device"], "options.label": label, "options.onMessage": ["function"], options: ["{}"] },
  },
  "Context.create": {
    args: () => ["all", { label: "name" }],
    names: ["selector?", "options?"],
    legal: { selector: ["{}"], "options.label": label, options: ["{}"] },
  },
  "Context.fromType": {
    args: (e) => [e.device.type, { label: "name" }],
    names: ["type", "options?"],
    legal: { "options.label": label, options: ["{}"] },
  },
  "Context.fromPointer": {
    args: (e) => [e.context.pointer, { retain: true, label: "name" }],
    names: ["pointer", "options?"],
    legal: { "options.label": label, "options.retain": flag, options: ["{}"] },
  },
  "QueriedResource#getInfo": info((e) => e.context, 0x1080),
  "Context#summary": nothing((e) => e.context),
  "new ContextProperties": {
    args: (e) => [{ platform: e.platform }],
    names: ["properties?"],
    legal: { properties: ["{}", "unknown name"] },
  },
  "ContextProperties.fromList": {
    args: () => [[0x1085n, 1n]],
    names: ["list"],
    otherNames: ["key"],
    legal: { list: ["[]"], "list.0": ["5n", "-1n", "2n**70n"] },
  },
  "ContextProperties#platform=": {
    on: () => new ContextProperties(),
    args: (e) => [e.platform],
    names: ["platform"],
    legal: { platform: ["undefined"] },
  },
  "ContextProperties#set": {
    on: () => new ContextProperties(),
    args: () => ["SYNC", 0x1085, 1],
    names: ["name", "key", "value"],
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
    args: (e) => [e.context, { device: e.device, outOfOrder: true, profiling: true, properties: [], label: "name" }],
    names: ["context", "options?"],
    legal: {
      context: ["foreign"],
      "options.label": label,
      "options.outOfOrder": flag,
      "options.profiling": flag,
      "options.properties": ["[]", "null"],
      options: ["{}"],
    },
  },
  "CommandQueue.fromPointer": {
    args: (e) => [e.context, e.queue.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "QueueBase#flush": nothing((e) => e.queue),
  "QueueBase#flushSoon": nothing((e) => e.queue),
  "CommandQueue#finish": {
    on: (e) => e.queue,
    args: () => [{ signal: new AbortController().signal }],
    names: ["options?"],
    legal: { options: ["{}"] },
  },
  "CommandQueue#finishSync": nothing((e) => e.queue),
  "CommandQueue#enqueueMarker": {
    on: (e) => e.queue,
    args: (e) => [[e.event]],
    names: ["waitFor?"],
    legal: { waitFor: ["null", "[]"] },
  },
  "CommandQueue#enqueueBarrier": {
    on: (e) => e.queue,
    args: (e) => [e.event],
    names: ["waitFor?"],
    legal: { waitFor: ["null", "[]"] },
  },
  "CommandQueue#enqueueWaitForEvents": {
    on: (e) => e.queue,
    args: (e) => [e.event, [e.event]],
    names: ["events", "events"],
    legal: { events: ["[]", "proxy"] },
  },
  "QueueBase#summary": nothing((e) => e.queue),
  "CommandQueue#Symbol(nodejs.asyncDispose)": nothing((e) => e.queue),

  // Events.
  "CommandEvent.fromPointer": {
    args: (e) => [e.context, e.event.pointer, { retain: true }],
    names: ["context", "pointer", "options?"],
    legal: { "options.retain": flag, options: ["{}"] },
  },
  "CommandEvent#wait": {
    on: (e) => e.event,
    args: () => [{ signal: new AbortController().signal }],
    names: ["options?"],
    legal: { options: ["{}"] },
  },
  "CommandEvent#waitSync": nothing((e) => e.event),
  "CommandEvent#onStatus": {
    on: (e) => e.event,
    args: () => ["complete", () => undefined],
    names: ["stage", "callback"],
    legal: { callback: ["function"] },
  },
  "CommandEvent#summary": nothing((e) => e.event),
  "new UserEvent": {
    args: (e) => [e.context, { label: "name" }],
    names: ["context", "options?"],
    legal: {
      context: ["foreign"],
      "options.label": label,
      options: ["{}"],
    },
  },
  "CommandEvent#release": nothing((e) => e.event),
  "UserEvent#complete": nothing((e) => e.userEvent),
  "UserEvent#fail": { on: (e) => e.userEvent, args: () => [-5], names: ["status?"], legal: { status: ["-1"] } },
  "UserEvent#release": nothing((e) => e.userEvent),

  // Memory objects and buffers.
  "MemoryObject.fromPointer": {
    args: (e) => [e.context, e.buffer.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "MemoryObject#onDestroyed": {
    on: (e) => e.buffer,
    args: () => [() => undefined],
    names: ["callback"],
    legal: { callback: ["function"] },
  },
  "DeviceBuffer#release": nothing((e) => e.buffer),
  "new DeviceBuffer": {
    args: (e) => [
      e.context,
      {
        length: 4,
        type: Float32Array,
        access: "read-only",
        hostAccess: "none",
        flags: 0,
        label: "name",
        properties: [],
      },
    ],
    // Errors can name the size in bytes.
    otherNames: ["bytes"],
    // The driver checks unknown flag bits.
    skip: { "options.flags": ["2**31"] },
    names: ["context", "options"],
    legal: {
      context: ["foreign"],
      "options.flags": ["0"],
      "options.label": label,
      "options.properties": ["[]"],
      options: ["2**31"],
    },
  },
  "DeviceBuffer.from": {
    args: (e) => [e.context, e.array, { access: "read-only", hostCoherent: "preferred" }],
    names: ["context", "array", "options?"],
    legal: {
      context: ["foreign"],
      array: ["Float64Array", "SharedArrayBuffer", "resizable", "liar"],
      options: ["{}"],
    },
  },
  "DeviceBuffer.empty": {
    args: (e) => [e.context, Float32Array, 4, { access: "read-only" }],
    otherNames: ["bytes"],
    names: ["context", "type", "length", "options?"],
    legal: {
      context: ["foreign"],
      options: ["{}"],
    },
  },
  "DeviceBuffer.fromPointer": {
    args: (e) => [e.context, e.buffer.pointer, { retain: true, label: "name" }],
    ...pointer,
  },
  "DeviceBuffer#as": { on: (e) => e.buffer, args: () => [Int32Array], names: ["type"], legal: { type: ["null"] } },
  "DeviceBuffer#subBuffer": {
    on: (e) => new DeviceBuffer(e.context, 1024),
    args: () => [0, 512, { access: "read-only", label: "name" }],
    names: ["origin", "bytes", "options?"],
    otherNames: ["a part of"],
    legal: { "options.label": ["null", ...label], options: ["{}"] },
  },
  "DeviceBuffer#slice": {
    on: (e) => e.buffer,
    args: () => [0, 2, { access: "read-only" }],
    names: ["start?", "end?", "options?"],
    otherNames: ["the slice from"],
    legal: { end: ["-1"], options: ["{}"] },
  },
  memoryRange: { args: (e) => [e.buffer], names: ["memory"], legal: { memory: ["foreign", "buffer"] } },
  reclaimUnreachable: nothing(),
  beforeReclaiming: { args: () => [() => undefined], names: ["callback"], legal: { callback: ["function"] } },
  "new BorrowedBuffer": {
    args: (e) => [e.buffer, 8, { takeBack: () => undefined }],
    names: ["block", "bytes", "lender"],
    legal: { lender: ["unknown name"], "lender.takeBack": ["function"], block: ["foreign", "buffer"] },
  },
  "BorrowedBuffer#release": nothing((e) => e.borrowedBuffer),
  "BorrowedBuffer#Symbol(startWatching)": nothing((e) => e.borrowedBuffer),
  "DeviceBuffer#summary": nothing((e) => e.buffer),
};
