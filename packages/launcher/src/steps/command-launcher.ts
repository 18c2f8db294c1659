import { checkFunction, checkInstance, checkList, checkOptions, rangeError } from "@cl/base";
import { type CommandEvent, type CommandQueue, type CommandStatistics, DeviceBuffer } from "@cl/core";
import { type CommandKind, commandKinds } from "@cl/trace";

import { Launcher } from "../launcher.js";
import { checkName, checkShared, type LauncherOptions } from "../launcher-options.js";
import { type Accesses, accessTo } from "../list/access.js";
import { type Member, prefixError, type Recorder } from "../member.js";
import { MemberStatistics } from "../statistics/member-statistics.js";
import type { LaunchDetails } from "../statistics/tracer.js";

/** Options of a launcher that enqueues its own commands. */
export interface CommandLauncherOptions extends LauncherOptions {
  /** Enqueues the commands, which wait for the events, and returns the event of the last. */
  readonly enqueue: (queue: CommandQueue, waitFor: readonly CommandEvent[]) => CommandEvent;
  /** Enqueues the commands without an event, which may be faster. By default `enqueue` is called. */
  readonly launch?: (queue: CommandQueue) => void;
  /**
   * Enqueues the commands on queues with profiling, and records in `statistics` what the launcher's statistics show. By default
   * `enqueue` is called, and the command of its event recorded.
   */
  readonly enqueueProfiled?: (
    queue: CommandQueue,
    waitFor: readonly CommandEvent[],
    statistics: CommandStatistics,
  ) => CommandEvent;
  /** Kind of the commands in statistics and traces. @defaultValue "other" */
  readonly kind?: CommandKind;
  /** Memory that the commands read. Without `reads` and `writes`, lists assume that they access any memory. */
  readonly reads?: readonly DeviceBuffer[];
  /** Memory that the commands write. */
  readonly writes?: readonly DeviceBuffer[];
  /** Called when the launcher is released. */
  readonly release?: () => void;
}

/**
 * Enqueues commands that a function makes, for libraries whose commands are members of lists.
 *
 * @example
 * ```ts
 * const pause = new CommandLauncher("marker", { enqueue: (queue, waitFor) => queue.enqueueMarker(waitFor) });
 * await new ListLauncher("step").push(pause).enqueue(queue).wait();
 * ```
 */
export class CommandLauncher extends Launcher {
  constructor(name: string, options: CommandLauncherOptions) {
    const checked = checkOptions(options, [
      "enqueue",
      "launch",
      "enqueueProfiled",
      "kind",
      "reads",
      "writes",
      "release",
      "queue",
      "profiler",
      "tracer",
    ]);
    const { enqueue, launch, enqueueProfiled, kind = "other", reads, writes, release, ...others } = checked;
    checkName(name);
    checkFunction(enqueue, "options.enqueue");
    for (const [key, value] of Object.entries({ launch, enqueueProfiled, release })) {
      if (value !== undefined) checkFunction(value, `options.${key}`);
    }
    if (!commandKinds.includes(kind)) throw rangeError("options.kind", `one of ${commandKinds.join(", ")}`, kind);
    const accesses =
      reads === undefined && writes === undefined
        ? undefined
        : [...accessesTo(reads ?? [], "options.reads", false), ...accessesTo(writes ?? [], "options.writes", true)];
    const commands = { enqueue, launch, enqueueProfiled, release, accesses };
    super(name, new CommandMember(name, kind, commands), checkShared(others));
  }
}

function accessesTo(buffers: readonly DeviceBuffer[], name: string, isWritten: boolean): NonNullable<Accesses> {
  return checkList(buffers, name, "buffers").map((buffer, i) =>
    accessTo(checkInstance(buffer, DeviceBuffer, `${name}[${i}]`), isWritten),
  );
}

interface Commands {
  readonly enqueue: CommandLauncherOptions["enqueue"];
  readonly launch: CommandLauncherOptions["launch"];
  readonly enqueueProfiled: CommandLauncherOptions["enqueueProfiled"];
  readonly release: (() => void) | undefined;
  readonly accesses: Accesses;
}

class CommandMember implements Member {
  readonly displayName: string;
  readonly uses = [] as const;
  readonly version = 0;
  readonly globalSizeConfigured = true;
  readonly statistics: MemberStatistics;
  readonly #commands: Commands;

  constructor(name: string, kind: CommandKind, commands: Commands) {
    this.displayName = `launcher "${name}"`;
    this.statistics = new MemberStatistics(name, kind);
    this.#commands = commands;
  }

  setParameters(): void {
    // No parameters.
  }

  launch(queue: CommandQueue): void {
    const { launch } = this.#commands;
    if (launch === undefined || queue.profiling) {
      this.enqueue(queue, []).release();
      return;
    }
    try {
      launch(queue);
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  enqueue(queue: CommandQueue, waitFor: readonly CommandEvent[]): CommandEvent {
    const { enqueue, enqueueProfiled } = this.#commands;
    try {
      if (!queue.profiling) return enqueue(queue, waitFor);
      const { commands } = this.statistics;
      if (enqueueProfiled !== undefined) return enqueueProfiled(queue, waitFor, commands);
      const event = enqueue(queue, waitFor);
      commands.add(event);
      return event;
    } catch (error) {
      throw prefixError(this.displayName, error);
    }
  }

  record(recorder: Recorder): void {
    recorder.step(this, false);
  }

  describe(): LaunchDetails {
    return { args: [] };
  }

  accesses(): Accesses {
    return this.#commands.accesses;
  }

  release(): void {
    this.#commands.release?.();
  }
}
