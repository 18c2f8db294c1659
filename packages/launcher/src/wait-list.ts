import { checkInstance, typeError } from "@cl/base";
import { CommandEvent, type WaitFor } from "@cl/core";

/** The events of a `waitFor`, checked. */
export function waitList(waitFor: WaitFor): readonly CommandEvent[] {
  if (waitFor === undefined || waitFor === null) return none;
  if (waitFor instanceof CommandEvent) return [waitFor];
  if (!Array.isArray(waitFor)) throw typeError("waitFor", "a CommandEvent, an array of them, or nothing", waitFor);
  return (waitFor as readonly unknown[]).map((event, i) => checkInstance(event, CommandEvent, `waitFor[${i}]`));
}

const none: readonly CommandEvent[] = Object.freeze([]);
