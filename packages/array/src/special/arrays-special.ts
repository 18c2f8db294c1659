/** Special functions. */
import { ArraysFourier } from "../fft/arrays-fourier.js";
import { SpecialFunctions } from "./special-functions.js";

let functions: SpecialFunctions | undefined;

/** The part of `Arrays` that has special functions. */
export abstract class ArraysSpecial extends ArraysFourier {
  /** The special functions: the error function, the gamma function, Bessel functions and their relatives. */
  get special(): SpecialFunctions {
    return (functions ??= new SpecialFunctions());
  }
}
