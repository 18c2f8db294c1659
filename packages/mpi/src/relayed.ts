/** Launchers whose commands read memory, let the engine run an operation of MPI, and write memory. */
import { wrongState } from "@cl/base";
import type { CommandQueue, DeviceBuffer } from "@cl/core";
import { Relay } from "@cl/core/internal";
import { CommandLauncher, type Launcher } from "@cl/launcher";

import { native } from "./native.js";
import type { EngineOperation } from "./relay-messages.js";
import { checkRunning, isRunning } from "./state.js";

/** An operation in the engine, and the relay that runs it, which exists from the first launch on. */
interface Operation extends EngineOperation {
  relay: Relay | undefined;
  /** Memory of the launcher's own. */
  readonly memory: DeviceBuffer | undefined;
}

/** The engine removes the operation of a relay when all of its turns have ended. */
function remove({ number, relay, memory }: Operation): void {
  relay?.release();
  memory?.release();
  // MPI frees nothing after its end.
  if (relay === undefined && isRunning()) native.removeRelayed(number);
}

const collected = new FinalizationRegistry(remove);

/** The operation of a launcher. */
export class Relayed {
  readonly #description: string;
  readonly #operation: Operation;
  readonly #addParts: (relay: Relay) => void;
  #isReleased = false;

  /**
   * @param addParts - adds what is read and written
   * @param memory - memory of the launcher's own, which is released with it
   */
  constructor(
    description: string,
    operation: EngineOperation,
    addParts: (relay: Relay) => void,
    memory?: DeviceBuffer,
  ) {
    this.#description = description;
    this.#operation = { ...operation, relay: undefined, memory };
    this.#addParts = addParts;
    collected.register(this, this.#operation, this);
  }

  /** Returns the relay for a queue. */
  for({ context }: CommandQueue): Relay {
    if (this.#isReleased) throw wrongState(`${this.#description} was released`);
    checkRunning();
    const operation = this.#operation;
    if (operation.relay === undefined) {
      const { number, isIdle } = operation;
      operation.relay = new Relay(context, { receiver: native.receiver(), number, isIdle });
      this.#addParts(operation.relay);
    }
    return operation.relay;
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    collected.unregister(this);
    remove(this.#operation);
  }

  /** Returns a launcher of whole turns. */
  launcher(name: string, reads: readonly DeviceBuffer[], writes: readonly DeviceBuffer[]): Launcher {
    return new CommandLauncher(name, {
      launch: (queue) => this.for(queue).launch(queue),
      enqueue: (queue, waitFor) => this.for(queue).enqueue(queue, waitFor),
      enqueueProfiled: (queue, waitFor, statistics) => this.for(queue).enqueue(queue, waitFor, statistics),
      kind: "wait",
      reads,
      writes,
      release: () => this.release(),
    });
  }
}
