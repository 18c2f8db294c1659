/** The warning about devices that are in no table. */
import type { DeviceFacts } from "./facts.js";

/**
 * A warning that a device is in no table. It is emitted with `process.emitWarning`, once per device and function, and
 * never thrown. Listen with `process.on("warning", …)`.
 */
export class CharacterizationWarning extends Error {
  /** Stable code of the warning. */
  readonly code = "WARN_CL_CHARACTERIZATION";
  /** Name of the called function, such as `"localMemoryBankCount"`. */
  readonly question: string;
  /** Name of the device. */
  readonly device: string;

  constructor(question: string, device: string, message: string) {
    super(message);
    this.name = "CharacterizationWarning";
    this.question = question;
    this.device = device;
  }
}

const warned = new WeakMap<DeviceFacts, Set<string>>();

/** Emits a warning, once per device and function. */
function warnOnce(facts: DeviceFacts, question: string, problem: string): void {
  let questions = warned.get(facts);
  if (questions === undefined) warned.set(facts, (questions = new Set()));
  if (questions.has(question)) return;
  questions.add(question);
  process.emitWarning(new CharacterizationWarning(question, facts.name, `${question} of '${facts.name}': ${problem}`));
}

/** Warns that the device is in no table. `remedy` tells how to get the value. */
export function warnOfNoEntry(facts: DeviceFacts, question: string, remedy: string): undefined {
  warnOnce(facts, question, `the device is in no table, so the result is undefined; ${remedy}`);
  return undefined;
}
