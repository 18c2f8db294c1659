// The jobs of @cl/array's algorithms, a separate group. The targets are those of the design.
import { fourier } from "./fourier.mjs";
import { products } from "./products.mjs";
import { random } from "./random.mjs";
import { scans } from "./scans.mjs";
import { sorts } from "./sorts.mjs";

/** The measured package. */
export const measures = "array";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...scans, ...sorts, ...fourier, ...products, ...random];
