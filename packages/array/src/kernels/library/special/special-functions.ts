/** All special functions in OpenCL C, by name. */
import { functionsOf } from "../functions-of.js";
import airy from "./airy-functions.cl";
import bessel from "./bessel-functions.cl";
import { besselFunctionsOf } from "./bessel-orders.js";
import complexBessel from "./complex-bessel-functions.cl";
import error from "./error-functions.cl";
import gamma from "./gamma-functions.cl";
import integral from "./integral-functions.cl";
import probability from "./probability-functions.cl";

/** A program has those that its text names. */
export const specialFunctions: Readonly<Record<string, string>> = {
  ...functionsOf(error),
  ...functionsOf(gamma),
  ...functionsOf(bessel),
  ...besselFunctionsOf(0),
  ...besselFunctionsOf(1),
  ...functionsOf(complexBessel),
  ...functionsOf(airy),
  ...functionsOf(integral),
  ...functionsOf(probability),
};
