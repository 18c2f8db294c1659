/** Local memory as a kernel argument. */
import { checkInteger } from "@cl/base";

/** So many bytes of a work-group's local memory, for a `__local` pointer. */
export class LocalMemory {
  /** What the type checker knows it by; see typed/c-types.ts. */
  declare readonly "~argument": "local";

  /** Its size in bytes. */
  readonly bytes: number;

  constructor(bytes: number) {
    this.bytes = checkInteger(bytes, "bytes", 1);
    Object.freeze(this);
  }
}
