/**
 * A trace as the page of the report carries it: columns of small integers instead of objects, since a hundred thousand
 * commands are to be a few megabytes. Times are whole nanoseconds, those of beginnings as differences to the one before.
 */
import { rowLabel } from "./columns.js";
import type { StatisticsRow } from "./statistics-row.js";
import type { CommandKind, Trace, TraceCommand, TraceQueue } from "./trace.js";

/** What the page is made from. */
export interface PageData {
  readonly title: string;
  readonly started: string;
  readonly dropped: number;
  readonly queues: readonly TraceQueue[];
  readonly rows: readonly StatisticsRow[];
  /** What many commands have in common, once. */
  readonly forms: readonly CommandForm[];
  readonly commands: {
    /** Its place in `forms`. */
    readonly form: readonly number[];
    readonly started: readonly number[];
    readonly length: readonly number[];
    /** How long before its beginning it was enqueued. */
    readonly queued: readonly number[];
    /** How long before its beginning it was handed to the device. */
    readonly submitted: readonly number[];
    /** The places of those that failed, and why. */
    readonly failed: readonly (readonly [place: number, reason: string])[];
    /** The places of those that waited for others, and of the others. */
    readonly waits: readonly (readonly [place: number, ...others: number[]])[];
  };
  readonly spans: {
    readonly names: readonly string[];
    readonly threads: readonly string[];
    readonly name: readonly number[];
    readonly thread: readonly number[];
    readonly started: readonly number[];
    readonly length: readonly number[];
  };
  readonly memory: {
    readonly labels: readonly string[];
    readonly label: readonly number[];
    readonly time: readonly number[];
    readonly bytes: readonly number[];
  };
}

/** What many commands have in common. */
export interface CommandForm {
  readonly name: string;
  readonly kind: CommandKind;
  /** The place of its queue. */
  readonly queue: number;
  readonly launcher?: string;
  readonly global?: readonly number[];
  readonly local?: readonly number[];
  readonly bytes?: number;
}

/** The trace for the page. `thread` is what the one of spans that name none is called. */
export function pageData(trace: Trace, rows: readonly StatisticsRow[], title: string, thread: string): PageData {
  const { commands, hostSpans, memory } = trace;
  const queues = new Map(trace.queues.map(({ id }, place) => [id, place]));
  const forms = new Places<CommandForm>();
  const [names, threads, labels] = [new Places<string>(), new Places<string>(), new Places<string>()];
  return {
    title,
    started: trace.started,
    dropped: trace.dropped,
    queues: trace.queues,
    rows,
    commands: {
      form: commands.map((command) => {
        const queue = queues.get(command.queue) as number;
        return forms.of(keyOf(command, queue), () => formOf(command, queue));
      }),
      started: differences(commands.map(({ started }) => started)),
      length: commands.map(({ started, ended }) => Math.round(ended) - Math.round(started)),
      queued: commands.map(({ queued, started }) => Math.round(started) - Math.round(queued)),
      submitted: commands.map(({ submitted, started }) => Math.round(started) - Math.round(submitted)),
      failed: commands.flatMap(({ failed }, place) => (failed === undefined ? [] : [[place, failed] as const])),
      waits: commands.flatMap(({ waitsFor = [] }, place) =>
        waitsFor.length === 0 ? [] : [[place, ...waitsFor] as const],
      ),
    },
    forms: forms.all,
    spans: {
      name: hostSpans.map(({ name }) => names.of(name, () => name)),
      thread: hostSpans.map((span) => threads.of(span.thread ?? thread, () => span.thread ?? thread)),
      started: differences(hostSpans.map(({ started }) => started)),
      length: hostSpans.map(({ started, ended }) => Math.round(ended) - Math.round(started)),
      names: names.all,
      threads: threads.all,
    },
    memory: {
      label: memory.map(({ label }) => labels.of(label, () => label)),
      time: differences(memory.map(({ time }) => time)),
      bytes: memory.map(({ bytes }) => bytes),
      labels: labels.all,
    },
  };
}

/** Which commands and rows are of one kernel of one launcher: they have a color. */
export function groupKey(of: Pick<StatisticsRow, "name" | "launcher" | "kind">): string {
  return `${of.kind}\0${rowLabel(of)}`;
}

/** Different values, each with its place. */
class Places<T> {
  readonly #places = new Map<string, number>();
  readonly #all: T[] = [];

  get all(): readonly T[] {
    return this.#all;
  }

  of(key: string, value: () => T): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.#all.length);
    return this.#all.push(value()) - 1;
  }
}

function keyOf({ name, kind, launcher, global, local, bytes }: TraceCommand, queue: number): string {
  // Not JSON, which would take most of the time that a report of a million commands does.
  return `${name}\0${launcher ?? ""}\0${kind}\0${queue}\0${bytes ?? ""}\0${global?.join() ?? ""}\0${local?.join() ?? ""}`;
}

function formOf(command: TraceCommand, queue: number): CommandForm {
  const { name, kind, launcher, global, local, bytes } = command;
  return {
    name,
    kind,
    queue,
    ...(launcher === undefined ? {} : { launcher }),
    ...(global === undefined ? {} : { global }),
    ...(local === undefined ? {} : { local }),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

function differences(times: readonly number[]): number[] {
  let before = 0;
  return times.map((time) => {
    const difference = Math.round(time) - before;
    before = Math.round(time);
    return difference;
  });
}
