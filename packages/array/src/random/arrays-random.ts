/** Random number generators. */
import { checkOptions, wrongValue } from "@cl/base";
import type { Arrays } from "../array/arrays.js";
import { ArraysLinear } from "../linear-algebra/arrays-linear.js";
import type { GeneratorName } from "./generators.js";
import { RandomGenerator } from "./random-generator.js";
import { checkGenerator, checkState, isState, type RandomState, type Seed, seeded } from "./random-state.js";

/** Options of `random`. */
export interface RandomOptions {
  /**
   * Algorithm: Philox4x32 with 10 rounds, or Threefry4x32 with 20 rounds.
   * @defaultValue "philox"
   */
  readonly generator?: GeneratorName;
}

/** The part of `Arrays` that makes random number generators. */
export abstract class ArraysRandom extends ArraysLinear {
  /**
   * Returns a random number generator: from a seed, whose numbers are the same each time and on each device, from a
   * saved state, or seeded from the system's entropy.
   */
  random(seed?: Seed, options?: RandomOptions): RandomGenerator;
  random(state: RandomState): RandomGenerator;
  random(seed?: Seed | RandomState, options?: RandomOptions): RandomGenerator {
    const { generator } = checkOptions(options, ["generator"]);
    const xp = this as unknown as Arrays;
    if (!isState(seed)) return new RandomGenerator(xp, seeded(seed, checkGenerator(generator, "options.generator")));
    if (generator !== undefined) {
      throw wrongValue("options.generator cannot be combined with a state, which has its generator");
    }
    return new RandomGenerator(xp, checkState(seed, "seed"));
  }
}
