// The jobs of the algorithms of @cl/array, which are a group for themselves. The targets are those of its design.
import { fourier } from "./fourier.mjs";
import { products } from "./products.mjs";
import { random } from "./random.mjs";
import { scans } from "./scans.mjs";
import { sorts } from "./sorts.mjs";

/** They measure no package of this name. */
export const measures = "array";

/** @type {readonly import("../../job.mjs").Job[]} */
export const jobs = [...scans, ...sorts, ...fourier, ...products, ...random];
