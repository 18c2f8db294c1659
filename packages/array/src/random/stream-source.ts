/** Philox and Threefry in OpenCL C: one block of four words, for any device, and eight blocks in vectors for CPUs. */
import { macros } from "../kernels/macros.js";
import {
  type GeneratorName,
  philoxFactors,
  philoxRounds,
  philoxSteps,
  threefryParity,
  threefryRotations,
  threefryRounds,
} from "./generators.js";
import philox from "./philox.cl";
import randomBlock from "./random-block.cl";
import stream from "./stream.cl";
import threefry from "./threefry.cl";

/** Number of blocks computed together in loops; the `.cl` files have vectors of as many. */
export const lanes = 8;

/** What all kernels of a generator begin with: where the stream is, and the words of its blocks. */
export function streamHead(generator: GeneratorName, wide: boolean): string {
  const texts = {
    philox: `${macros({ WIDE: wide, ...philoxMacros })}${philox}`,
    threefry: `${macros({ WIDE: wide, PARITY: hex(threefryParity), "ROUNDS(WORD)": threefryRoundsText() })}${threefry}`,
  };
  return `${stream}${texts[generator]}${randomBlock}`;
}

const hex = (word: number): string => `0x${word.toString(16)}u`;

const philoxMacros = {
  ROUNDS: philoxRounds,
  FACTOR: hex(philoxFactors[0]),
  OTHER_FACTOR: hex(philoxFactors[1]),
  STEP: hex(philoxSteps[0]),
  OTHER_STEP: hex(philoxSteps[1]),
};

/** The rounds of words of the type `WORD`, with the keys k0 to k4. */
function threefryRoundsText(): string {
  const statements: string[] = [];
  for (let round = 0; round < threefryRounds; round++) {
    const [first, second] = threefryRotations[round % 8] as readonly [number, number];
    const [i, j] = round % 2 === 0 ? ["b", "d"] : ["d", "b"];
    statements.push(`a += ${i}; ${i} = rotate(${i}, (WORD)(${first})) ^ a;`);
    statements.push(`c += ${j}; ${j} = rotate(${j}, (WORD)(${second})) ^ c;`);
    if (round % 4 !== 3) continue;
    const turn = (round + 1) / 4;
    const keys = ["a", "b", "c", "d"].map((name, k) => `${name} += k${(turn + k) % 5}${k === 3 ? ` + ${turn}u` : ""};`);
    statements.push(keys.join(" "));
  }
  return statements.join(" ");
}
