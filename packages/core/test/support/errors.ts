/** Matchers of the package's errors, by the name of the argument in the message. */
import { DisposedError, NotSupportedError } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

export const wrongType = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", argument);
export const wrongValue = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", argument);
export const wrongState = (): Error => errorLike(TypeError, "ERR_INVALID_STATE");
export const outOfRange = (argument?: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", argument);
export const disposed = (argument?: string): Error => errorLike(DisposedError, "ERR_CL_DISPOSED", argument);
export const notSupported = (): Error => errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED");
