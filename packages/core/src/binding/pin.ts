/**
 * Keeps host memory while a device uses it, where native code cannot pin it itself: the array stays referenced until
 * the command has completed. An ArrayBuffer that is transferred meanwhile is then not protected.
 */
import { expectOnce } from "./completion.js";
import { CommandStatus } from "./constants.js";
import { type Handle, native } from "./native.js";

const held = new Set<object>();

/** Holds `memory` until the event completes; does nothing where native code pins. */
export function holdUntil(event: Handle, memory: object): void {
  if (native.canPin()) return;
  hold(event, memory);
}

/** Holds `memory` until the event completes. */
export function hold(event: Handle, memory: object): void {
  // A box of its own, since the same array may be in several commands.
  const box = { memory };
  held.add(box);
  expectOnce(
    () => held.delete(box),
    (id) => native.watchEvent(event, CommandStatus.COMPLETE, id),
    false,
    event,
  );
}

/** How many arrays are held; for tests. */
export function heldCount(): number {
  return held.size;
}
