import { checkInstance, typeError } from "@cl/base";
import { CommandEvent, type WaitFor } from "@cl/core";

export function waitList(waitFor: WaitFor): readonly CommandEvent[] {
  if (waitFor === undefined || waitFor === null) return noEvents;
  if (waitFor instanceof CommandEvent) return [waitFor];
  if (!Array.isArray(waitFor)) throw typeError("waitFor", "a CommandEvent, an array of them, or nothing", waitFor);
  return (waitFor as readonly unknown[]).map((event, i) => checkInstance(event, CommandEvent, `waitFor[${i}]`));
}

const noEvents: readonly CommandEvent[] = Object.freeze([]);
