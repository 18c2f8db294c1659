/**
 * Keeps host memory alive while a command uses it, if native code cannot pin it: the array stays referenced until the
 * command has completed. This does not protect an ArrayBuffer that is transferred in the meantime.
 */
import { expectOnce } from "./completion.js";
import { CommandStatus } from "./constants.js";
import { type Handle, native } from "./native.js";

const held = new Set<object>();

/** Keeps `memory` alive until the event completes. Does nothing if native code pins it. */
export function holdUntil(event: Handle, memory: object): void {
  if (native.canPin()) return;
  hold(event, memory);
}

/** Keeps `memory` alive until the event completes. */
export function hold(event: Handle, memory: object): void {
  // A separate entry per command, because several commands may use the same array.
  const entry = { memory };
  held.add(entry);
  expectOnce(
    () => held.delete(entry),
    (id) => native.watchEvent(event, CommandStatus.COMPLETE, id),
    false,
    event,
  );
}

/**
 * Returns a value whose references keep the memory of an array, even if its ArrayBuffer is transferred. For
 * other native addons of this repository.
 */
export function pinMemory(array: ArrayBufferView): unknown {
  return native.pinMemory(array) ?? array;
}

/** Returns the number of arrays kept alive; for tests. */
export function heldCount(): number {
  return held.size;
}
