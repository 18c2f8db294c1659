/** Communicators: ranks that exchange messages and take part in collective operations. */
import { checkInteger, checkOptions, illegalConstructor, typeError, wrongState, wrongValue } from "@cl/base";
import type { DeviceBuffer } from "@cl/core";
import type { Launcher } from "@cl/launcher";

import { allreduceLauncher } from "./allreduce-launcher.js";
import * as collectives from "./collectives.js";
import type { Reduction } from "./element-types.js";
import { type MessageOptions, receive, type Received, type ReceiveOptions, send } from "./messages.js";
import { type HostArray, makers, native } from "./native.js";
import { runAll, runOperation, settled, startAll, startOperation } from "./operations.js";
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
  async send(data: HostArray, to: number, options?: MessageOptions): Promise<void> {
    await startOperation(send(this, data, to, options));
  }

  /** Like {@link send}, blocking. */
  sendSync(data: HostArray, to: number, options?: MessageOptions): void {
    runOperation(send(this, data, to, options));
  }

  /**
   * Receives an array that `send` sent, from one rank or, if `from` is `undefined`, from any. The message must have exactly as many
   * bytes as the array.
   */
  async recv(into: HostArray, from?: number, options?: ReceiveOptions): Promise<Received> {
    const [source, tag] = await startOperation(receive(this, into, from, options));
    return { source, tag };
  }

  /** Like {@link recv}, blocking. */
  recvSync(into: HostArray, from?: number, options?: ReceiveOptions): Received {
    const [source, tag] = runOperation(receive(this, into, from, options));
    return { source, tag };
  }

  /** Waits until all ranks have called it. */
  async barrier(): Promise<void> {
    await startOperation(collectives.barrier(this));
  }

  /** Like {@link barrier}, blocking. */
  barrierSync(): void {
    runOperation(collectives.barrier(this));
  }

  /** Copies the root's array to the arrays of all ranks, which must have the same type and length. */
  async broadcast<T extends HostArray>(data: T, root = 0): Promise<T> {
    await startOperation(collectives.broadcast(this, data, root));
    return data;
  }

  /** Like {@link broadcast}, blocking. */
  broadcastSync<T extends HostArray>(data: T, root = 0): T {
    runOperation(collectives.broadcast(this, data, root));
    return data;
  }

  /** Returns the root's value on all ranks, such as options that only the root has read. It is sent as JSON. */
  broadcastJson<T>(value: T, root = 0): Promise<T> {
    return startAll(collectives.broadcastJson(this, value, root));
  }

  /** Like {@link broadcastJson}, blocking. */
  broadcastJsonSync<T>(value: T, root = 0): T {
    return runAll(collectives.broadcastJson(this, value, root));
  }

  /**
   * Combines the arrays of all ranks element by element, or their numbers, and returns the result on all of them. `into` receives
   * the result; it may be the array itself.
   */
  allreduce(value: number, operation?: Reduction): Promise<number>;
  allreduce<T extends HostArray>(data: T, operation?: Reduction, into?: T): Promise<T>;
  async allreduce(
    value: HostArray | number,
    operation: Reduction = "sum",
    into?: HostArray,
  ): Promise<HostArray | number> {
    const [request, result] = collectives.allreduce(this, value, operation, into);
    await startOperation(request);
    return typeof value === "number" ? (result[0] as number) : result;
  }

  /** Like {@link allreduce}, blocking. */
  allreduceSync(value: number, operation?: Reduction): number;
  allreduceSync<T extends HostArray>(data: T, operation?: Reduction, into?: T): T;
  allreduceSync(value: HostArray | number, operation: Reduction = "sum", into?: HostArray): HostArray | number {
    const [request, result] = collectives.allreduce(this, value, operation, into);
    runOperation(request);
    return typeof value === "number" ? (result[0] as number) : result;
  }

  /** Like {@link allreduce}, but only the root gets the result; the others get `undefined`. */
  async reduce<T extends HostArray>(data: T, operation: Reduction = "sum", root = 0): Promise<T | undefined> {
    const [request, result] = collectives.reduce(this, data, operation, root);
    await startOperation(request);
    return result;
  }

  /** Like {@link reduce}, blocking. */
  reduceSync<T extends HostArray>(data: T, operation: Reduction = "sum", root = 0): T | undefined {
    const [request, result] = collectives.reduce(this, data, operation, root);
    runOperation(request);
    return result;
  }

  /** Returns the arrays of all ranks on the root, by rank, and `undefined` on the others. Lengths may differ. */
  gather<T extends HostArray>(data: T, root = 0): Promise<T[] | undefined> {
    return startAll(collectives.gather(this, data, root));
  }

  /** Like {@link gather}, blocking. */
  gatherSync<T extends HostArray>(data: T, root = 0): T[] | undefined {
    return runAll(collectives.gather(this, data, root));
  }

  /** Returns the arrays of all ranks, by rank. Lengths may differ. */
  allgather<T extends HostArray>(data: T): Promise<T[]> {
    return startAll(collectives.allgather(this, data));
  }

  /** Like {@link allgather}, blocking. */
  allgatherSync<T extends HostArray>(data: T): T[] {
    return runAll(collectives.allgather(this, data));
  }

  /**
   * Returns this rank's part of the arrays that the root passes, one for each rank. The others pass an array of the same type,
   * of any length, in place of them.
   */
  scatter<T extends HostArray>(parts: readonly T[] | T, root = 0): Promise<T> {
    return startAll(collectives.scatter(this, parts, root));
  }

  /** Like {@link scatter}, blocking. */
  scatterSync<T extends HostArray>(parts: readonly T[] | T, root = 0): T {
    return runAll(collectives.scatter(this, parts, root));
  }

  /** Sends one array to each rank, and returns those that the ranks have sent to this one. Lengths may differ. */
  alltoallv<T extends HostArray>(parts: readonly T[]): Promise<T[]> {
    return startAll(collectives.alltoallv(this, parts));
  }

  /** Like {@link alltoallv}, blocking. */
  alltoallvSync<T extends HostArray>(parts: readonly T[]): T[] {
    return runAll(collectives.alltoallv(this, parts));
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
    await settled("release", [], (id) => native.freeCommunicator(id, number));
  }

  async #make(name: string, maker: number, color: number, key: number): Promise<Communicator | undefined> {
    const number = await this.#makeNumber(name, maker, color, key);
    return number < 0 ? undefined : new Communicator(internal, number);
  }

  async #makeNumber(
    name: string,
    maker: number,
    color: number,
    key: number,
    sizes?: Int32Array,
    periodic?: Int32Array,
  ): Promise<number> {
    const of = this.handle;
    await settled(name, [], (id) => native.makeCommunicator(id, maker, of, color, key, sizes, periodic));
    return native.takeCommunicator();
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
