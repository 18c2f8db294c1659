/** Counts the commands of a launch, and finds out whether one may fail. */
import type { Launcher } from "../launcher.js";
import { memberOf } from "../member-of.js";
import type { ListOrder, Member, Recorder, Step } from "../member.js";

/** Properties of a launcher's commands. */
export interface Survey {
  /** Number of commands; Infinity if only the launch knows. */
  readonly commands: number;
  /** Whether it contains host steps, which may throw. */
  readonly mayFail: boolean;
}

/** Surveys a launcher. Call it after a launch, since sizes may be unknown before. */
export function survey(launcher: Launcher<never>): Survey {
  const counter = new Counter();
  memberOf(launcher).record(counter);
  return counter;
}

class Counter implements Recorder, Survey {
  readonly order = "sequential";
  commands = 0;
  mayFail = false;

  kernel(): void {
    this.commands++;
  }

  copy(): void {
    this.commands++;
  }

  fill(): void {
    this.commands++;
  }

  step({ manyCommands, members }: Step, mayFail: boolean): void {
    if (members === undefined) this.commands += manyCommands === true ? Infinity : 1;
    else this.nested("sequential", members);
    this.mayFail ||= mayFail;
  }

  nested(_order: ListOrder, members: readonly Member[]): void {
    for (const member of members) member.record(this);
  }
}
