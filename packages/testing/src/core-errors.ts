/** Matchers of errors whose classes are in core. */
import { DisposedError, NotSupportedError } from "@cl/core";

import { errorLike } from "./error-like.js";

export const disposed = (argument?: string): Error => errorLike(DisposedError, "ERR_CL_DISPOSED", argument);
export const notSupported = (): Error => errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED");
