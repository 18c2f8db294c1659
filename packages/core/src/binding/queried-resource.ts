/** Resources with info queries. */
import { checkInteger } from "@cl/base";

import { native } from "./native.js";
import { handleOf, Resource } from "./resource.js";

/** Base class of objects that support OpenCL info queries. */
export abstract class QueriedResource extends Resource {
  /** Returns the raw result of an info query; `param` may be a vendor extension. */
  getInfo(param: number): Uint8Array {
    return native.getInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }
}
