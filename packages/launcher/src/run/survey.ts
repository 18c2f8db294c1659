/** How many commands a launch puts on a queue, and whether a step of it may fail by itself. */
import type { Launcher } from "../launcher.js";
import { memberOf } from "../member-of.js";
import type { ListOrder, Member, Recorder, Step } from "../member.js";

/** What is known of a launcher's commands. */
export interface Survey {
  /** Infinite where only the launch knows. */
  readonly commands: number;
  /** True if it has host steps, which may throw. */
  readonly mayFail: boolean;
}

/** To be asked after a launch, since sizes may be known only then. */
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

  step({ manyCommands }: Step, mayFail: boolean): void {
    this.commands += manyCommands === true ? Infinity : 1;
    this.mayFail ||= mayFail;
  }

  nested(_order: ListOrder, members: readonly Member[]): void {
    for (const member of members) member.record(this);
  }
}
