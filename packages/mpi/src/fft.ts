/**
 * Fourier transforms of fields: `@cl/array` transforms each axis in turn, while no rank has only a part of it; between, cells move
 * from rank to rank. Published as `@cl/mpi/fft`, because `@cl/array` is optional.
 */
import type { Arrays, DeviceArray } from "@cl/array";
import { checkInstance, illegalConstructor, typeError, wrongValue } from "@cl/base";
import type { Launcher } from "@cl/launcher";

import { Field } from "./field.js";
import { Grid } from "./grid.js";
import { transposeLauncher } from "./transpose.js";

/** Tells the constructor that this package calls it. */
const internal: unique symbol = Symbol("internal");

/** A field, and an array over its memory. */
interface Lines {
  readonly field: Field;
  readonly array: DeviceArray;
}

/** The transform along an axis. `to` is the same as `from`, except that real numbers become complex ones. */
interface Step {
  readonly axis: number;
  readonly from: Lines;
  readonly to: Lines;
}

/** Launchers that move cells to another field, and back. */
interface Moves {
  readonly forward: Launcher;
  readonly inverse: Launcher;
}

/**
 * The Fourier transform of fields along all axes of their grid. Real fields have a value per cell; their spectrum has the first
 * n / 2 + 1 elements along the last axis. Complex fields have two components per cell, the real and the imaginary part.
 *
 * @example
 * ```ts
 * const fft = await DistributedFft.create(arrays(queue), u);
 * await fft.forward();
 * scale.launch(queue); // a kernel that changes fft.spectrum.memory
 * await fft.inverse();
 * ```
 */
export class DistributedFft {
  readonly #xp: Arrays;
  readonly #field: Field;
  /** From the last axis to the first. */
  readonly #steps: readonly Step[];
  /** Between a step and the next. */
  readonly #moves: readonly Moves[];
  /** Between each field that was transformed and the first step. */
  readonly #fieldMoves = new Map<Field, Promise<Moves>>();

  /** @internal */
  constructor(token: typeof internal, xp: Arrays, field: Field, steps: readonly Step[], moves: readonly Moves[]) {
    if (token !== internal) {
      throw illegalConstructor("DistributedFft cannot be constructed directly; use DistributedFft.create()");
    }
    this.#xp = xp;
    this.#field = field;
    this.#steps = steps;
    this.#moves = moves;
  }

  /** Prepares transforms of a field, and of others with the same grid, element type and components. A collective operation. */
  static async create(xp: Arrays, field: Field): Promise<DistributedFft> {
    const { components, memory } = checkInstance(field, Field, "field");
    const type = [Float32Array, Float64Array].find((one) => field.arrayFor(0) instanceof one);
    if (type === undefined) throw typeError("field", "a field of Float32Array or Float64Array", field);
    if (components > 2) throw wrongValue(`field must have 1 or 2 components, received ${components}`);
    if (xp.queue.context !== memory.context) throw wrongValue("xp must be for the context of field");
    const [real, complex] =
      type === Float32Array ? (["float32", "complex64"] as const) : (["float64", "complex128"] as const);
    const linesOf = (grid: Grid, dtype: typeof real | typeof complex): Lines => {
      const made = grid.field(memory.context, type, { components: dtype === real ? 1 : 2 });
      return { field: made, array: xp.asArray(made.memory, { dtype, shape: grid.cells }) };
    };
    const { shape } = field.grid;
    const last = shape.length - 1;
    const whole = await (field.grid as Grid).pencil(last);
    let spectral = whole;
    if (components === 1) {
      const kept = Math.floor((shape[last] as number) / 2) + 1;
      const { communicator } = whole;
      const options = { shape: shape.with(last, kept), ghosts: 0, ranks: communicator.shape };
      spectral = await Grid.create(communicator, options);
    }
    const steps: Step[] = [];
    const moves: Moves[] = [];
    for (let axis = last; axis >= 0; axis--) {
      const to = linesOf(axis === last ? spectral : await spectral.pencil(axis), complex);
      const from = axis === last && components === 1 ? linesOf(whole, real) : to;
      const before = steps.at(-1);
      if (before !== undefined) moves.push(await movesBetween(`axis ${axis}`, before.to.field, from.field));
      steps.push({ axis, from, to });
    }
    const made = new DistributedFft(internal, xp, field, steps, moves);
    // Kernels that are not built yet would be enqueued after the moves that need their results.
    await xp.prepare(() => {
      for (const step of steps) made.#transform(step);
      for (const step of steps.toReversed()) made.#transformBack(step);
    });
    await made.#movesOf(field);
    return made;
  }

  /** The transform: complex numbers, two components per cell. Each rank has all of the first axis, and a part of the others. */
  get spectrum(): Field {
    return (this.#steps.at(-1) as Step).to.field;
  }

  /**
   * Enqueues the transform of a field, by default of that given to {@link create}. A collective operation. Returns
   * {@link spectrum}, which commands of the same queue can use.
   */
  async forward(from: Field = this.#field): Promise<Field> {
    const moves = [await this.#movesOf(from), ...this.#moves];
    for (const [i, step] of this.#steps.entries()) {
      moves[i]?.forward.launch(this.#xp.queue);
      this.#transform(step);
    }
    return this.spectrum;
  }

  /**
   * Enqueues the inverse of {@link forward}, which overwrites the spectrum, and returns the field of the result: by default that
   * given to {@link create}. A collective operation.
   */
  async inverse(into: Field = this.#field): Promise<Field> {
    const moves = [await this.#movesOf(into), ...this.#moves];
    for (const [i, step] of [...this.#steps.entries()].toReversed()) {
      this.#transformBack(step);
      moves[i]?.inverse.launch(this.#xp.queue);
    }
    return into;
  }

  /** Releases the memory, but not that of the fields that were transformed. */
  async release(): Promise<void> {
    const moves = [...this.#moves, ...(await Promise.all(this.#fieldMoves.values()))];
    for (const launcher of moves.flatMap(({ forward, inverse }) => [forward, inverse])) launcher.release();
    for (const { field, array } of new Set(this.#steps.flatMap(({ from, to }) => [from, to]))) {
      array.release();
      field.release();
    }
  }

  #transform({ axis, from, to }: Step): void {
    const { fft } = this.#xp;
    replace(to.array, from === to ? fft.fft(from.array, { axis }) : fft.rfft(from.array, { axis }));
  }

  #transformBack({ axis, from, to }: Step): void {
    const { fft } = this.#xp;
    const n = from.array.shape[axis] as number;
    replace(from.array, from === to ? fft.ifft(to.array, { axis }) : fft.irfft(to.array, { axis, n }));
  }

  /** Returns the launchers between a field and the first step. */
  #movesOf(field: Field): Promise<Moves> {
    if (checkInstance(field, Field, "field").grid !== this.#field.grid) {
      throw wrongValue("field must be a field of the grid of the transform");
    }
    const made =
      this.#fieldMoves.get(field) ?? movesBetween("the last axis", field, (this.#steps[0] as Step).from.field);
    this.#fieldMoves.set(field, made);
    return made;
  }
}

/** Stores a result in an array over a field's memory, for later commands of the queue. */
function replace(array: DeviceArray, result: DeviceArray): void {
  array.assign(result).eval();
  result.release();
}

async function movesBetween(name: string, from: Field, to: Field): Promise<Moves> {
  return {
    forward: await transposeLauncher(`to ${name}`, from, to),
    inverse: await transposeLauncher(`from ${name}`, to, from),
  };
}
