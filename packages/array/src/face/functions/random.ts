/** Random number generators. */
import { checkOptions, wrongValue } from "@cl/base";
import type { GeneratorName } from "../../random/generators.js";
import { RandomGenerator } from "../random-generator.js";
import { checkGenerator, checkState, isState, type RandomState, type Seed, seeded } from "../../random/random-state.js";
import { Arrays } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Options of `random`. */
export interface RandomOptions {
  /**
   * Algorithm: Philox4x32 with 10 rounds, or Threefry4x32 with 20 rounds.
   * @defaultValue "philox"
   */
  readonly generator?: GeneratorName;
}

/** Functions that make random number generators. */
class RandomFunctions {
  /**
   * Returns a random number generator: from a seed, whose numbers are the same each time and on each device, from a
   * saved state, or seeded from the system's entropy.
   */
  random(this: Arrays, seed?: Seed, options?: RandomOptions): RandomGenerator;
  random(this: Arrays, state: RandomState): RandomGenerator;
  random(this: Arrays, seed?: Seed | RandomState, options?: RandomOptions): RandomGenerator {
    const { generator } = checkOptions(options, ["generator"]);
    if (!isState(seed)) return new RandomGenerator(this, seeded(seed, checkGenerator(generator, "options.generator")));
    if (generator !== undefined) {
      throw wrongValue("options.generator cannot be combined with a state, which has its generator");
    }
    return new RandomGenerator(this, checkState(seed, "seed"));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends RandomFunctions {}
}
addMethods(Arrays, RandomFunctions);
