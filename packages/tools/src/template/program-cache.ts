/** A cache of programs by context and source, for asynchronous and synchronous builds. */
import type { CompilerOptions, Context, Program } from "@cl/core";

import { FirstArgCache } from "../memoize/first-arg-cache.js";

/** A cache of programs with the lifetime of their context. */
export class ProgramCache {
  readonly #slots = new FirstArgCache<Slot>();

  /** Returns the cached program or builds it with `make`. Concurrent calls share one build. */
  get(
    context: Context,
    source: string,
    options: CompilerOptions | undefined,
    make: () => Promise<Program>,
  ): Promise<Program> {
    const slot = this.#slot(context, source, options);
    if (isLive(slot.program)) return Promise.resolve(slot.program);
    slot.pending ??= this.#fill(slot, make);
    return slot.pending;
  }

  getSync(context: Context, source: string, options: CompilerOptions | undefined, make: () => Program): Program {
    const slot = this.#slot(context, source, options);
    if (!isLive(slot.program)) slot.program = make();
    return slot.program;
  }

  #slot(context: Context, source: string, options: CompilerOptions | undefined): Slot {
    return this.#slots.get(context, [source, options], () => ({ program: undefined, pending: undefined }));
  }

  async #fill(slot: Slot, make: () => Promise<Program>): Promise<Program> {
    try {
      const program = await make();
      // A synchronous build may have finished first.
      if (!isLive(slot.program)) slot.program = program;
      return slot.program;
    } finally {
      slot.pending = undefined;
    }
  }
}

interface Slot {
  program: Program | undefined;
  pending: Promise<Program> | undefined;
}

function isLive(program: Program | undefined): program is Program {
  return program?.released === false;
}
