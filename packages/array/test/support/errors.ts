/** Matchers of errors of wrong arguments, by the argument's name. */
import { errorLike } from "@cl/testing/error-like";

export const outOfRange = (argument?: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", argument);
export const wrongType = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", argument);
export const wrongValue = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", argument);
export const wrongState = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_STATE", argument);
