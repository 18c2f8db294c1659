/** Generators of random numbers on devices: one stream each, the same for a seed on every device. */
import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkShape,
  outOfRange,
  rangeError,
  sizeOf,
  typeError,
  wrongType,
} from "@cl/base";
import type { Shape } from "@cl/core";
import type { AnyArray } from "../array/any-array.js";
import type { AxisOptions } from "../array/arrays-splitting.js";
import type { Arrays } from "../array/arrays.js";
import { checkAxis } from "../array/check-axes.js";
import { checkWritable } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { filled } from "../array/filled.js";
import type { RecordArray } from "../records/record-array.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { checkCounts, checkIntegerRange, checkNumber, intervalOf } from "./check-range.js";
import {
  type Allowed,
  type AnyDrawOptions,
  checkDraw,
  checkSource,
  counts,
  type Draw,
  draw,
  type DrawOptions,
  floats,
  floatsAndComplex,
  integers,
  type VectorDrawOptions,
} from "./draw.js";
import { checkWeights, chosenOnce, sumsOf, type Weights } from "./choose-weighted.js";
import { checkParameter, fillElements, fillWeighted } from "./fill-elements.js";
import { alignedTo, type Drawn } from "./fill.js";
import type { GeneratorName } from "./generators.js";
import { permutedIndices } from "./permute.js";
import { checkState, childOf, type RandomState, type StreamState, wrapped } from "./random-state.js";

/** The names of floating-point types. */
export type FloatName = "float16" | "float32" | "float64";
/** The names of floating-point and complex types. */
export type InexactName = FloatName | "complex64" | "complex128";
/** The names of the types of integers and booleans. */
export type WholeName = Exclude<DTypeName, InexactName>;

/** From where to where uniform numbers lie. */
export interface UniformOptions {
  /** The least number; 0 if not said. */
  readonly low?: number;
  /** What all numbers are less than; 1 if not said. */
  readonly high?: number;
}

/** Where normal numbers lie. */
export interface NormalOptions {
  /** The mean; 0 if not said. */
  readonly loc?: number;
  /** The standard deviation; 1 if not said. */
  readonly scale?: number;
}

/** How long exponential numbers are. */
export interface ExponentialOptions {
  /** The mean; 1 if not said. */
  readonly scale?: number;
}

/** From where to where integers go. */
export interface IntegersOptions {
  /** The least integer; 0 if not said. */
  readonly low?: number | bigint;
  /** What all integers are less than. */
  readonly high: number | bigint;
  /** Whether `high` is one of the integers. */
  readonly endpoint?: boolean;
}

/** How many events there are. */
export interface PoissonOptions {
  /** The mean; 1 if not said. */
  readonly lam?: number | AnyArray;
}

/** How many trials there are. */
export interface BinomialOptions {
  /** The number of trials. */
  readonly n: number | AnyArray;
  /** The chance of each. */
  readonly p: number | AnyArray;
}

/** What a gamma distribution is like. */
export interface GammaOptions {
  /** Its shape: how many exponential times make one of its numbers. */
  readonly shape: number | AnyArray;
  /** Its scale: the mean of such a time; 1 if not said. */
  readonly scale?: number | AnyArray;
}

/** How elements are chosen. */
export interface ChoiceOptions {
  /** Whether one may be chosen several times; true if not said. */
  readonly replace?: boolean;
  /** How probable each is; all the same if not said. */
  readonly p?: Weights;
}

type Parameters = readonly [number | AnyArray, number | AnyArray];

/**
 * A stream of random numbers, made on the device by Philox or Threefry; `Arrays.random` makes it. Each number belongs to a word
 * of the stream, so that neither the device nor the sizes of launches or fills change it.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const random = xp.random(42);
 * const dice = random.integers([1000], { low: 1, high: 6, endpoint: true, dtype: "uint8" });
 * console.log(await dice.min().item(), await dice.max().item()); // 1 6
 * ```
 */
export class RandomGenerator {
  /** What makes the arrays. */
  readonly xp: Arrays;
  #state: StreamState;

  /** @internal `Arrays.random` makes generators. */
  constructor(xp: Arrays, state: StreamState) {
    this.xp = xp;
    this.#state = state;
  }

  /** Which function makes the numbers. */
  get generator(): GeneratorName {
    return this.#state.generator;
  }

  /** Numbers from 0 up to 1, which is none of them. */
  random<D extends FloatName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  random(shape: Shape, options: VectorDrawOptions): RecordArray;
  random(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.uniform(shape, { dtype, out } as VectorDrawOptions);
  }

  /**
   * Numbers from `low` up to `high`, which is none of them: of 24 bits for float32, 53 for float64 and 11 for float16.
   * Complex numbers have none of their own.
   */
  uniform<D extends FloatName = "float64">(shape: Shape, options?: UniformOptions & DrawOptions<D>): DeviceArray<D>;
  uniform(shape: Shape, options: UniformOptions & VectorDrawOptions): RecordArray;
  uniform(shape: Shape, options?: UniformOptions & AnyDrawOptions): DeviceArray | RecordArray {
    const given = checkOptions(options, ["low", "high", "dtype", "out"]);
    const low = checkNumber(given.low, "options.low", 0);
    const high = checkNumber(given.high, "options.high", 1);
    return this.#draw(shape, given, floats, "uniform numbers", ({ dtype }) =>
      low === 0 && high === 1
        ? { distribution: "unit", parameters: [] }
        : { distribution: "uniform", parameters: intervalOf(low, high, dtype) },
    );
  }

  /** Normal numbers of mean 0 and deviation 1. */
  standardNormal<D extends InexactName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  standardNormal(shape: Shape, options: VectorDrawOptions): RecordArray;
  standardNormal(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.normal(shape, { dtype, out } as VectorDrawOptions);
  }

  /**
   * Normal numbers, two of each two words by Box and Muller's method. Both parts of a complex number are normal; its scale is
   * that of its distance from the mean, of which each part has the square root of a half.
   */
  normal<D extends InexactName = "float64">(shape: Shape, options?: NormalOptions & DrawOptions<D>): DeviceArray<D>;
  normal(shape: Shape, options: NormalOptions & VectorDrawOptions): RecordArray;
  normal(shape: Shape, options?: NormalOptions & AnyDrawOptions): DeviceArray | RecordArray {
    const given = checkOptions(options, ["loc", "scale", "dtype", "out"]);
    const loc = checkNumber(given.loc, "options.loc", 0);
    const scale = checkNumber(given.scale, "options.scale", 1, 0);
    const target = checkDraw(this.xp, shape, given, floatsAndComplex, "normal numbers");
    const isComplex = kindOf(target.dtype) === 4;
    const parameters = isComplex ? [0, scale * Math.SQRT1_2] : [loc, scale];
    const result = this.#into(target, { distribution: "normal", parameters });
    // The mean is that of the real part only.
    if (isComplex && loc !== 0) (result as DeviceArray).add(loc, { out: result as DeviceArray });
    return result;
  }

  /** Exponential numbers of mean 1. */
  standardExponential<D extends FloatName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  standardExponential(shape: Shape, options: VectorDrawOptions): RecordArray;
  standardExponential(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.exponential(shape, { dtype, out } as VectorDrawOptions);
  }

  /** Exponential numbers: the times between events that come once in `scale` on average. */
  exponential<D extends FloatName = "float64">(
    shape: Shape,
    options?: ExponentialOptions & DrawOptions<D>,
  ): DeviceArray<D>;
  exponential(shape: Shape, options: ExponentialOptions & VectorDrawOptions): RecordArray;
  exponential(shape: Shape, options?: ExponentialOptions & AnyDrawOptions): DeviceArray | RecordArray {
    const given = checkOptions(options, ["scale", "dtype", "out"]);
    const scale = checkNumber(given.scale, "options.scale", 1, 0);
    return this.#draw(shape, given, floats, "exponential numbers", () => ({
      distribution: "exponential",
      parameters: [0, scale],
    }));
  }

  /**
   * Integers from `low` up to `high`, which is none of them unless `endpoint` says so. Each is the range times a fraction of 64
   * bits (128 for ranges of more than 2^32), rounded down: of two integers none is more frequent by more than 2^-32 of itself.
   */
  integers<D extends WholeName = "int64">(shape: Shape, options: IntegersOptions & DrawOptions<D>): DeviceArray<D>;
  integers(shape: Shape, options: IntegersOptions & VectorDrawOptions): RecordArray;
  integers(shape: Shape, options: IntegersOptions & AnyDrawOptions): DeviceArray | RecordArray {
    const given = checkOptions(options, ["low", "high", "endpoint", "dtype", "out"]);
    const endpoint = checkBoolean(given.endpoint, "options.endpoint", false);
    return this.#draw(shape, given, integers, "integers", ({ dtype }) => {
      const { low, count } = checkIntegerRange(given, endpoint, dtype);
      const distribution = count > 2n ** 32n ? "wideIntegers" : "integers";
      return { distribution, parameters: [low, count] };
    });
  }

  /**
   * Counts of events of which there are `lam` on average, a number or an array of such. float64 is computed with.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const light = xp.array([1, 10, 100]);
   * const noisy = xp.random(1).poisson([1000, 3], { lam: light });
   * console.log(noisy.shape, noisy.dtype.name); // [ 1000, 3 ] int64
   * ```
   */
  poisson<D extends WholeName | FloatName = "int64">(
    shape: Shape,
    options?: PoissonOptions & DrawOptions<D>,
  ): DeviceArray<D> {
    const given = checkOptions(options, ["lam", "dtype", "out"]);
    const target = this.#checkElements(shape, given, counts, "counts");
    const lam = checkParameter(given.lam ?? 1, this.xp, target.shape, "options.lam", 1e15);
    // Eight deviations from the mean, and what small means come to.
    if (typeof lam === "number") checkCounts(lam + 8 * Math.sqrt(lam) + 25, target.dtype);
    return this.#elements(target, "poisson", [lam, 0]) as DeviceArray<D>;
  }

  /** How many of `n` trials succeed, each with the chance `p`: numbers or arrays. float64 is computed with. */
  binomial<D extends WholeName | FloatName = "int64">(
    shape: Shape,
    options: BinomialOptions & DrawOptions<D>,
  ): DeviceArray<D> {
    const given = checkOptions(options, ["n", "p", "dtype", "out"]);
    const target = this.#checkElements(shape, given, counts, "counts");
    const n = checkParameter(given.n, this.xp, target.shape, "options.n", 1e15);
    const p = checkParameter(given.p, this.xp, target.shape, "options.p", 1);
    if (typeof n === "number") checkCounts(n, target.dtype);
    return this.#elements(target, "binomial", [n, p]) as DeviceArray<D>;
  }

  /** Numbers of a gamma distribution, whose shape and scale are numbers or arrays. float64 is computed with. */
  gamma<D extends FloatName = "float64">(shape: Shape, options: GammaOptions & DrawOptions<D>): DeviceArray<D> {
    const given = checkOptions(options, ["shape", "scale", "dtype", "out"]);
    const target = this.#checkElements(shape, given, floats, "gamma numbers");
    const k = checkParameter(given.shape, this.xp, target.shape, "options.shape");
    const scale = checkParameter(given.scale ?? 1, this.xp, target.shape, "options.scale");
    return this.#elements(target, "gamma", [k, scale]) as DeviceArray<D>;
  }

  /** The integers from 0 up to a length, or the parts of an array along an axis, in a random order. */
  permutation(length: number): DeviceArray<"int64">;
  permutation<D extends DTypeName>(array: DeviceArray<D>, options?: AxisOptions): DeviceArray<D>;
  permutation(source: number | DeviceArray, options?: AxisOptions): DeviceArray {
    if (typeof source === "number") {
      checkInteger(source, "source");
      return this.#permuted(source, source);
    }
    const array = checkSource(source, this.xp, "source");
    const axis = axisOf(array, checkOptions(options, ["axis"]).axis);
    using order = this.#permuted(array.shape[axis] as number, array.shape[axis] as number);
    return array.take(order, { axis });
  }

  /** Puts the parts of an array along an axis (the first if not said) in a random order, where they are. */
  shuffle<D extends DTypeName>(array: DeviceArray<D>, options?: AxisOptions): DeviceArray<D> {
    checkWritable(checkSource(array, this.xp, "array"));
    using shuffled = this.permutation(array, options);
    array.assign(shuffled);
    return array;
  }

  /**
   * Parts of an array along an axis, or integers below a number, each as frequent as any other or as `p` says; no part twice
   * if `replace` is false.
   */
  choice(source: number, shape?: Shape, options?: ChoiceOptions): DeviceArray<"int64">;
  choice<D extends DTypeName>(
    source: DeviceArray<D>,
    shape?: Shape,
    options?: ChoiceOptions & AxisOptions,
  ): DeviceArray<D>;
  choice(source: number | DeviceArray, shape: Shape = [], options?: ChoiceOptions & AxisOptions): DeviceArray {
    const { replace, p, axis } = checkOptions(options, ["replace", "p", "axis"]);
    const places = checkShape(shape, "shape");
    const again = checkBoolean(replace, "options.replace", true);
    if (typeof source === "number") {
      return this.#chosen(checkInteger(source, "source"), places, again, p);
    }
    const array = checkSource(source, this.xp, "source");
    const along = axisOf(array, axis);
    using indices = this.#chosen(array.shape[along] as number, places, again, p);
    return array.take(indices, { axis: along });
  }

  /** So many random bytes. */
  bytes(length: number): DeviceArray<"uint8"> {
    checkInteger(length, "length");
    using words = this.#words(Math.ceil(length / 4));
    using all = words.viewAs("uint8");
    return all.slice([0, length]);
  }

  /** Goes on by so many words of 32 bits, or back: an element of float32 takes one, of float64 and integers two. */
  advance(words: number | bigint): this {
    if (typeof words !== "bigint") {
      if (typeof words !== "number") throw typeError("words", "an integer", words);
      if (!Number.isSafeInteger(words)) throw rangeError("words", "an integer", words);
    }
    this.#moveTo(this.#state.position + BigInt(words));
    return this;
  }

  /** Goes on by so many times 2^66 words: to parts of the stream that never meet. */
  jump(times = 1): this {
    return this.advance(BigInt(checkInteger(times, "times", Number.MIN_SAFE_INTEGER)) * 2n ** 66n);
  }

  /** Generators with streams of their own, which this one's never meets; later calls give others. */
  split(count = 2): RandomGenerator[] {
    checkInteger(count, "count", 0, 2 ** 20);
    const first = this.#state;
    this.#state = { ...first, children: first.children + count };
    return Array.from({ length: count }, (_, i) => new RandomGenerator(this.xp, childOf(first, first.children + i)));
  }

  /** A generator that gives the same from here on. */
  clone(): RandomGenerator {
    return new RandomGenerator(this.xp, this.#state);
  }

  /** Where the stream is: what `Arrays.random` and {@link state} take. */
  get state(): RandomState {
    const { generator, key, position, children } = this.#state;
    return { generator, key: [...key], position: position.toString(), children };
  }

  set state(value: RandomState) {
    this.#state = checkState(value, "state");
  }

  /** The same as {@link state}, for `JSON.stringify`. */
  toJSON(): RandomState {
    return this.state;
  }

  /** One line that says what it is. */
  toString(): string {
    return `RandomGenerator { ${this.generator} at ${this.#state.position} }`;
  }

  #draw(
    shape: Shape,
    options: AnyDrawOptions,
    allowed: Allowed,
    what: string,
    drawn: (target: Draw) => Drawn,
  ): DeviceArray | RecordArray {
    const target = checkDraw(this.xp, shape, options, allowed, what);
    return this.#into(target, drawn(target));
  }

  #into(target: Draw, drawn: Drawn): DeviceArray | RecordArray {
    const { result, position } = draw(this.xp, target, this.#state, drawn);
    this.#moveTo(position);
    return result;
  }

  #checkElements(shape: Shape, options: AnyDrawOptions, allowed: Allowed, what: string): Draw {
    checkComputable(this.xp.queue.device, "float64", what);
    const target = checkDraw(this.xp, shape, options, allowed, what);
    if (target.type.kind === "vector") throw wrongType(`${what} are no vectors, such as ${target.type.name}`);
    return target;
  }

  /** A block for each element. */
  #elements(
    { shape, dtype, out }: Draw,
    distribution: "poisson" | "binomial" | "gamma",
    parameters: Parameters,
  ): DeviceArray {
    const place = this.#atBlock();
    const target = out as DeviceArray | undefined;
    const fill = (array: DeviceArray): void => fillElements(array, place, distribution, parameters);
    const result = target ?? filled<DeviceArray>(this.xp.empty(shape, { dtype }), fill);
    if (target !== undefined) fill(target);
    this.#moveTo(place.position + 4n * BigInt(result.size));
    return result;
  }

  #permuted(length: number, size: number): DeviceArray<"int64"> {
    const place = this.#atBlock();
    const { indices, words } = permutedIndices(this.xp, length, size, place);
    this.#moveTo(place.position + BigInt(words));
    return indices;
  }

  #chosen(length: number, shape: readonly number[], replace: boolean, p: Weights | undefined): DeviceArray<"int64"> {
    const size = sizeOf(shape);
    if (length === 0 && size > 0) throw outOfRange("there is nothing to choose from");
    if (!replace && size > length) {
      throw outOfRange(`${size} elements cannot be chosen from ${length} if none comes twice`);
    }
    const weights = p === undefined ? undefined : checkWeights(p, length);
    if (size === 0) return this.xp.empty(shape, { dtype: "int64" });
    if (weights === undefined) {
      if (replace) return this.integers(shape, { high: length });
      using indices = this.#permuted(length, size);
      return indices.reshape(shape);
    }
    const place = this.#atBlock();
    if (!replace) {
      using indices = chosenOnce(this.xp, weights, size, place);
      this.#moveTo(place.position + BigInt(Math.ceil(length / 2) * 4));
      return indices.reshape(shape);
    }
    using sums = this.xp.fromHost(sumsOf(weights));
    const indices = filled(this.xp.empty(shape, { dtype: "int64" }), (result) => fillWeighted(result, place, sums));
    this.#moveTo(place.position + 4n * BigInt(size));
    return indices;
  }

  /** Where the next block of the stream begins. */
  #atBlock(): StreamState {
    return { ...this.#state, position: alignedTo(this.#state.position, 4) };
  }

  #moveTo(position: bigint): void {
    this.#state = { ...this.#state, position: wrapped(position) };
  }

  #words(count: number): DeviceArray<"uint32"> {
    const target = checkDraw(this.xp, [count], { dtype: "uint32" }, integers, "words");
    return this.#into(target, { distribution: "words", parameters: [] }) as DeviceArray as DeviceArray<"uint32">;
  }
}

function axisOf(array: DeviceArray, axis: number | undefined): number {
  if (array.ndim === 0) throw outOfRange("an array without axes has no parts to choose from or to shuffle");
  return checkAxis(axis ?? 0, array.ndim, "options.axis");
}
