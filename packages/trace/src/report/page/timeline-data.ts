/** Unpacks the page's data into typed arrays for drawing. */
import { separateLanes, inOrder, nestedLanes } from "../../model/lanes.js";
import { type CommandForm, groupKey, type PageData } from "../page-data.js";
import type { StatisticsRow } from "../../model/statistics-row.js";
import { intoRows, queueTitle, rowTitle, threadsInOrder } from "../../model/tracks.js";

/** A row of the timeline: items that do not overlap, by start time. */
export interface TimelineRow {
  readonly kind: "command" | "span";
  readonly label: string;
  /** Section title: the device, or the host. */
  readonly section: string;
  /** Index of each item in all commands or spans. */
  readonly ids: Uint32Array;
  readonly started: Float64Array;
  readonly ended: Float64Array;
  /** Cumulative duration before each item, with one more entry than items. */
  readonly busy: Float64Array;
  /** Group of each item, which determines its color. */
  readonly group: Uint32Array;
  /** Start times of the items that failed. */
  readonly failures: Float64Array;
}

export interface MemoryCurve {
  readonly label: string;
  readonly time: Float64Array;
  readonly bytes: Float64Array;
  readonly max: number;
}

/** A group of commands with a color and a table row: those of one kernel of one launcher. */
export interface Group {
  readonly key: string;
  readonly row: StatisticsRow | undefined;
  readonly label: string;
}

/** Data of the page. */
export interface TimelineData {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly TimelineRow[];
  readonly memory: readonly MemoryCurve[];
  readonly groups: readonly Group[];
  readonly commands: Commands;
  readonly spanNames: readonly string[];
  /** Index of each span's name. */
  readonly spanName: Uint32Array;
  readonly failedSpans: ReadonlyMap<number, string>;
  /** Time from enqueuing and submission to the start of each command. */
  readonly queuedBefore: readonly number[];
  readonly submittedBefore: readonly number[];
}

/** Commands by index. */
export interface Commands {
  readonly count: number;
  readonly started: Float64Array;
  readonly ended: Float64Array;
  readonly form: Uint32Array;
  readonly forms: readonly CommandForm[];
  /** Group of each form. */
  readonly groupOf: Uint32Array;
  readonly failed: ReadonlyMap<number, string>;
  readonly waitsFor: ReadonlyMap<number, readonly number[]>;
  readonly waitedBy: ReadonlyMap<number, readonly number[]>;
  /** Index of the timeline row of each command. */
  readonly row: Uint32Array;
}

/** Unpacks the data. */
export function timelineData(data: PageData): TimelineData {
  const { groups, groupOf } = groupsOf(data);
  const { commands } = data;
  const started = sums(commands.started);
  const ended = started.map((time, id) => time + (commands.length[id] as number));
  const form = Uint32Array.from(commands.form);
  const group = form.map((item) => groupOf[item] as number);
  const failed = new Map(commands.failed);
  const failedSpans = new Map(data.spans.failed);
  const spans = spanRows(data, spanGroups(data, groups), failedSpans);
  const rows = [...spans.rows, ...commandRows(data, { started, ended, form, group, failed })];
  const row = new Uint32Array(started.length);
  for (const [index, { kind, ids }] of rows.entries()) {
    if (kind === "command") for (const id of ids) row[id] = index;
  }
  const memory = memoryCurves(data);
  const { waitsFor, waitedBy } = waits(commands.waits);
  return {
    ...rangeOf(rows, memory),
    rows,
    memory,
    groups,
    commands: {
      count: started.length,
      started,
      ended,
      form,
      forms: data.forms,
      groupOf,
      failed,
      waitsFor,
      waitedBy,
      row,
    },
    spanNames: data.spans.names,
    spanName: Uint32Array.from(data.spans.name),
    failedSpans,
    queuedBefore: commands.queued,
    submittedBefore: commands.submitted,
  };
}

/** Returns groups for the table's rows, device before host, then for commands without a row, since a profiler's statistics may exclude some. */
function groupsOf({ rows, forms }: PageData): { groups: Group[]; groupOf: Uint32Array } {
  const groups: Group[] = [];
  const ids = new Map<string, number>();
  const add = (key: string, label: string, row?: StatisticsRow): number => {
    const existing = ids.get(key);
    if (existing !== undefined) return existing;
    ids.set(key, groups.length);
    return groups.push({ key, label, row }) - 1;
  };
  const label = (key: string): string => key.slice(key.indexOf("\0") + 1);
  const isHost = ({ kind }: StatisticsRow): number => Number(kind === "host");
  for (const row of Array.from(rows).sort((a, b) => isHost(a) - isHost(b) || (b.total || 0) - (a.total || 0))) {
    const key = groupKey(row);
    add(key, label(key), row);
  }
  const groupOf = Uint32Array.from(forms, (form) => {
    const key = groupKey(form);
    return add(key, label(key));
  });
  return { groups, groupOf };
}

interface Columns {
  readonly started: Float64Array;
  readonly ended: Float64Array;
  readonly form: Uint32Array;
  readonly group: Uint32Array;
  readonly failed: ReadonlyMap<number, string>;
}

function commandRows({ queues, forms }: PageData, { started, ended, form, group, failed }: Columns): TimelineRow[] {
  const members = queues.map((): number[] => []);
  for (const [id, item] of form.entries()) members[forms[item]?.queue as number]?.push(id);
  return queues.flatMap((queue, index) => {
    const ids = Uint32Array.from(members[index] as number[]);
    const [from, to] = [gather(ids, started), gather(ids, ended)];
    const { lane, count } = separateLanes(from, to);
    const rows = intoRows(lane, count, inOrder(from, to, 1));
    return rows.map((row, number) => {
      const rowIds = gatherIds(row, ids);
      return {
        kind: "command",
        section: queue.device,
        label: rowTitle(queueTitle(queue), number, rows.length),
        ...timesOf(rowIds, started, ended, failed),
        group: rowIds.map((id) => group[id] as number),
      };
    });
  });
}

/** Returns the group of each span's name: that of the host step with this name, otherwise a separate color. */
function spanGroups({ spans }: PageData, groups: readonly Group[]): number[] {
  const existing = new Map(groups.map(({ key }, group) => [key, group]));
  return spans.names.map((name, index) => existing.get(groupKey({ kind: "host", name })) ?? groups.length + index);
}

/** Returns the rows of host spans. Nested spans are in separate rows below. */
function spanRows(
  { spans }: PageData,
  groupOf: readonly number[],
  failedSpans: ReadonlyMap<number, string>,
): { rows: TimelineRow[] } {
  const started = sums(spans.started);
  const ended = started.map((time, id) => time + (spans.length[id] as number));
  const members = spans.threads.map((): number[] => []);
  for (const [id, thread] of spans.thread.entries()) members[thread]?.push(id);
  const rows = threadsInOrder(spans.threads).flatMap((thread) => {
    const ids = Uint32Array.from(members[spans.threads.indexOf(thread)] as number[]);
    const [from, to] = [gather(ids, started), gather(ids, ended)];
    const { lane, depth, count } = nestedLanes(from, to);
    const depths = Array.from({ length: count }, () => 0);
    for (const [i, item] of lane.entries()) depths[item] = Math.max(depths[item] as number, (depth[i] as number) + 1);
    // The rows of each lane follow those of the previous lane.
    const first = depths.map((_, item) => depths.slice(0, item).reduce((sum, depthOfLane) => sum + depthOfLane, 0));
    const row = lane.map((item, i) => (first[item] as number) + (depth[i] as number));
    const rowCount = depths.reduce((sum, depthOfLane) => sum + depthOfLane, 0);
    return intoRows(row, rowCount, inOrder(from, to, 1)).map((row, number): TimelineRow => {
      const rowIds = gatherIds(row, ids);
      return {
        kind: "span",
        section: "host",
        label: number === 0 ? thread : "",
        ...timesOf(rowIds, started, ended, failedSpans),
        group: rowIds.map((id) => groupOf[spans.name[id] as number] as number),
      };
    });
  });
  return { rows };
}

function memoryCurves({ memory }: PageData): MemoryCurve[] {
  const time = sums(memory.time);
  return memory.labels.map((label, index) => {
    const members = Array.from(memory.label.keys()).filter((id) => memory.label[id] === index);
    members.sort((a, b) => (time[a] as number) - (time[b] as number) || a - b);
    const bytes = Float64Array.from(members, (id) => memory.bytes[id] as number);
    const max = bytes.reduce((highest, item) => Math.max(highest, item), 0);
    return { label, time: Float64Array.from(members, (id) => time[id] as number), bytes, max };
  });
}

function timesOf(
  ids: Uint32Array,
  started: Float64Array,
  ended: Float64Array,
  failed: ReadonlyMap<number, string>,
): Pick<TimelineRow, "ids" | "started" | "ended" | "busy" | "failures"> {
  const [from, to] = [gather(ids, started), gather(ids, ended)];
  const busy = new Float64Array(ids.length + 1);
  for (let i = 0; i < ids.length; i++) busy[i + 1] = (busy[i] as number) + (to[i] as number) - (from[i] as number);
  const failures = from.filter((_, i) => failed.has(ids[i] as number));
  return { ids, started: from, ended: to, busy, failures };
}

function waits(list: PageData["commands"]["waits"]): Pick<Commands, "waitsFor" | "waitedBy"> {
  const waitsFor = new Map<number, readonly number[]>();
  const waitedBy = new Map<number, number[]>();
  for (const [id, ...others] of list) {
    waitsFor.set(id, others);
    for (const other of others) {
      const existing = waitedBy.get(other);
      if (existing === undefined) waitedBy.set(other, [id]);
      else existing.push(id);
    }
  }
  return { waitsFor, waitedBy };
}

function rangeOf(rows: readonly TimelineRow[], memory: readonly MemoryCurve[]): { from: number; to: number } {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { started, ended } of rows) {
    from = Math.min(from, started[0] ?? from);
    to = Math.max(to, ended.at(-1) ?? to);
  }
  for (const { time } of memory) {
    from = Math.min(from, time[0] ?? from);
    to = Math.max(to, time.at(-1) ?? to);
  }
  if (from > to) return { from: 0, to: 1 };
  return { from, to: Math.max(to, from + 1) };
}

function gather(ids: Uint32Array, values: Float64Array): Float64Array {
  return Float64Array.from(ids, (id) => values[id] as number);
}

function gatherIds(row: readonly number[], ids: Uint32Array): Uint32Array {
  return Uint32Array.from(row, (item) => ids[item] as number);
}

function sums(differences: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(differences, (difference) => (sum += difference));
}
