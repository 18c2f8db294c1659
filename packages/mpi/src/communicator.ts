/** Communicators: ranks that exchange messages and take part in collective operations. */
import { checkInteger, checkOptions, illegalConstructor, typeError, wrongState, wrongValue } from "@cl/base";
import type { DeviceBuffer } from "@cl/core";
import type { Launcher } from "@cl/launcher";

import { allreduceLauncher } from "./allreduce-launcher.js";
import { CallOrder } from "./call-order.js";
import * as collectives from "./collectives.js";
import {
  checkHost,
  checkLike,
  checkReducible,
  type DataArray,
  firstOf,
  hostFor,
  hostOf,
  hostOfSync,
  hostsOf,
  hostsOfSync,
  isDeviceArray,
  returned,
  store,
  stored,
} from "./device-array.js";
import type { Reduction } from "./element-types.js";
import { type MessageOptions, receive, type ReceiveOptions, send } from "./messages.js";
import { type HostArray, makers, native } from "./native.js";
import {
  type Operations,
  type Received,
  type Request,
  runAll,
  runOperation,
  settled,
  startAll,
  startOperation,
} from "./operations.js";
import { checkRunning } from "./state.js";

/** Options of {@link Communicator.cartesian}. */
export interface CartesianOptions {
  /** Ranks along each axis; 0 lets MPI choose. Their product must be the number of ranks. */
  readonly shape: readonly number[];
  /**
   * Whether the last rank of an axis is a neighbor of the first.
   * @defaultValue false for each axis
   */
  readonly periodic?: readonly boolean[];
}

/** Tells the constructor that this package calls it. */
const internal: unique symbol = Symbol("internal");

/**
 * Ranks that exchange messages. Every operation has a blocking form whose name ends in `Sync`. Collective operations must be
 * called by all ranks, in the same order.
 */
export class Communicator {
  /** The number of this process, from 0. */
  readonly rank: number;
  /** Number of ranks. */
  readonly size: number;
  readonly #number: number;
  #freed = false;
  readonly #sends = new CallOrder();
  /** Collective operations must start in the same order on all ranks. */
  readonly #collectives = new CallOrder();

  /** @internal */
  constructor(token: typeof internal, number: number) {
    if (token !== internal) throw illegalConstructor("Communicator cannot be constructed directly; use mpi.world");
    this.#number = number;
    [this.rank, this.size] = native.rankAndSize(number);
  }

  /** Whether this is rank 0, which usually prints and writes files. */
  get isRoot(): boolean {
    return this.rank === 0;
  }

  /** @internal The number of the native communicator. */
  get handle(): number {
    checkRunning();
    if (this.#freed) throw wrongState("the communicator was released");
    return this.#number;
  }

  /** Sends an array. Resolves when the array may be changed again. */
  async send(data: DataArray, to: number, options?: MessageOptions): Promise<void> {
    const start = (host: HostArray): Promise<unknown> => startOperation(send(this, host, to, options));
    await (isDeviceArray(data)
      ? this.#sends.afterReading(() => hostOf(data), start)
      : this.#sends.after(() => start(data)));
  }

  /** Like {@link send}, blocking. */
  sendSync(data: DataArray, to: number, options?: MessageOptions): void {
    this.#sends.checkIdle("sendSync");
    runOperation(send(this, hostOfSync(data), to, options));
  }

  /**
   * Receives an array that `send` sent, from one rank or, if `from` is `undefined`, from any. The message must have exactly as many
   * bytes as the array.
   */
  async recv(into: DataArray, from?: number, options?: ReceiveOptions): Promise<Received> {
    const host = hostFor(into, "into");
    const received = await startOperation(receive(this, host, from, options));
    store(into, host);
    return received;
  }

  /** Like {@link recv}, blocking. */
  recvSync(into: DataArray, from?: number, options?: ReceiveOptions): Received {
    const host = hostFor(into, "into");
    const received = runOperation(receive(this, host, from, options));
    store(into, host);
    return received;
  }

  /** Waits until all ranks have called it. */
  async barrier(): Promise<void> {
    await this.#start(() => collectives.barrier(this));
  }

  /** Like {@link barrier}, blocking. */
  barrierSync(): void {
    this.#run("barrierSync", collectives.barrier(this));
  }

  /** Copies the root's array to the arrays of all ranks, which must have the same type and length. */
  async broadcast<T extends DataArray>(data: T, root = 0): Promise<T> {
    const isRoot = this.rank === root;
    const host = isRoot ? data : hostFor(data, "data");
    const values = await this.#startWith(host, (given) => [collectives.broadcast(this, given, root), given]);
    if (!isRoot) store(data, values);
    return data;
  }

  /** Like {@link broadcast}, blocking. */
  broadcastSync<T extends DataArray>(data: T, root = 0): T {
    const host = this.rank === root ? hostOfSync(data) : hostFor(data, "data");
    this.#run("broadcastSync", collectives.broadcast(this, host, root));
    if (this.rank !== root) store(data, host);
    return data;
  }

  /** Returns the root's value on all ranks, such as options that only the root has read. It is sent as JSON. */
  broadcastJson<T>(value: T, root = 0): Promise<T> {
    return this.#startAll(() => collectives.broadcastJson(this, value, root));
  }

  /** Like {@link broadcastJson}, blocking. */
  broadcastJsonSync<T>(value: T, root = 0): T {
    return this.#runAll("broadcastJsonSync", collectives.broadcastJson(this, value, root));
  }

  /**
   * Combines the arrays of all ranks element by element, or their numbers, and returns the result on all of them. `into` receives
   * the result; it may be the array itself.
   */
  allreduce(value: number, operation?: Reduction): Promise<number>;
  allreduce<T extends DataArray>(data: T, operation?: Reduction, into?: T): Promise<T>;
  async allreduce(
    value: DataArray | number,
    operation: Reduction = "sum",
    into?: DataArray,
  ): Promise<DataArray | number> {
    if (!isDeviceArray(value)) {
      const [request, result] = collectives.allreduce(this, value, operation, checkHost(into, "into"));
      await this.#start(() => request);
      return typeof value === "number" ? (result[0] as number) : result;
    }
    checkReducible(value, operation);
    const target = into === undefined ? undefined : checkLike(into, value);
    const result = await this.#startWith(value, (host) => collectives.allreduce(this, host, operation, host));
    return stored(target, result, value);
  }

  /** Like {@link allreduce}, blocking. */
  allreduceSync(value: number, operation?: Reduction): number;
  allreduceSync<T extends DataArray>(data: T, operation?: Reduction, into?: T): T;
  allreduceSync(value: DataArray | number, operation: Reduction = "sum", into?: DataArray): DataArray | number {
    if (!isDeviceArray(value)) {
      const [request, result] = collectives.allreduce(this, value, operation, checkHost(into, "into"));
      this.#run("allreduceSync", request);
      return typeof value === "number" ? (result[0] as number) : result;
    }
    checkReducible(value, operation);
    const target = into === undefined ? undefined : checkLike(into, value);
    const host = hostOfSync(value);
    this.#run("allreduceSync", collectives.allreduce(this, host, operation, host)[0]);
    return stored(target, host, value);
  }

  /** Like {@link allreduce}, but only the root gets the result; the others get `undefined`. */
  async reduce<T extends DataArray>(data: T, operation: Reduction = "sum", root = 0): Promise<T | undefined> {
    checkReducible(data, operation);
    const result = await this.#startWith(data, (host) => collectives.reduce(this, host, operation, root));
    return result && returned(result, data);
  }

  /** Like {@link reduce}, blocking. */
  reduceSync<T extends DataArray>(data: T, operation: Reduction = "sum", root = 0): T | undefined {
    checkReducible(data, operation);
    const [request, result] = collectives.reduce(this, hostOfSync(data), operation, root);
    this.#run("reduceSync", request);
    return result && returned(result, data);
  }

  /** Returns the arrays of all ranks on the root, by rank, and `undefined` on the others. Lengths may differ. */
  async gather<T extends DataArray>(data: T, root = 0): Promise<T[] | undefined> {
    const parts = await this.#startAll(async () => collectives.gather(this, await hostOf(data), root));
    return parts?.map((part) => returned(part, data));
  }

  /** Like {@link gather}, blocking. */
  gatherSync<T extends DataArray>(data: T, root = 0): T[] | undefined {
    const parts = this.#runAll("gatherSync", collectives.gather(this, hostOfSync(data), root));
    return parts?.map((part) => returned(part, data));
  }

  /** Returns the values of all ranks on the root, by rank, and `undefined` on the others. They are sent as JSON. */
  gatherJson<T>(value: T, root = 0): Promise<T[] | undefined> {
    return this.#startAll(() => collectives.gatherJson(this, value, root));
  }

  /** Like {@link gatherJson}, blocking. */
  gatherJsonSync<T>(value: T, root = 0): T[] | undefined {
    return this.#runAll("gatherJsonSync", collectives.gatherJson(this, value, root));
  }

  /** Returns the arrays of all ranks, by rank. Lengths may differ. */
  async allgather<T extends DataArray>(data: T): Promise<T[]> {
    const parts = await this.#startAll(async () => collectives.allgather(this, await hostOf(data)));
    return parts.map((part) => returned(part, data));
  }

  /** Like {@link allgather}, blocking. */
  allgatherSync<T extends DataArray>(data: T): T[] {
    const parts = this.#runAll("allgatherSync", collectives.allgather(this, hostOfSync(data)));
    return parts.map((part) => returned(part, data));
  }

  /**
   * Returns this rank's part of the arrays that the root passes, one for each rank. The others pass an array of the same type,
   * of any length, in place of them.
   */
  async scatter<T extends DataArray>(parts: readonly T[] | T, root = 0): Promise<T> {
    const part = await this.#startAll(async () => collectives.scatter(this, await hostsOf(parts), root));
    return returned(part, firstOf(parts));
  }

  /** Like {@link scatter}, blocking. */
  scatterSync<T extends DataArray>(parts: readonly T[] | T, root = 0): T {
    const part = this.#runAll("scatterSync", collectives.scatter(this, hostsOfSync(parts), root));
    return returned(part, firstOf(parts));
  }

  /** Sends one array to each rank, and returns those that the ranks have sent to this one. Lengths may differ. */
  async alltoallv<T extends DataArray>(parts: readonly T[]): Promise<T[]> {
    const received = await this.#startAll(async () =>
      collectives.alltoallv(this, (await hostsOf(parts)) as readonly HostArray[]),
    );
    return received.map((part) => returned(part, firstOf(parts)));
  }

  /** Like {@link alltoallv}, blocking. */
  alltoallvSync<T extends DataArray>(parts: readonly T[]): T[] {
    const received = this.#runAll(
      "alltoallvSync",
      collectives.alltoallv(this, hostsOfSync(parts) as readonly HostArray[]),
    );
    return received.map((part) => returned(part, firstOf(parts)));
  }

  /**
   * Returns a launcher that replaces the elements of a buffer by those of all ranks combined: a member for lists, whose kernels read
   * the result, such as the largest stable timestep. A collective operation; all ranks must launch it equally often.
   */
  async allreduceLauncher(name: string, buffer: DeviceBuffer, operation: Reduction = "sum"): Promise<Launcher> {
    // Its own communicator, because the engine starts the operation when the queue gets there, between those of other calls.
    return allreduceLauncher(await this.duplicate(), name, buffer, operation);
  }

  /**
   * Makes a communicator of all ranks that pass the same color, ordered by `key` and then by rank. A rank that passes `undefined` is
   * in none.
   */
  async split(color: number | undefined, key = 0): Promise<Communicator | undefined> {
    const chosen = color === undefined ? -1 : checkInteger(color, "color", 0, 2 ** 31 - 1);
    return this.#make("split", makers.split, chosen, checkInteger(key, "key", -(2 ** 31), 2 ** 31 - 1));
  }

  /** Makes a communicator of the ranks that share memory with this one: those of its node. */
  async splitShared(): Promise<Communicator> {
    return (await this.#make("splitShared", makers.shared, 0, 0)) as Communicator;
  }

  /** Makes a communicator of the same ranks, whose messages never meet those of this one. */
  async duplicate(): Promise<Communicator> {
    return (await this.#make("duplicate", makers.duplicate, 0, 0)) as Communicator;
  }

  /** Makes a communicator whose ranks form a grid, in row-major order. */
  async cartesian(options: CartesianOptions): Promise<CartesianCommunicator> {
    const { shape, periodic } = checkOptions(options, ["shape", "periodic"]);
    const sizes = divided(this.size, shape);
    const wraps: readonly boolean[] = periodic ?? Array.from(sizes, () => false);
    if (wraps.length !== sizes.length) {
      throw wrongValue(`options.periodic must have ${sizes.length} elements, received ${wraps.length}`);
    }
    const id = await this.#makeNumber(
      "cartesian",
      makers.cartesian,
      0,
      0,
      sizes,
      Int32Array.from(wraps, (isPeriodic) => (isPeriodic ? 1 : 0)),
    );
    return new CartesianCommunicator(internal, id, [...sizes], [...wraps]);
  }

  /** Releases the communicator. A collective operation: all its ranks must call it. */
  async release(): Promise<void> {
    const number = this.handle;
    if (number === 0) throw wrongState("mpi.world cannot be released");
    this.#freed = true;
    await this.#collectives.hold(() => settled("release", (id) => native.freeCommunicator(id, number)));
  }

  /** Starts a collective operation after those of earlier calls. */
  #start(request: () => Request): Promise<unknown> {
    return this.#collectives.after(() => startOperation(request()));
  }

  /** Like {@link #start}, for an operation on the elements of an array. Returns the result of the operation. */
  #startWith<R>(data: DataArray, request: (host: HostArray) => readonly [Request, R]): Promise<R> {
    const run = async (host: HostArray): Promise<R> => {
      const [operation, result] = request(host);
      await startOperation(operation);
      return result;
    };
    if (!isDeviceArray(data)) return this.#collectives.after(() => run(data));
    return this.#collectives.afterReading(() => hostOf(data), run);
  }

  /** Starts a collective operation that consists of several. */
  #startAll<T>(body: () => Operations<T> | Promise<Operations<T>>): Promise<T> {
    return this.#collectives.hold(async () => startAll(await body()));
  }

  #run(name: string, request: Request): void {
    this.#collectives.checkIdle(name);
    runOperation(request);
  }

  #runAll<T>(name: string, body: Operations<T>): T {
    this.#collectives.checkIdle(name);
    return runAll(body);
  }

  async #make(name: string, maker: number, color: number, key: number): Promise<Communicator | undefined> {
    const number = await this.#makeNumber(name, maker, color, key);
    return number < 0 ? undefined : new Communicator(internal, number);
  }

  #makeNumber(
    name: string,
    maker: number,
    color: number,
    key: number,
    sizes?: Int32Array,
    periodic?: Int32Array,
  ): Promise<number> {
    const of = this.handle;
    return this.#collectives.hold(async () => {
      const { source } = await settled(name, (id) =>
        native.makeCommunicator(id, maker, of, color, key, sizes, periodic),
      );
      return native.takeCommunicator(source);
    });
  }

  /** Returns the class, the rank and the number of ranks. */
  toString(): string {
    return `${this.constructor.name} (rank ${this.rank} of ${this.size})`;
  }
}

/** A communicator whose ranks form a grid, in row-major order: the last coordinate changes from one rank to the next. */
export class CartesianCommunicator extends Communicator {
  /** Ranks along each axis. */
  readonly shape: readonly number[];
  /** Whether each axis is periodic. */
  readonly periodic: readonly boolean[];

  /** @internal */
  constructor(token: typeof internal, number: number, shape: readonly number[], periodic: readonly boolean[]) {
    super(token, number);
    this.shape = shape;
    this.periodic = periodic;
  }

  /** The place of this rank in the grid. */
  get coordinates(): readonly number[] {
    return this.coordinatesOf(this.rank);
  }

  /** The place of a rank in the grid. */
  coordinatesOf(rank: number): number[] {
    checkInteger(rank, "rank", 0, this.size - 1);
    const coordinates: number[] = [];
    let rest = rank;
    for (const size of this.shape.toReversed()) {
      coordinates.unshift(rest % size);
      rest = Math.floor(rest / size);
    }
    return coordinates;
  }

  /** Returns the rank at a place, or `undefined` if that is outside the grid along an axis that is not periodic. */
  rankAt(coordinates: readonly number[]): number | undefined {
    if (!Array.isArray(coordinates) || coordinates.length !== this.shape.length) {
      throw typeError("coordinates", `${this.shape.length} integers`, coordinates);
    }
    let rank = 0;
    for (const [axis, size] of this.shape.entries()) {
      let at = checkInteger(coordinates[axis], `coordinates[${axis}]`, Number.MIN_SAFE_INTEGER);
      if (this.periodic[axis]) at = ((at % size) + size) % size;
      if (at < 0 || at >= size) return undefined;
      rank = rank * size + at;
    }
    return rank;
  }
}

/** @internal Returns the communicator of all ranks. */
export function worldCommunicator(): Communicator {
  return new Communicator(internal, 0);
}

/** Returns the ranks along each axis. Axes of size 0 are chosen by MPI. */
function divided(ranks: number, shape: readonly number[]): Int32Array {
  if (!Array.isArray(shape) || shape.length === 0 || shape.length > 3) {
    throw typeError("shape", "an array of one to three numbers of ranks", shape);
  }
  const sizes = Int32Array.from(shape, (size, axis) => checkInteger(size, `shape[${axis}]`, 0, ranks));
  const given = sizes.filter((size) => size > 0).reduce((product, size) => product * size, 1);
  const isOpen = sizes.includes(0);
  if (isOpen ? ranks % given !== 0 : given !== ranks) {
    throw wrongValue(`shape [${sizes.join(", ")}] does not divide ${ranks} ranks`);
  }
  if (isOpen) native.divide(ranks, sizes);
  return sizes;
}
