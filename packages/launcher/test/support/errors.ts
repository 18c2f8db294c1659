/** Matchers of the errors that most tests expect. */
import { DisposedError } from "@cl/core";

import { errorLike } from "@cl/testing/error-like";

export const wrongType = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", argument);
export const wrongValue = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", argument);
export const outOfRange = (argument?: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", argument);
export const wrongState = (argument?: string): Error => errorLike(TypeError, "ERR_INVALID_STATE", argument);
export const disposed = (): Error => errorLike(DisposedError, "ERR_CL_DISPOSED");
