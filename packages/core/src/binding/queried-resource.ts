/** Resources that answer info queries of the driver. */
import { checkInteger } from "@cl/base";

import { native } from "./native.js";
import { handleOf, Resource } from "./resource.js";

/** A resource with info queries. */
export abstract class QueriedResource extends Resource {
  /** Returns the driver's raw answer to an info query, which may be a vendor's own. */
  getInfo(param: number): Uint8Array {
    return native.getInfo(handleOf(this), checkInteger(param, "param", 0, 0xffffffff));
  }
}
