/** Random numbers. */
import { checkOptions, wrongValue } from "@cl/base";
import type { Arrays } from "../array/arrays.js";
import { ArraysLinear } from "../linear-algebra/arrays-linear.js";
import type { GeneratorName } from "./generators.js";
import { RandomGenerator } from "./random-generator.js";
import { checkGenerator, checkState, isState, type RandomState, type Seed, seeded } from "./random-state.js";

/** Which generator makes the numbers. */
export interface RandomOptions {
  /** `"philox"` if not said: Philox4x32 of 10 rounds, or `"threefry"`: Threefry4x32 of 20 rounds. */
  readonly generator?: GeneratorName;
}

/** The part of `Arrays` that makes random numbers. */
export abstract class ArraysRandom extends ArraysLinear {
  /**
   * A generator of random numbers: of a seed, whose numbers are the same each time and on each device, of a state that somebody
   * kept, or of new randomness.
   */
  random(seed?: Seed, options?: RandomOptions): RandomGenerator;
  random(state: RandomState): RandomGenerator;
  random(seed?: Seed | RandomState, options?: RandomOptions): RandomGenerator {
    const { generator } = checkOptions(options, ["generator"]);
    const xp = this as unknown as Arrays;
    if (!isState(seed)) return new RandomGenerator(xp, seeded(seed, checkGenerator(generator, "options.generator")));
    if (generator !== undefined) throw wrongValue("options.generator is for seeds: a state names its own");
    return new RandomGenerator(xp, checkState(seed, "seed"));
  }
}
