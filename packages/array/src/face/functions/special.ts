/** `xp.special`. */
import { SpecialFunctions } from "../special-functions.js";
import { Arrays } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

let functions: SpecialFunctions | undefined;

/** Access to the special functions. */
class SpecialAccess {
  /** Special functions: error, gamma and Bessel functions, and others. */
  get special(): SpecialFunctions {
    return (functions ??= new SpecialFunctions());
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends SpecialAccess {}
}
addMethods(Arrays, SpecialAccess);
