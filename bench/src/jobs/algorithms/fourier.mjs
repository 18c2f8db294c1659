// Fourier transforms of complex64, for the power of two nearest to the size and for the size.
import { sized } from "../array/sized.mjs";

const allPeers = ["cpp", "numpy", "cupy"];

/** @type {readonly import("../../job.mjs").Job[]} */
export const fourier = [
  // The C++ peer calls clFFT.
  ...sized("fft", allPeers, { cpp: 1.3, numpy: 1, cupy: 2 }),
  ...sized("fft-decimal", allPeers),
];
