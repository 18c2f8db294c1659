/** Random number generators on devices: one stream each, identical for a seed on every device. */
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
import type {
  BetaOptions,
  DirichletOptions,
  LognormalOptions,
  MultinomialOptions,
  MultivariateNormalOptions,
} from "./distribution-options.js";
import type { AxisOptions } from "./functions/splitting.js";
import { type Arrays, type DeviceArray, asDeviceArray } from "../array/arrays.js";
import { replaceMethods } from "../array/add-methods.js";
import { callOrDefer } from "../lazy/deferred-call.js";
import { checkAxis } from "../shapes/check-axes.js";
import { assign } from "../elementwise/assign.js";
import { operators } from "../elementwise/operators.js";
import { broadcastShapes } from "../shapes/broadcast-shapes.js";
import { softmax } from "../special/log-sum.js";
import { checkWritable } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { RecordArray } from "../array/record-array.js";
import { checkComputable } from "../types/capabilities.js";
import { type DTypeName, typeNamed } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { checkMatrix, checkVector } from "../random/check-numbers.js";
import { checkCounts, checkIntegerRange, checkNumber, intervalOf } from "../random/check-range.js";
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
} from "../random/draw.js";
import { checkWeights, chosenOnce, sumsOf, type Weights } from "../random/choose-weighted.js";
import { correlated } from "../random/correlated.js";
import { fillMultinomial } from "../random/fill-multinomial.js";
import { checkParameter, fillElements, fillWeighted } from "../random/fill-elements.js";
import { alignedTo, type Drawn } from "../random/fill.js";
import type { GeneratorName } from "../random/generators.js";
import { permutedIndices } from "../random/permute.js";
import { checkState, childOf, type RandomState, type StreamState, wrapped } from "../random/random-state.js";
import type { AnyArray } from "../storage/array-ref.js";
import { take } from "../indexing/take.js";

/** Names of the floating-point dtypes. */
export type FloatName = "float16" | "float32" | "float64";
/** Names of the floating-point and complex dtypes. */
export type InexactName = FloatName | "complex64" | "complex128";
/** Names of the integer dtypes and bool. */
export type IntegerOrBoolName = Exclude<DTypeName, InexactName>;

/** Range of uniform numbers. */
export interface UniformOptions {
  /**
   * Lower bound, inclusive.
   * @defaultValue 0
   */
  readonly low?: number;
  /**
   * Upper bound, exclusive.
   * @defaultValue 1
   */
  readonly high?: number;
}

/** Parameters of the normal distribution. */
export interface NormalOptions {
  /**
   * The mean.
   * @defaultValue 0
   */
  readonly loc?: number;
  /**
   * The standard deviation.
   * @defaultValue 1
   */
  readonly scale?: number;
}

/** Parameters of the exponential distribution. */
export interface ExponentialOptions {
  /**
   * The mean.
   * @defaultValue 1
   */
  readonly scale?: number;
}

/** Range of random integers. */
export interface IntegersOptions {
  /**
   * Lower bound, inclusive.
   * @defaultValue 0
   */
  readonly low?: number | bigint;
  /** Upper bound, exclusive unless `endpoint` is true. */
  readonly high: number | bigint;
  /**
   * Whether `high` is inclusive.
   * @defaultValue false
   */
  readonly endpoint?: boolean;
}

/** Parameters of the Poisson distribution. */
export interface PoissonOptions {
  /**
   * The expected number of events.
   * @defaultValue 1
   */
  readonly lam?: number | AnyArray;
}

/** Parameters of the binomial distribution. */
export interface BinomialOptions {
  /** The number of trials. */
  readonly n: number | AnyArray;
  /** The probability of success of each trial, in [0, 1]. */
  readonly p: number | AnyArray;
}

/** Parameters of the gamma distribution. */
export interface GammaOptions {
  /** The shape parameter k. */
  readonly shape: number | AnyArray;
  /**
   * The scale parameter θ; the mean is k θ.
   * @defaultValue 1
   */
  readonly scale?: number | AnyArray;
}

/** Options of `choice`. */
export interface ChoiceOptions {
  /**
   * Whether to choose with replacement.
   * @defaultValue true
   */
  readonly replace?: boolean;
  /**
   * Probability of each element.
   * @defaultValue uniform
   */
  readonly p?: Weights;
}

/** Methods that draw numbers. */
const drawing: ReadonlySet<string> = new Set([
  "random",
  "uniform",
  "standardNormal",
  "normal",
  "standardExponential",
  "exponential",
  "integers",
  "poisson",
  "binomial",
  "gamma",
  "lognormal",
  "beta",
  "dirichlet",
  "multinomial",
  "multivariateNormal",
  "permutation",
  "shuffle",
  "choice",
  "bytes",
]);

type Parameters = readonly [number | AnyArray, number | AnyArray];

/**
 * A stream of random numbers, computed on the device by Philox or Threefry; made by `Arrays.random`. Each number is a
 * function of its position in the stream, so the results do not depend on the device or on the sizes of launches.
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
  /** The factory of the arrays. */
  readonly xp: Arrays;
  #state: StreamState;

  /** @internal `Arrays.random` makes generators. */
  constructor(xp: Arrays, state: StreamState) {
    this.xp = xp;
    this.#state = state;
  }

  /** Name of the generator's algorithm. */
  get generator(): GeneratorName {
    return this.#state.generator;
  }

  /** Returns uniform numbers in [0, 1). */
  random<D extends FloatName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  random(shape: Shape, options: VectorDrawOptions): RecordArray;
  random(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.uniform(shape, { dtype, out } as VectorDrawOptions);
  }

  /**
   * Returns uniform numbers in [low, high), with 24 random bits for float32, 53 for float64 and 11 for float16. Complex
   * dtypes are not supported.
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

  /** Returns normally distributed numbers of mean 0 and standard deviation 1. */
  standardNormal<D extends InexactName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  standardNormal(shape: Shape, options: VectorDrawOptions): RecordArray;
  standardNormal(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.normal(shape, { dtype, out } as VectorDrawOptions);
  }

  /**
   * Returns normally distributed numbers, by the Box-Muller transform. Both parts of a complex number are normal;
   * `scale` is the standard deviation of the complex number, that of each part is `scale / sqrt(2)`.
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

  /** Returns exponentially distributed numbers of mean 1. */
  standardExponential<D extends FloatName = "float64">(shape: Shape, options?: DrawOptions<D>): DeviceArray<D>;
  standardExponential(shape: Shape, options: VectorDrawOptions): RecordArray;
  standardExponential(shape: Shape, options?: AnyDrawOptions): DeviceArray | RecordArray {
    const { dtype, out } = checkOptions(options, ["dtype", "out"]);
    return this.exponential(shape, { dtype, out } as VectorDrawOptions);
  }

  /** Returns exponentially distributed numbers of mean `scale`. */
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
   * Returns integers in [low, high), or [low, high] with `endpoint`. Each is the range times a fraction of 64 bits (128
   * for ranges of more than 2^32), rounded down; the relative bias of an integer's probability is at most 2^-32.
   */
  integers<D extends IntegerOrBoolName = "int64">(
    shape: Shape,
    options: IntegersOptions & DrawOptions<D>,
  ): DeviceArray<D>;
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
   * Returns Poisson-distributed counts with mean `lam`, a number or an array. Computed in float64.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const light = xp.array([1, 10, 100]);
   * const noisy = xp.random(1).poisson([1000, 3], { lam: light });
   * console.log(noisy.shape, noisy.dtype.name); // [ 1000, 3 ] int64
   * ```
   */
  poisson<D extends IntegerOrBoolName | FloatName = "int64">(
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

  /**
   * Returns binomially distributed counts: successes of `n` trials with probability `p` each, which may be arrays.
   * Computed in float64.
   */
  binomial<D extends IntegerOrBoolName | FloatName = "int64">(
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

  /** Returns gamma-distributed numbers, whose shape and scale may be arrays. Computed in float64. */
  gamma<D extends FloatName = "float64">(shape: Shape, options: GammaOptions & DrawOptions<D>): DeviceArray<D> {
    const given = checkOptions(options, ["shape", "scale", "dtype", "out"]);
    const target = this.#checkElements(shape, given, floats, "gamma numbers");
    const k = checkParameter(given.shape, this.xp, target.shape, "options.shape");
    const scale = checkParameter(given.scale ?? 1, this.xp, target.shape, "options.scale");
    return this.#elements(target, "gamma", [k, scale]) as DeviceArray<D>;
  }

  /** Returns numbers whose logarithms are normally distributed. */
  lognormal<D extends FloatName = "float64">(shape: Shape, options?: LognormalOptions & DrawOptions<D>): DeviceArray<D>;
  lognormal(shape: Shape, options: LognormalOptions & VectorDrawOptions): RecordArray;
  lognormal(shape: Shape, options?: LognormalOptions & AnyDrawOptions): DeviceArray | RecordArray {
    const given = checkOptions(options, ["mean", "sigma", "dtype", "out"]);
    const mean = checkNumber(given.mean, "options.mean", 0);
    const sigma = checkNumber(given.sigma, "options.sigma", 1, 0);
    const result = this.#draw(shape, given, floats, "lognormal numbers", () => ({
      distribution: "normal",
      parameters: [mean, sigma],
    }));
    using parts = result instanceof RecordArray ? result.components : result.slice();
    operators.exp(parts, { out: parts });
    return result;
  }

  /** Returns beta-distributed numbers in [0, 1], whose parameters may be arrays. Computed in float64. */
  beta<D extends FloatName = "float64">(shape: Shape, options: BetaOptions & DrawOptions<D>): DeviceArray<D> {
    const given = checkOptions(options, ["a", "b", "dtype", "out"]);
    const target = this.#checkElements(shape, given, floats, "beta numbers");
    const [a, b] = (["a", "b"] as const).map((name) => {
      const value = checkParameter(given[name], this.xp, target.shape, `options.${name}`);
      if (typeof value === "number") checkPositive(value, `options.${name}`);
      return value;
    }) as [number | AnyArray, number | AnyArray];
    using both = this.#pair(a, b);
    using fractions = this.#fractions(target.shape, 2, both);
    using first = fractions.slice("...", 0);
    return this.#stored(target, first) as DeviceArray<D>;
  }

  /**
   * Returns random fractions with the sum 1, along an additional last axis, which are Dirichlet-distributed. Computed in
   * float64.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const shares = xp.random(1).dirichlet([1000], { alpha: [1, 2, 3] });
   * console.log(shares.shape); // [ 1000, 3 ]
   * ```
   */
  dirichlet<D extends FloatName = "float64">(shape: Shape, options: DirichletOptions & DrawOptions<D>): DeviceArray<D> {
    const given = checkOptions(options, ["alpha", "dtype", "out"]);
    const concentrations = checkVector(given.alpha, this.xp, "options.alpha");
    for (const [i, one] of concentrations.values.entries()) checkPositive(one, `options.alpha[${i}]`);
    const outer = checkShape(shape, "shape");
    const [count = 0] = concentrations.shape;
    const target = this.#checkElements([...outer, count], given, floats, "Dirichlet numbers");
    using alpha = concentrations.onDevice();
    using fractions = this.#fractions(outer, count, alpha);
    return this.#stored(target, fractions) as DeviceArray<D>;
  }

  /**
   * Returns how often each outcome occurs in `n` trials, along an additional last axis. Computed in float64.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const rolls = xp.random(1).multinomial([1000], { n: 10, pvals: [0.5, 0.3, 0.2] });
   * console.log(rolls.shape, await rolls.sum().item()); // [ 1000, 3 ] 10000n
   * ```
   */
  multinomial<D extends IntegerOrBoolName | FloatName = "int64">(
    shape: Shape,
    options: MultinomialOptions & DrawOptions<D>,
  ): DeviceArray<D> {
    const given = checkOptions(options, ["n", "pvals", "dtype", "out"]);
    const { pvals } = given;
    const count = typeof pvals === "object" && pvals !== null ? pvals.length : 0;
    const probabilities = checkWeights(pvals, count, "options.pvals");
    const outer = checkShape(shape, "shape");
    const { dtype, out, shape: extents } = this.#checkElements([...outer, count], given, counts, "counts");
    const n = checkParameter(given.n, this.xp, outer, "options.n", 1e15);
    if (typeof n === "number") checkCounts(n, dtype);
    const place = this.#atBlock();
    const fill = (array: AnyArray): void => fillMultinomial(array, place, n, probabilities);
    const target = out as DeviceArray<D> | undefined;
    if (target !== undefined) fill(target);
    const result = target ?? filled(this.xp.empty(extents, { dtype: dtype as D }), fill);
    this.#moveTo(place.position + 4n * BigInt(result.size));
    return result;
  }

  /**
   * Returns normally distributed vectors, along an additional last axis, with a mean and a covariance. They are NaN if the
   * covariance has a negative eigenvalue. The dtype is float32 or float64.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const cov = [[2, 1], [1, 2]];
   * const points = xp.random(1).multivariateNormal([1000], { mean: [0, 5], cov, dtype: "float32" });
   * console.log(points.shape); // [ 1000, 2 ]
   * ```
   */
  multivariateNormal<D extends "float32" | "float64" = "float64">(
    shape: Shape,
    options: MultivariateNormalOptions & DrawOptions<D>,
  ): DeviceArray<D> {
    const given = checkOptions(options, ["mean", "cov", "dtype", "out"]);
    const means = checkVector(given.mean, this.xp, "options.mean");
    const covariances = checkMatrix(given.cov, this.xp, "options.cov");
    const [size = 0] = means.shape;
    if (covariances.shape.some((extent) => extent !== size)) {
      throw outOfRange(`options.cov must have the shape [${size},${size}], received [${covariances.shape.join()}]`);
    }
    const extents = [...checkShape(shape, "shape"), size];
    const target = checkDraw(this.xp, extents, given, solvable, "multivariate normal numbers");
    using mean = means.onDevice();
    using cov = covariances.onDevice();
    using numbers = this.#into({ ...target, out: undefined }, { distribution: "normal", parameters: [0, 1] });
    using points = correlated(numbers as DeviceArray, mean, cov);
    return this.#stored(target, points) as DeviceArray<D>;
  }

  /** Returns a random permutation of the integers in [0, length), or of an array along an axis. */
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
    return asDeviceArray(take(array, order, { axis }));
  }

  /** Shuffles an array in place along an axis, by default the first. */
  shuffle<D extends DTypeName>(array: DeviceArray<D>, options?: AxisOptions): DeviceArray<D> {
    checkWritable(checkSource(array, this.xp, "array"));
    using shuffled = this.permutation(array, options);
    array.assign(shuffled);
    return array;
  }

  /**
   * Returns a random sample of an array along an axis, or of the integers below a number, with uniform or the given
   * probabilities; without replacement if `replace` is false.
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
    return asDeviceArray(take(array, indices, { axis: along }));
  }

  /** Returns random bytes. */
  bytes(length: number): DeviceArray<"uint8"> {
    checkInteger(length, "length");
    using words = this.#words(Math.ceil(length / 4));
    using all = words.viewAs("uint8");
    return all.slice([0, length]);
  }

  /**
   * Advances the stream by a number of 32-bit words, or moves it back if negative: float32 uses one word, float64 and
   * integers two.
   */
  advance(words: number | bigint): this {
    if (typeof words !== "bigint") {
      if (typeof words !== "number") throw typeError("words", "an integer", words);
      if (!Number.isSafeInteger(words)) throw rangeError("words", "an integer", words);
    }
    this.#moveTo(this.#state.position + BigInt(words));
    return this;
  }

  /** Advances the stream by `times` * 2^66 words, to a part that does not overlap with this one. */
  jump(times = 1): this {
    return this.advance(BigInt(checkInteger(times, "times", Number.MIN_SAFE_INTEGER)) * 2n ** 66n);
  }

  /** Returns independent generators, whose streams do not overlap with this one's; later calls return others. */
  split(count = 2): RandomGenerator[] {
    checkInteger(count, "count", 0, 2 ** 20);
    const first = this.#state;
    this.#state = { ...first, children: first.children + count };
    return Array.from({ length: count }, (_, i) => new RandomGenerator(this.xp, childOf(first, first.children + i)));
  }

  /** Returns a copy with the same state, which generates the same numbers. */
  clone(): RandomGenerator {
    return new RandomGenerator(this.xp, this.#state);
  }

  /** The state of the stream, for `Arrays.random`. */
  get state(): RandomState {
    const { generator, key, position, children } = this.#state;
    return { generator, key: [...key], position: position.toString(), children };
  }

  set state(value: RandomState) {
    this.#state = checkState(value, "state");
  }

  /** Returns {@link state}, for `JSON.stringify`. */
  toJSON(): RandomState {
    return this.state;
  }

  /** Returns a one-line description. */
  toString(): string {
    return `RandomGenerator { ${this.generator} at ${this.#state.position} }`;
  }

  /**
   * @internal Returns a method that defers calls whose kernels are not built. The stream moves when the method is called; the call is
   * repeated with a copy of the generator in the state from before, so that it draws the same numbers.
   */
  static deferring(name: string, method: DrawMethod): DrawMethod {
    if (!drawing.has(name)) return method;
    const named: Readonly<Record<string, DrawMethod>> = {
      [name](...args) {
        const start = this.#state;
        let isLater = false;
        const result = callOrDefer(this.xp, args, (given) => {
          const stream = isLater ? this.clone() : this;
          stream.#state = start;
          return method.apply(stream, [...given]);
        });
        isLater = true;
        return result;
      },
    };
    return named[name] as DrawMethod;
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
    if (target.type.kind === "vector") throw wrongType(`${what} cannot be vectors, received ${target.type.name}`);
    return target;
  }

  /** A block for each element. */
  #elements(
    { shape, dtype, out }: Draw,
    distribution: "poisson" | "binomial" | "gamma" | "logGamma",
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

  /** Gamma-distributed numbers over their sum along an additional last axis, from logarithms, which do not underflow. */
  #fractions(outer: readonly number[], count: number, shapes: AnyArray): AnyArray {
    const type = typeNamed("float64");
    const draw: Draw = { shape: [...outer, count], dtype: "float64", type, out: undefined };
    using logarithms = this.#elements(draw, "logGamma", [shapes, 1]);
    return softmax("softmax", logarithms, { axis: -1 });
  }

  /** Returns numbers as the array that was asked for. */
  #stored({ dtype, out }: Draw, numbers: AnyArray): DeviceArray {
    if (out === undefined) return asDeviceArray(numbers.astype(dtype));
    const target = asDeviceArray(out as AnyArray);
    assign(target, numbers, "unsafe");
    return target;
  }

  /** Two parameters along an additional last axis. */
  #pair(one: number | AnyArray, other: number | AnyArray): AnyArray {
    if (typeof one === "number" && typeof other === "number") return this.xp.array([one, other]);
    const shape = broadcastShapes([one, other].map((value) => (typeof value === "number" ? [] : value.shape)));
    const result = this.xp.empty([...shape, 2]);
    return filled(result, () => {
      for (const [i, value] of [one, other].entries()) {
        using half = result.slice("...", i);
        if (typeof value === "number") half.assign(value);
        else assign(half, value, "unsafe");
      }
    });
  }

  #permuted(length: number, size: number): DeviceArray<"int64"> {
    const place = this.#atBlock();
    const { indices, words } = permutedIndices(this.xp, length, size, place);
    this.#moveTo(place.position + BigInt(words));
    return asDeviceArray(indices);
  }

  #chosen(length: number, shape: readonly number[], replace: boolean, p: Weights | undefined): DeviceArray<"int64"> {
    const size = sizeOf(shape);
    if (length === 0 && size > 0) throw outOfRange("choice needs at least one element to choose from");
    if (!replace && size > length) {
      throw outOfRange(`choice without replacement needs at least ${size} elements, received ${length}`);
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
      return asDeviceArray(indices.reshape(shape));
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
    return this.#into(target, { distribution: "words", parameters: [] }) as DeviceArray<"uint32">;
  }
}

/** A method that moves the stream by the numbers that it draws. */
type DrawMethod = (this: RandomGenerator, ...args: unknown[]) => unknown;

replaceMethods(RandomGenerator, (name, method: DrawMethod) => RandomGenerator.deferring(name, method));

/** The dtypes in which covariances are decomposed. */
const solvable: Allowed = {
  of: (dtype) => dtype === "float32" || dtype === "float64",
  text: "float32 or float64 numbers",
  missing: "float64",
};

function checkPositive(value: unknown, name: string): void {
  if (typeof value !== "number") throw typeError(name, "a number", value);
  if (!(value > 0 && value < Infinity)) throw rangeError(name, "a finite number greater than 0", value);
}

function axisOf(array: DeviceArray, axis: number | undefined): number {
  if (array.ndim === 0) throw outOfRange("the array must have at least one axis to be shuffled or sampled");
  return checkAxis(axis ?? 0, array.ndim, "options.axis");
}
