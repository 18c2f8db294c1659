/** Programs by context and text, for those who wait and those who cannot. */
import type { CompilerOptions, Context, Program } from "@cl/core";

import { FirstArgCache } from "../memoize/first-arg-cache.js";

/** Keeps each program once, for as long as its context lives. */
export class ProgramCache {
  readonly #slots = new FirstArgCache<Slot>();

  /** The program; `make` builds it if it is not there. Who asks while it is built gets the same one. */
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

  /** The program, built while everything else stands still if it is not there. */
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
      // Somebody who could not wait may have been faster.
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
