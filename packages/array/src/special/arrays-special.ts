/** Special functions. */
import { ArraysFourier } from "../fft/arrays-fourier.js";
import { SpecialFunctions } from "./special-functions.js";

let functions: SpecialFunctions | undefined;

/** The part of `Arrays` with special functions. */
export abstract class ArraysSpecial extends ArraysFourier {
  /** Special functions: error, gamma and Bessel functions, and others. */
  get special(): SpecialFunctions {
    return (functions ??= new SpecialFunctions());
  }
}
