/** What is said, once, where no table has an answer. */
import type { DeviceFacts } from "./facts.js";

/**
 * No table knows the device. It is published with `process.emitWarning`, once for each device and question, and never
 * thrown; `process.on("warning", …)` sees it.
 */
export class CharacterizationWarning extends Error {
  /** A stable code for programs. */
  readonly code = "WARN_CL_CHARACTERIZATION";
  /** The function that was asked, such as `"localMemoryBankCount"`. */
  readonly question: string;
  /** The device's name. */
  readonly device: string;

  constructor(question: string, device: string, message: string) {
    super(message);
    this.name = "CharacterizationWarning";
    this.question = question;
    this.device = device;
  }
}

const said = new WeakMap<DeviceFacts, Set<string>>();

/** Publishes that a question has no answer, unless it has been published of this device before. */
function warnOnce(facts: DeviceFacts, question: string, problem: string): void {
  let questions = said.get(facts);
  if (questions === undefined) said.set(facts, (questions = new Set()));
  if (questions.has(question)) return;
  questions.add(question);
  process.emitWarning(new CharacterizationWarning(question, facts.name, `${question} of '${facts.name}': ${problem}`));
}

/** Publishes that no table has the device, and what gives the figure instead. */
export function warnOfNoEntry(facts: DeviceFacts, question: string, remedy: string): undefined {
  warnOnce(facts, question, `no table has this device, so the answer is undefined; ${remedy}`);
  return undefined;
}
