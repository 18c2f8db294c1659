/**
 * OpenCL C of random permutations: a Feistel network over pairs of digits, applied repeatedly until the result is a
 * valid index (cycle walking). So each element is computed independently, without sorting. There are hardly more pairs
 * than indices.
 */
import { macros } from "../kernels/macros.js";
import permutation from "./permutation.cl";

/** Number of rounds of the Feistel network, each with a key of 32 bits. */
export const permutationRounds = 16;

/** Work-items of GPUs have one index each, those of processors have parts, eight indices at a time. */
export function permutationSource(loops: boolean): string {
  return `${macros({ LOOPS: loops, ROUNDS: permutationRounds })}${permutation}`;
}
