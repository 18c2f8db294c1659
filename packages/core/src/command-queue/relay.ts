/**
 * Relays: parts of buffers that a queue reads into messages, which another native addon exchanges for others, and writes back. For
 * `@cl/mpi`, which exchanges them with other processes; see native/commands/relay.cc.
 */
import { checkInstance, wrongState } from "@cl/base";

import { relayHalves } from "../binding/native-relay.js";
import { native } from "../binding/native.js";
import { handleOf, Resource } from "../binding/resource.js";
import { writeRectangle } from "../binding/scratch.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { checkMember, Context } from "../platform/context.js";
import { CommandQueue } from "./command-queue.js";

/** What a relay needs to exist. */
export interface RelayOptions {
  /** The other addon's side: an external value with a `cl_relay_receiver` (native/commands/relay.h). */
  readonly receiver: unknown;
  /** What the other addon knows the relay by. */
  readonly number: number;
  /** Whether there is nothing to hand over, so that turns only copy. @defaultValue false */
  readonly isIdle?: boolean;
}

/** A box of a buffer: origin and region in bytes, rows and slices, pitches in bytes. */
export interface RelayBox {
  readonly origin: readonly [number, number, number];
  readonly region: readonly [number, number, number];
  readonly pitches: readonly [row: number, slice: number];
}

/** A box, and where it is in a message. */
export interface RelayPart extends RelayBox {
  /** What the other addon knows the message by. */
  readonly message: number;
  /** Position in the message, where the part is packed. */
  readonly offset: number;
}

/** Parts that are read, handed over, and written, in one turn per launch. */
export class Relay extends Resource {
  readonly #context: Context;
  /** Kept alive here. */
  readonly #buffers = new Set<DeviceBuffer>();

  constructor(context: Context, { receiver, number, isIdle = false }: RelayOptions) {
    super(native.createRelay(handleOf(checkInstance(context, Context, "context")), receiver, number, isIdle));
    this.#context = context;
  }

  /** Adds a part that each turn reads. */
  read(buffer: DeviceBuffer, part: RelayPart): this {
    native.relayRead(handleOf(this), this.#add(buffer, part), part.message);
    return this;
  }

  /** Adds a part that each turn writes. */
  write(buffer: DeviceBuffer, part: RelayPart): this {
    native.relayWrite(handleOf(this), this.#add(buffer, part), part.message);
    return this;
  }

  /** Adds a box that each turn copies to one of the same region, on the device, after the reads. */
  copy(from: DeviceBuffer, { origin, region, pitches }: RelayBox, to: DeviceBuffer, target: RelayBox): this {
    const handles = [from, to].map((buffer) => this.#handleOf(buffer));
    const [second, secondPitches] = [target.origin, target.pitches];
    writeRectangle({ first: origin, second, region, firstPitches: pitches, secondPitches });
    native.relayCopy(handleOf(this), handles[0] as number, handles[1] as number);
    return this;
  }

  /** Writes the part to the scratch block for the next native call. */
  #add(buffer: DeviceBuffer, { origin, region, pitches, offset }: RelayPart): number {
    const handle = this.#handleOf(buffer);
    const packed = [0, 0] as const;
    const second = [offset, 0, 0] as const;
    writeRectangle({ first: origin, second, region, firstPitches: pitches, secondPitches: packed });
    return handle;
  }

  #handleOf(buffer: DeviceBuffer): number {
    checkMember(buffer, DeviceBuffer, "buffer", this.#context, "relay");
    this.#buffers.add(buffer);
    return handleOf(buffer);
  }

  /** Enqueues a turn. */
  launch(queue: CommandQueue): void {
    native.launchRelay(queueOf(queue), handleOf(this), undefined, relayHalves.whole, false, 0);
  }

  /**
   * Enqueues a turn and returns the event of its last command. On a queue with profiling, `waits`, a `CommandStatistics`, records how
   * long the queue waits for the other addon.
   */
  enqueue(queue: CommandQueue, waitFor?: WaitFor, waits?: Resource): CommandEvent {
    const events = waitHandles(waitFor);
    const statistics = waits === undefined ? 0 : handleOf(waits);
    const written = native.launchRelay(queueOf(queue), handleOf(this), events, relayHalves.whole, true, statistics);
    return eventOf(written as number, queue);
  }

  /**
   * Enqueues the reads, on a queue of the relay's own. Later commands run meanwhile, until {@link end}; they must neither change what
   * is read nor use what is written.
   */
  begin(queue: CommandQueue, waitFor?: WaitFor): void {
    native.launchRelay(queueOf(queue), handleOf(this), waitHandles(waitFor), relayHalves.reads, false, 0);
  }

  /**
   * Enqueues the writes of the turn that {@link begin} started, for which later commands wait. `waits` records how long they wait after
   * the commands between the halves.
   */
  end(queue: CommandQueue, waits?: Resource): CommandEvent {
    const statistics = waits === undefined ? 0 : handleOf(waits);
    const written = native.launchRelay(queueOf(queue), handleOf(this), undefined, relayHalves.writes, true, statistics);
    return eventOf(written as number, queue);
  }
}

function queueOf(queue: CommandQueue): number {
  const handle = handleOf(checkInstance(queue, CommandQueue, "queue"));
  if (queue.outOfOrder) throw wrongState("queue must be in order");
  return handle;
}
