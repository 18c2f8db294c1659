/** Local memory as a kernel argument. */
import { checkInteger } from "@cl/base";

/** A size of local memory, as the argument for a `__local` pointer. */
export class LocalMemory {
  /** Type-level tag; see typed/c-types.ts. */
  declare readonly "~argument": "local";

  /** Size in bytes per work-group. */
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = checkInteger(bytes, "bytes", 1);
    Object.freeze(this);
  }
}
