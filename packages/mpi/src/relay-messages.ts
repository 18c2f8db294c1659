/** Messages that the turns of a relay send and receive. */
import { checkInteger } from "@cl/base";

import { native } from "./native.js";

/** A message to or from another rank. */
export interface RelayMessage {
  readonly isSend: boolean;
  readonly peer: number;
  readonly tag: number;
  /** None is sent if this is 0. */
  readonly bytes: number;
}

/** An operation in the engine: its number, and whether it sends and receives nothing. */
export interface EngineOperation {
  readonly number: number;
  readonly isIdle: boolean;
}

/** MPI counts bytes in 32 bits. Some follow each message; see native/exchange.h. */
const maxBytes = 2 ** 31 - 128;

/** Adds messages to the engine. The parts of a relay know each by its position in the list. */
export function addRelayMessages(
  name: string,
  communicator: number,
  messages: readonly RelayMessage[],
): EngineOperation {
  const numbers = messages.flatMap(({ isSend, peer, tag, bytes }) => [
    Number(isSend),
    peer,
    tag,
    checkInteger(bytes, "bytes of a message", 0, maxBytes),
  ]);
  const sharesMemory = process.env["CL_MPI_SHARED_MEMORY"] !== "0";
  const number = native.addExchange(name, communicator, Float64Array.from(numbers), sharesMemory);
  return { number, isIdle: messages.every(({ bytes }) => bytes === 0) };
}
