/** Launchers whose commands read memory, let the engine run an operation of MPI, and write memory. */
import { wrongState } from "@cl/base";
import type { CommandQueue, DeviceBuffer } from "@cl/core";
import { Relay } from "@cl/core/internal";
import { CommandLauncher, type Launcher } from "@cl/launcher";

import { native } from "./native.js";

/** The relay of a launcher, which exists from its first launch on. */
export class Relayed {
  readonly #description: string;
  readonly #number: number;
  readonly #host: Uint8Array<ArrayBuffer>;
  readonly #addParts: (relay: Relay) => void;
  readonly #memory: DeviceBuffer | undefined;
  #relay: Relay | undefined;
  #isReleased = false;

  /**
   * @param number - the operation in the engine
   * @param host - its memory
   * @param addParts - adds what is read and written
   * @param memory - memory of the launcher's own, which is released with it
   */
  constructor(
    description: string,
    number: number,
    host: Uint8Array<ArrayBuffer>,
    addParts: (relay: Relay) => void,
    memory?: DeviceBuffer,
  ) {
    this.#description = description;
    this.#number = number;
    this.#host = host;
    this.#addParts = addParts;
    this.#memory = memory;
  }

  /** Returns the relay for a queue. */
  for({ context }: CommandQueue): Relay {
    if (this.#isReleased) throw wrongState(`${this.#description} was released`);
    if (this.#relay === undefined) {
      this.#relay = new Relay(context, { host: this.#host, receiver: native.receiver(), number: this.#number });
      this.#addParts(this.#relay);
    }
    return this.#relay;
  }

  release(): void {
    this.#isReleased = true;
    this.#relay?.release();
    this.#memory?.release();
    native.removeRelayed(this.#number);
  }

  /** Returns a launcher of whole turns. */
  launcher(name: string, reads: readonly DeviceBuffer[], writes: readonly DeviceBuffer[]): Launcher {
    return new CommandLauncher(name, {
      launch: (queue) => this.for(queue).launch(queue),
      enqueue: (queue, waitFor) => this.for(queue).enqueue(queue, waitFor),
      reads,
      writes,
      release: () => this.release(),
    });
  }
}
