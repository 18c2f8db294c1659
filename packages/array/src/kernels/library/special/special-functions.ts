/** All special functions in OpenCL C, by name. */
import { airyFunctions } from "./airy-functions.js";
import { besselFunctions } from "./bessel-functions.js";
import { complexBesselFunctions } from "./complex-bessel-functions.js";
import { errorFunctions } from "./error-functions.js";
import { gammaFunctions } from "./gamma-functions.js";
import { integralFunctions } from "./integral-functions.js";
import { probabilityFunctions } from "./probability-functions.js";

/** A program has those that its text names. */
export const specialFunctions: Readonly<Record<string, string>> = {
  ...errorFunctions,
  ...gammaFunctions,
  ...besselFunctions,
  ...complexBesselFunctions,
  ...airyFunctions,
  ...integralFunctions,
  ...probabilityFunctions,
};
