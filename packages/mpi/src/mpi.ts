/** MPI in this process: starting, ending, and choosing a device. */
import { isMainThread } from "node:worker_threads";

import { checkBoolean, checkOptions, checkString, illegalConstructor, typeError, wrongState } from "@cl/base";
import { Context, type ContextOptions, type Device, DeviceType, getPlatforms, selectDevices } from "@cl/core";

import { type Communicator, worldCommunicator } from "./communicator.js";
import { endAtExit, operations } from "./lifecycle.js";
import { launchOf, type Library, openLibrary } from "./library.js";
import { MpiError } from "./mpi-error.js";
import { native, requestNumbers } from "./native.js";
import { settleAll, settled } from "./operations.js";
import { countProcessors, limitThreads, processorProblem } from "./processors.js";
import { noteEnded, noteStarted, setStallSeconds } from "./state.js";

/** Options of {@link Mpi.init}. */
export interface MpiOptions {
  /**
   * What happens when an exchange in a queue fails: `"abort"` prints the reason and ends the job; `"report"` prints it and fails
   * the commands that wait for the exchange, after which the context should not be used.
   * @defaultValue "abort"
   */
  readonly onFailure?: "abort" | "report";
  /**
   * Seconds after which a message tells what a rank waits for; 0 for never.
   * @defaultValue 30
   */
  readonly stallWarning?: number;
  /**
   * Whether the first rank of each node prints a warning if the ranks have more threads than processors, or if the launcher has
   * bound it to fewer processors than its share.
   * @defaultValue true
   */
  readonly processorWarning?: boolean;
}

let current: Promise<Mpi> | undefined;
const internal: unique symbol = Symbol("internal");

/**
 * MPI in this process.
 *
 * @example
 * ```ts
 * await using mpi = await Mpi.init();
 * const { world } = mpi;
 * console.log(`rank ${world.rank} of ${world.size}: ${await world.allreduce(world.rank, "sum")}`);
 * ```
 */
export class Mpi {
  /** All ranks of the job. */
  readonly world: Communicator;
  /** The MPI that was opened. */
  readonly library: Library;
  /** The number of this process among those of its node, and their number. */
  readonly localRank: number;
  readonly localSize: number;
  #ended: Promise<void> | undefined;

  /** @internal */
  constructor(token: typeof internal, library: Library, localRank: number, localSize: number) {
    if (token !== internal) throw illegalConstructor("Mpi cannot be constructed directly; use Mpi.init()");
    this.world = worldCommunicator();
    this.library = library;
    this.localRank = localRank;
    this.localSize = localSize;
  }

  /**
   * Starts MPI, once per process; further calls return the same object. Without a launcher such as `mpirun`, the process is the only
   * rank.
   */
  static init(options?: MpiOptions): Promise<Mpi> {
    const { onFailure, stallWarning, processorWarning } = checkOptions(options, [
      "onFailure",
      "stallWarning",
      "processorWarning",
    ]);
    if (!isMainThread) throw wrongState("Mpi.init() must be called on the main thread");
    if (onFailure !== undefined && onFailure !== "abort" && onFailure !== "report") {
      throw typeError("options.onFailure", '"abort" or "report"', onFailure);
    }
    const seconds = stallWarning ?? 30;
    if (typeof seconds !== "number" || !(seconds >= 0)) {
      throw typeError("options.stallWarning", "a number of seconds", stallWarning);
    }
    const warns = checkBoolean(processorWarning, "options.processorWarning", true);
    native.configure(seconds, onFailure !== "report");
    setStallSeconds(seconds);
    current ??= start(warns);
    return current;
  }

  /**
   * Creates a context for this rank's device. Ranks of a node with several GPUs take them in turn; `CL_DEVICE` narrows the choice.
   * Processors are shared by the ranks of a node, if it is called before anything else uses OpenCL.
   */
  createContext(options?: ContextOptions): Context {
    return new Context(this.device(), options);
  }

  /** The device of this rank; see {@link createContext}. */
  device(): Device {
    const selector = process.env["CL_DEVICE"];
    const all = selector ? selectDevices(selector) : getPlatforms().flatMap(({ devices }) => [...devices]);
    const gpus = all.filter(({ type }) => (type & DeviceType.GPU) !== 0);
    const [first] = gpus.length > 0 ? gpus : all;
    if (first === undefined) return Context.create().devices[0] as Device;
    // Of one platform, because the same GPU may be listed by two.
    const same = (gpus.length > 0 ? gpus : all).filter(({ platform }) => platform.equals(first.platform));
    return same[this.localRank % same.length] as Device;
  }

  /**
   * Ends MPI, which waits for all ranks. Operations must have ended before. Without it, MPI ends when the process does.
   */
  finalize(): Promise<void> {
    this.#ended ??= end();
    return this.#ended;
  }

  /** The same as {@link finalize}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.finalize();
  }

  /** Prints the reason and ends all ranks immediately, with an exit code. */
  abort(reason: string, code = 1): never {
    return native.abort(checkString(reason, "reason"), code);
  }

  /** Returns the rank, the number of ranks and the MPI. */
  toString(): string {
    return `Mpi (rank ${this.world.rank} of ${this.world.size}, ${this.library.version})`;
  }
}

async function start(warns: boolean): Promise<Mpi> {
  native.connect(requestNumbers, MpiError);
  const launch = launchOf(process.env);
  const library = openLibrary(process.env, launch);
  if (native.initialized() !== 0) throw wrongState("MPI was already initialized by other code in this process");
  const processors = countProcessors(process.env);
  // MPI may use OpenCL when it starts, to find devices.
  if (launch.localSize !== undefined) limitThreads(process.env, launch.localSize, processors);
  await settled("Mpi.init", (id) => native.initialize(id, settleAll));
  noteStarted();
  const world = worldCommunicator();
  if (launch.size !== undefined && launch.size > 1 && world.size === 1) {
    throw wrongState(
      `the launcher started ${launch.size} processes, but ${library.version} (${library.name}) sees only this one: it belongs to another MPI than the launcher. CL_MPI_LIBRARY names the right library`,
    );
  }
  endAtExit();
  let { localRank, localSize } = launch;
  if (localRank === undefined || localSize === undefined) {
    ({ rank: localRank, size: localSize } = await world.splitShared());
    limitThreads(process.env, localSize, processors);
  }
  if (warns && localRank === 0) {
    const problem = processorProblem(process.env, localSize, processors, launch.flavor);
    if (problem !== undefined) native.say(problem);
  }
  return new Mpi(internal, library, localRank, localSize);
}

async function end(): Promise<void> {
  const running = native.pending();
  if (running > 0) {
    throw wrongState(
      `MPI cannot end with ${operations(running)}, such as a ${native.describePending()}; await it first`,
    );
  }
  noteEnded();
  await settled("finalize", (id) => native.finalize(id));
}
