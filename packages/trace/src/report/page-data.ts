/**
 * The trace as embedded in the report page: columns of small integers instead of objects, so that a hundred thousand commands
 * take only a few megabytes. Times are integer nanoseconds; start times are delta-encoded.
 */
import { rowLabel } from "../table/columns.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import type { CommandKind, Trace, TraceCommand, TraceQueue } from "../model/trace.js";

export interface PageData {
  readonly title: string;
  readonly started: string;
  readonly dropped: number;
  readonly queues: readonly TraceQueue[];
  readonly rows: readonly StatisticsRow[];
  /** Distinct combinations of properties that many commands share. */
  readonly forms: readonly CommandForm[];
  readonly commands: {
    /** Indices into `forms`. */
    readonly form: readonly number[];
    readonly started: readonly number[];
    readonly length: readonly number[];
    /** Time from enqueuing to start. */
    readonly queued: readonly number[];
    /** Time from submission to the device to start. */
    readonly submitted: readonly number[];
    /** Indices of failed commands, with the reasons. */
    readonly failed: readonly (readonly [index: number, reason: string])[];
    /** Indices of commands that waited, followed by those that they waited for. */
    readonly waits: readonly (readonly [index: number, ...others: number[]])[];
  };
  readonly spans: {
    readonly names: readonly string[];
    readonly threads: readonly string[];
    readonly name: readonly number[];
    readonly thread: readonly number[];
    readonly started: readonly number[];
    readonly length: readonly number[];
    /** Indices of failed spans, with the reasons. */
    readonly failed: readonly (readonly [index: number, reason: string])[];
  };
  readonly memory: {
    readonly labels: readonly string[];
    readonly label: readonly number[];
    readonly time: readonly number[];
    readonly bytes: readonly number[];
  };
}

/** Properties that many commands share. */
export interface CommandForm {
  readonly name: string;
  readonly kind: CommandKind;
  /** Index of its queue. */
  readonly queue: number;
  readonly launcher?: string;
  readonly global?: readonly number[];
  readonly local?: readonly number[];
  readonly bytes?: number;
}

/** Converts a trace for the page. `thread` is the name of the thread of spans without one. */
export function pageData(trace: Trace, rows: readonly StatisticsRow[], title: string, thread: string): PageData {
  const { commands, hostSpans, memory } = trace;
  const queues = new Map(trace.queues.map(({ id }, index) => [id, index]));
  const forms = new IndexedValues<CommandForm>();
  const names = new IndexedValues<string>();
  const threads = new IndexedValues<string>();
  const labels = new IndexedValues<string>();
  return {
    title,
    started: trace.started,
    dropped: trace.dropped,
    queues: trace.queues,
    rows,
    commands: {
      form: commands.map((command) => {
        const queue = queues.get(command.queue) as number;
        return forms.indexOf(keyOf(command, queue), () => formOf(command, queue));
      }),
      started: differences(commands.map(({ started }) => started)),
      length: commands.map(({ started, ended }) => Math.round(ended) - Math.round(started)),
      queued: commands.map(({ queued, started }) => Math.round(started) - Math.round(queued)),
      submitted: commands.map(({ submitted, started }) => Math.round(started) - Math.round(submitted)),
      failed: failures(commands),
      waits: commands.flatMap(({ waitsFor = [] }, index) =>
        waitsFor.length === 0 ? [] : [[index, ...waitsFor] as const],
      ),
    },
    forms: forms.all,
    spans: {
      name: hostSpans.map(({ name }) => names.indexOf(name, () => name)),
      thread: hostSpans.map((span) => threads.indexOf(span.thread ?? thread, () => span.thread ?? thread)),
      started: differences(hostSpans.map(({ started }) => started)),
      length: hostSpans.map(({ started, ended }) => Math.round(ended) - Math.round(started)),
      failed: failures(hostSpans),
      names: names.all,
      threads: threads.all,
    },
    memory: {
      label: memory.map(({ label }) => labels.indexOf(label, () => label)),
      time: differences(memory.map(({ time }) => time)),
      bytes: memory.map(({ bytes }) => bytes),
      labels: labels.all,
    },
  };
}

/** Returns the key of a kernel of a launcher. Commands and rows of one key have the same color. */
export function groupKey(row: Pick<StatisticsRow, "name" | "launcher" | "kind">): string {
  return `${row.kind}\0${rowLabel(row)}`;
}

/** Distinct values with their indices. */
class IndexedValues<T> {
  readonly #indices = new Map<string, number>();
  readonly #all: T[] = [];

  get all(): readonly T[] {
    return this.#all;
  }

  indexOf(key: string, value: () => T): number {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#indices.set(key, this.#all.length);
    return this.#all.push(value()) - 1;
  }
}

function keyOf({ name, kind, launcher, global, local, bytes }: TraceCommand, queue: number): string {
  // Not JSON, which would take most of the time of a report with a million commands.
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

function failures(items: readonly { readonly failed?: string }[]): (readonly [index: number, reason: string])[] {
  return items.flatMap(({ failed }, index) => (failed === undefined ? [] : [[index, failed] as const]));
}

function differences(times: readonly number[]): number[] {
  let before = 0;
  return times.map((time) => {
    const difference = Math.round(time) - before;
    before = Math.round(time);
    return difference;
  });
}
