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

  #once(name, make) {
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
    return this.#once("context", () => {
      if (!Environment.sharesContexts) return Context.create();
      const index = Number(this.#isOther);
      if (!isUsable(sharedContexts[index])) sharedContexts[index] = Context.create();
      return sharedContexts[index];
    });
  }
  get queue() {
    return this.#once("queue", () => new CommandQueue(this.context, { profiling: true }));
  }
  get buffer() {
    return this.#once("buffer", () => DeviceBuffer.from(this.context, Float32Array.of(1, 2, 3, 4)));
  }
  get view() {
    return this.#once("view", () => DeviceView.fromHost(this.context, Float32Array.of(1, 2, 3, 4), { shape: [2, 2] }));
  }
  get target() {
    return this.#once("target", () => DeviceBuffer.empty(this.context, Float32Array, 4));
  }
  get bytes() {
    return this.#once("bytes", () => new DeviceBuffer(this.context, 16));
  }
  get program() {
    return this.#once("program", () => new Program(this.context, source).buildSync());
  }
  get fresh() {
    return this.#once("fresh", () => new Program(this.context, source));
  }
  get compiled() {
    return this.#once("compiled", () => new Program(this.context, source).compileSync());
  }
  get kernel() {
    return this.#once("kernel", () => {
      const kernel = this.program.kernel("f");
      // Runtimes before OpenCL 1.2 have no argument information.
      if (kernel.argNames[1] === undefined) {
        kernel.argTypes = ["float*", "float", "int"];
        kernel.argNames = ["x", "a", "n"];
      }
      return kernel;
    });
  }
  get bound() {
    return this.#once("bound", () => this.kernel.bind({ global: 4 }, this.buffer, 2, 4));
  }
  get list() {
    return this.#once("list", () => new LaunchList(this.context).push(this.bound));
  }
  get statistics() {
    return this.#once("statistics", () => new CommandStatistics());
  }
  get observer() {
    return this.#once("observer", () => new CommandStatistics());
  }
  get trace() {
    return this.#once("trace", () => new CommandTrace({ capacity: 16 }));
  }
  get event() {
    return this.#once("event", () => {
      const event = this.queue.enqueueMarker();
      this.queue.finishSync();
      return event;
    });
  }
  get userEvent() {
    return this.#once("userEvent", () => new UserEvent(this.context));
  }
  get mapped() {
    return this.#once("mapped", () => this.queue.mapSync(this.buffer));
  }
  get pipe() {
    return this.#once("pipe", () => new Pipe(this.context, { packetSize: 16, maxPackets: 4 }));
  }
  get semaphore() {
    return this.#once("semaphore", () => new Semaphore(this.context, { exportTypes: [0x2055] }));
  }
  get signalled() {
    return this.#once("signalled", () => {
      this.semaphore.enqueueSignal(this.queue);
      return this.semaphore;
    });
  }
  /** A kernel with its arguments set. */
  get ready() {
    return this.#once("ready", () => this.kernel.setArgs(this.buffer, 1, 4));
  }
  get finalized() {
    return this.#once("finalized", () => new CommandBuffer(this.queue).finalize());
  }
  get recording() {
    return this.#once("recording", () => new CommandBuffer(this.queue));
  }
  /** A new descriptor of a file of 64 bytes. Importing it transfers its ownership. */
  get descriptor() {
    const path = join(process.env.FAULT_FOLDER ?? ".", "memory");
    writeFileSync(path, new Uint8Array(64));
    return openSync(path, "r+");
  }
  get external() {
    return this.#once("external", () =>
      importBuffer(this.context, { handleType: 0x2060, fd: this.descriptor, size: 16 }),
    );
  }
  get sampler() {
    return this.#once("sampler", () => new Sampler(this.context));
  }
  get format() {
    return this.#once("format", () => new ImageFormat("RGBA", "UNORM_INT8"));
  }
  get image() {
    return this.#once("image", () => Image.empty(this.context, this.format, [4, 3]));
  }
  get otherImage() {
    return this.#once("otherImage", () => Image.empty(this.context, this.format, [4, 3]));
  }
  /** A buffer of the same size as the images. */
  get pixelBuffer() {
    return this.#once("pixelBuffer", () => DeviceBuffer.from(this.context, this.pixels));
  }
  get mappedImage() {
    return this.#once("mappedImage", () => this.queue.mapSync(this.image));
  }
  get pixels() {
    return new Uint8Array(4 * 3 * 4);
  }
  get svm() {
    return this.#once("svm", () => new SvmAllocation(this.context, 16));
  }
  get fineSvm() {
    return this.#once("fineSvm", () => new SvmAllocation(this.context, 16, { kind: "fine-buffer" }));
  }
  get boundSvm() {
    return this.#once("boundSvm", () => new SvmAllocation(this.context, 16, { queue: this.queue }));
  }
  /** SVM with pending commands on another queue than {@link queue}. */
  get usedSvm() {
    return this.#once("usedSvm", () => {
      const queue = this.#once("secondQueue", () => new CommandQueue(this.context));
      const svm = new SvmAllocation(this.context, 16, { queue });
      queue.writeSync(svm, new Uint8Array(16));
      return svm;
    });
  }
  get borrowedSvm() {
    return this.#once("borrowedSvm", () => new BorrowedSvm(this.fineSvm, 16, lender));
  }
  get boundBorrowedSvm() {
    const borrowed = new BorrowedSvm(this.svm, 16, lender);
    borrowed.bindToQueue(this.queue);
    return borrowed;
  }
  get borrowedBuffer() {
    return this.#once("borrowedBuffer", () => new BorrowedBuffer(this.buffer, 16, lender));
  }
  get svmArray() {
    return this.#once("svmArray", () => new SvmArray(this.context, [2, 2], Float32Array));
  }
  get svmPart() {
    return this.#once("svmPart", () => this.svm.part(0, 12, Float32Array));
  }
  get mappedSvm() {
    return this.#once("mappedSvm", () => this.svm.mapSync(this.queue));
  }
  get properties() {
    return this.#once("properties", () => new ContextProperties({ platform: this.platform }));
  }
  get local() {
    return new LocalMemory(16);
  }
  get other() {
    return this.#once("other", () => new Environment({ isOther: true }));
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
    switch (value?.constructor?.name) {
      case "Context":
        return environment.context;
      case "CommandQueue":
        return environment.queue;
      case "DeviceBuffer":
        return environment.buffer;
      case "DeviceView":
        return environment.view;
      case "Program":
        return environment.program;
      case "Kernel":
        return environment.kernel;
      case "BoundKernel":
        return environment.bound;
      case "LaunchList":
        return environment.list;
      case "CommandStatistics":
        return environment.statistics;
      case "CommandTrace":
        return environment.trace;
      case "CommandEvent":
        return environment.event;
      case "UserEvent":
        return environment.userEvent;
      case "Pipe":
        return environment.pipe;
      case "Semaphore":
        return environment.semaphore;
      case "CommandBuffer":
        return environment.recording;
      case "Sampler":
        return environment.sampler;
      case "Image":
        return environment.image;
      case "MappedImage":
        return environment.mappedImage;
      case "SvmAllocation":
        return environment.svm;
      case "SvmArray":
        return environment.svmArray;
      case "Svm":
        return environment.svmPart;
      case "MappedSvm":
        return environment.mappedSvm;
      case "MappedBuffer":
        return environment.mapped;
      default:
        return undefined;
    }
  }
}

function isUsable(context) {
  try {
    return context?.referenceCount > 0;
  } catch {
    return false;
  }
}
