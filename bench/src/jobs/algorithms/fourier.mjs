// Fourier transforms of complex64: of the power of two that is next to the size, and of the size itself.
import { sized } from "../array/sized.mjs";

const everybody = ["cpp", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const fourier = [
  // C++ is a program that calls clFFT.
  ...sized("fft", everybody, { cpp: 1.3, numpy: 1, cupy: 2 }),
  ...sized("fft-decimal", everybody),
];
