/** Objects for the calls: one of each class, created on first use and new for each call. */
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  CommandBuffer,
  CommandQueue,
  CommandStatistics,
  CommandTrace,
  Context,
  ContextProperties,
  DeviceBuffer,
  DeviceView,
  getPlatforms,
  importBuffer,
  Image,
  ImageFormat,
  LaunchList,
  BorrowedBuffer,
  BorrowedSvm,
  LocalMemory,
  Pipe,
  Program,
  Sampler,
  SvmAllocation,
  SvmArray,
  Semaphore,
  UserEvent,
} from "@cl/core";

/** A kernel with a parameter of each kind that needs no extension. */
export const source = `
__kernel void f(__global float *x, float a, int n) { size_t i = get_global_id(0); if (x && i < 4 && i < n) x[i] += a; }
__kernel void g(__global float *x, __local float *part, long big, float4 v, const uint u) { x[0] = u + big + v.x; }
`;

/** At module level, because borrowed memory is never collected while its lender refers to it. */
const lender = { takeBack: () => undefined };

/** Contexts shared by environments: one for most objects, one for objects of another context. */
const sharedContexts = [];

/** Creates each property once. */
export class Environment {
  /**
   * Whether environments share contexts until these are released. A GPU driver takes a third of a second for a new context,
   * and several seconds while other processes use the device.
   */
  static sharesContexts = false;

  #made = new Map();
  #isOther;

  constructor({ isOther = false } = {}) {
    this.#isOther = isOther;
  }

  /** Returns the property `name`, which `make` creates on the first use. */
  once(name, make) {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name);
  }

  get platform() {
    return getPlatforms()[0];
  }
  get device() {
    return this.context.devices[0];
  }
  get context() {
    return this.once("context", () => {
      if (!Environment.sharesContexts) return Context.create();
      const index = Number(this.#isOther);
      if (!isUsable(sharedContexts[index])) sharedContexts[index] = Context.create();
      return sharedContexts[index];
    });
  }
  /** A new descriptor of a file of 64 bytes. Importing it transfers its ownership. */
  get descriptor() {
    const path = join(process.env.FAULT_FOLDER ?? ".", "memory");
    writeFileSync(path, new Uint8Array(64));
    return openSync(path, "r+");
  }
  get pixels() {
    return new Uint8Array(4 * 3 * 4);
  }
  /** SVM with pending commands on another queue than {@link queue}. */
  get usedSvm() {
    return this.once("usedSvm", () => {
      const queue = this.once("secondQueue", () => new CommandQueue(this.context));
      const svm = new SvmAllocation(this.context, 16, { queue });
      queue.writeSync(svm, new Uint8Array(16));
      return svm;
    });
  }
  get boundBorrowedSvm() {
    const borrowed = new BorrowedSvm(this.svm, 16, lender);
    borrowed.bindToQueue(this.queue);
    return borrowed;
  }
  get local() {
    return new LocalMemory(16);
  }
  get array() {
    return Float32Array.of(5, 6, 7, 8);
  }

  /** Returns an object of the same class as `value` from another context. `undefined` if the class has no context. */
  foreign(value) {
    return this.#twin(value, this.other);
  }

  /** Returns a released object of the same class as `value`. */
  released(value) {
    const twin = this.#twin(value, new Environment());
    twin?.release();
    return twin;
  }

  #twin(value, environment) {
    const name = twins[value?.constructor?.name];
    return name === undefined ? undefined : environment[name];
  }
}

/** Properties that are made from others on first use. */
const makers = {
  queue: (e) => new CommandQueue(e.context, { profiling: true }),
  buffer: (e) => DeviceBuffer.from(e.context, Float32Array.of(1, 2, 3, 4)),
  view: (e) => DeviceView.fromHost(e.context, Float32Array.of(1, 2, 3, 4), { shape: [2, 2] }),
  target: (e) => DeviceBuffer.empty(e.context, Float32Array, 4),
  bytes: (e) => new DeviceBuffer(e.context, 16),
  program: (e) => new Program(e.context, source).buildSync(),
  fresh: (e) => new Program(e.context, source),
  compiled: (e) => new Program(e.context, source).compileSync(),
  kernel: (e) => {
    const kernel = e.program.kernel("f");
    // Runtimes before OpenCL 1.2 have no argument information.
    if (kernel.argNames[1] === undefined) {
      kernel.argTypes = ["float*", "float", "int"];
      kernel.argNames = ["x", "a", "n"];
    }
    return kernel;
  },
  bound: (e) => e.kernel.bind({ global: 4 }, e.buffer, 2, 4),
  list: (e) => new LaunchList(e.context).push(e.bound),
  statistics: () => new CommandStatistics(),
  observer: () => new CommandStatistics(),
  trace: () => new CommandTrace({ capacity: 16 }),
  event: (e) => {
    const event = e.queue.enqueueMarker();
    e.queue.finishSync();
    return event;
  },
  userEvent: (e) => new UserEvent(e.context),
  mapped: (e) => e.queue.mapSync(e.buffer),
  pipe: (e) => new Pipe(e.context, { packetSize: 16, maxPackets: 4 }),
  semaphore: (e) => new Semaphore(e.context, { exportTypes: [0x2055] }),
  signalled: (e) => {
    e.semaphore.enqueueSignal(e.queue);
    return e.semaphore;
  },
  /** A kernel with its arguments set. */
  ready: (e) => e.kernel.setArgs(e.buffer, 1, 4),
  finalized: (e) => new CommandBuffer(e.queue).finalize(),
  recording: (e) => new CommandBuffer(e.queue),
  external: (e) => importBuffer(e.context, { handleType: 0x2060, fd: e.descriptor, size: 16 }),
  sampler: (e) => new Sampler(e.context),
  format: () => new ImageFormat("RGBA", "UNORM_INT8"),
  image: (e) => Image.empty(e.context, e.format, [4, 3]),
  otherImage: (e) => Image.empty(e.context, e.format, [4, 3]),
  /** A buffer of the same size as the images. */
  pixelBuffer: (e) => DeviceBuffer.from(e.context, e.pixels),
  mappedImage: (e) => e.queue.mapSync(e.image),
  svm: (e) => new SvmAllocation(e.context, 16),
  fineSvm: (e) => new SvmAllocation(e.context, 16, { kind: "fine-buffer" }),
  boundSvm: (e) => new SvmAllocation(e.context, 16, { queue: e.queue }),
  borrowedSvm: (e) => new BorrowedSvm(e.fineSvm, 16, lender),
  borrowedBuffer: (e) => new BorrowedBuffer(e.buffer, 16, lender),
  svmArray: (e) => new SvmArray(e.context, [2, 2], Float32Array),
  svmPart: (e) => e.svm.part(0, 12, Float32Array),
  mappedSvm: (e) => e.svm.mapSync(e.queue),
  properties: (e) => new ContextProperties({ platform: e.platform }),
  other: () => new Environment({ isOther: true }),
};
for (const [name, make] of Object.entries(makers)) {
  Object.defineProperty(Environment.prototype, name, {
    get() {
      return this.once(name, () => make(this));
    },
  });
}

/** The property with an object of a class. */
const twins = {
  Context: "context",
  CommandQueue: "queue",
  DeviceBuffer: "buffer",
  DeviceView: "view",
  Program: "program",
  Kernel: "kernel",
  BoundKernel: "bound",
  LaunchList: "list",
  CommandStatistics: "statistics",
  CommandTrace: "trace",
  CommandEvent: "event",
  UserEvent: "userEvent",
  Pipe: "pipe",
  Semaphore: "semaphore",
  CommandBuffer: "recording",
  Sampler: "sampler",
  Image: "image",
  MappedImage: "mappedImage",
  SvmAllocation: "svm",
  SvmArray: "svmArray",
  Svm: "svmPart",
  MappedSvm: "mappedSvm",
  MappedBuffer: "mapped",
};

function isUsable(context) {
  try {
    return context?.referenceCount > 0;
  } catch {
    return false;
  }
}
