/** Ends an attempt that would have to read results whose kernels were left out. It never reaches users. */
export class NotBuiltError extends Error {
  override readonly name = "NotBuiltError";

  constructor() {
    super("the kernels of this computation are not built");
  }
}
