/** The page's data, unpacked: what is asked for at every frame is in typed arrays. */
import { separateLanes, inOrder, nestedLanes } from "../lanes.js";
import { type CommandForm, groupKey, type PageData } from "../page-data.js";
import type { StatisticsRow } from "../statistics-row.js";
import { intoRows, queueTitle, rowTitle, threadsInOrder } from "../tracks.js";

/** A row of the timeline: things that do not overlap, by their beginnings. */
export interface TimelineRow {
  readonly kind: "command" | "span";
  readonly label: string;
  /** What stands above the first row of a device, or of the host. */
  readonly section: string;
  /** The place of each in all commands, or spans. */
  readonly places: Uint32Array;
  readonly started: Float64Array;
  readonly ended: Float64Array;
  /** How long those before each are together. One more than there are. */
  readonly busy: Float64Array;
  /** What color each has. */
  readonly group: Uint32Array;
}

/** A curve of memory in use. */
export interface MemoryCurve {
  readonly label: string;
  readonly time: Float64Array;
  readonly bytes: Float64Array;
  readonly most: number;
}

/** Commands that have a color and a line in the tables: those of one kernel of one launcher. */
export interface Group {
  readonly key: string;
  readonly row: StatisticsRow | undefined;
  readonly label: string;
}

/** All that the page shows. */
export interface TimelineData {
  readonly from: number;
  readonly to: number;
  readonly rows: readonly TimelineRow[];
  readonly memory: readonly MemoryCurve[];
  readonly groups: readonly Group[];
  readonly commands: Commands;
  readonly spanNames: readonly string[];
  /** The place of each span's name. */
  readonly spanName: Uint32Array;
  /** How long before its beginning each command was enqueued, and was handed to the device. */
  readonly queuedBefore: readonly number[];
  readonly submittedBefore: readonly number[];
}

/** The commands by their places. */
export interface Commands {
  readonly count: number;
  readonly started: Float64Array;
  readonly ended: Float64Array;
  readonly form: Uint32Array;
  readonly forms: readonly CommandForm[];
  /** The group of each form. */
  readonly groupOf: Uint32Array;
  readonly failed: ReadonlyMap<number, string>;
  readonly waitsFor: ReadonlyMap<number, readonly number[]>;
  readonly waitedBy: ReadonlyMap<number, readonly number[]>;
  /** The place of the timeline's row that each is in. */
  readonly row: Uint32Array;
}

/** Unpacks the data. */
export function timelineData(data: PageData): TimelineData {
  const { groups, groupOf } = groupsOf(data);
  const { commands } = data;
  const started = sums(commands.started);
  const ended = started.map((time, place) => time + (commands.length[place] as number));
  const form = Uint32Array.from(commands.form);
  const group = form.map((one) => groupOf[one] as number);
  const spans = spanRows(data, spanGroups(data, groups));
  const rows = [...spans.rows, ...commandRows(data, { started, ended, form, group })];
  const row = new Uint32Array(started.length);
  for (const [index, { kind, places }] of rows.entries()) {
    if (kind === "command") for (const place of places) row[place] = index;
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
      failed: new Map(commands.failed),
      waitsFor,
      waitedBy,
      row,
    },
    spanNames: data.spans.names,
    spanName: Uint32Array.from(data.spans.name),
    queuedBefore: commands.queued,
    submittedBefore: commands.submitted,
  };
}

/** The tables' rows first, those of the device before the host's; then what commands have that no row is of, since a profiler may keep less than a trace. */
function groupsOf({ rows, forms }: PageData): { groups: Group[]; groupOf: Uint32Array } {
  const groups: Group[] = [];
  const places = new Map<string, number>();
  const add = (key: string, label: string, row?: StatisticsRow): number => {
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, groups.length);
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
}

function commandRows({ queues, forms }: PageData, { started, ended, form, group }: Columns): TimelineRow[] {
  const own = queues.map((): number[] => []);
  for (const [place, one] of form.entries()) own[forms[one]?.queue as number]?.push(place);
  return queues.flatMap((queue, index) => {
    const places = Uint32Array.from(own[index] as number[]);
    const [from, to] = [gather(places, started), gather(places, ended)];
    const { lane, count } = separateLanes(from, to);
    const rows = intoRows(lane, count, inOrder(from, to, 1));
    return rows.map((row, number) => {
      const chosen = gatherPlaces(row, places);
      return {
        kind: "command",
        section: queue.device,
        label: rowTitle(queueTitle(queue), number, rows.length),
        ...timesOf(chosen, started, ended),
        group: chosen.map((place) => group[place] as number),
      };
    });
  });
}

/** The group of each span's name: that of the host step of that name, else one that is only a color. */
function spanGroups({ spans }: PageData, groups: readonly Group[]): number[] {
  const known = new Map(groups.map(({ key }, group) => [key, group]));
  return spans.names.map((name, index) => known.get(groupKey({ kind: "host", name })) ?? groups.length + index);
}

/** A span within another is in a row of its own below. */
function spanRows({ spans }: PageData, groupOf: readonly number[]): { rows: TimelineRow[] } {
  const started = sums(spans.started);
  const ended = started.map((time, place) => time + (spans.length[place] as number));
  const own = spans.threads.map((): number[] => []);
  for (const [place, thread] of spans.thread.entries()) own[thread]?.push(place);
  const rows = threadsInOrder(spans.threads).flatMap((thread) => {
    const places = Uint32Array.from(own[spans.threads.indexOf(thread)] as number[]);
    const [from, to] = [gather(places, started), gather(places, ended)];
    const { lane, depth, count } = nestedLanes(from, to);
    const depths = Array.from({ length: count }, () => 0);
    for (const [i, one] of lane.entries()) depths[one] = Math.max(depths[one] as number, (depth[i] as number) + 1);
    // The rows of a lane follow those of the lane before.
    const first = depths.map((_, one) => depths.slice(0, one).reduce((sum, more) => sum + more, 0));
    const row = lane.map((one, i) => (first[one] as number) + (depth[i] as number));
    const all = depths.reduce((sum, more) => sum + more, 0);
    return intoRows(row, all, inOrder(from, to, 1)).map((inside, number): TimelineRow => {
      const chosen = gatherPlaces(inside, places);
      return {
        kind: "span",
        section: "host",
        label: number === 0 ? thread : "",
        ...timesOf(chosen, started, ended),
        group: chosen.map((place) => groupOf[spans.name[place] as number] as number),
      };
    });
  });
  return { rows };
}

function memoryCurves({ memory }: PageData): MemoryCurve[] {
  const time = sums(memory.time);
  return memory.labels.map((label, index) => {
    const own = Array.from(memory.label.keys()).filter((place) => memory.label[place] === index);
    own.sort((a, b) => (time[a] as number) - (time[b] as number) || a - b);
    const bytes = Float64Array.from(own, (place) => memory.bytes[place] as number);
    const most = bytes.reduce((highest, one) => Math.max(highest, one), 0);
    return { label, time: Float64Array.from(own, (place) => time[place] as number), bytes, most };
  });
}

function timesOf(
  places: Uint32Array,
  started: Float64Array,
  ended: Float64Array,
): Pick<TimelineRow, "places" | "started" | "ended" | "busy"> {
  const [from, to] = [gather(places, started), gather(places, ended)];
  const busy = new Float64Array(places.length + 1);
  for (let i = 0; i < places.length; i++) busy[i + 1] = (busy[i] as number) + (to[i] as number) - (from[i] as number);
  return { places, started: from, ended: to, busy };
}

function waits(list: PageData["commands"]["waits"]): Pick<Commands, "waitsFor" | "waitedBy"> {
  const waitsFor = new Map<number, readonly number[]>();
  const waitedBy = new Map<number, number[]>();
  for (const [place, ...others] of list) {
    waitsFor.set(place, others);
    for (const other of others) {
      const known = waitedBy.get(other);
      if (known === undefined) waitedBy.set(other, [place]);
      else known.push(place);
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

function gather(places: Uint32Array, values: Float64Array): Float64Array {
  return Float64Array.from(places, (place) => values[place] as number);
}

function gatherPlaces(inside: readonly number[], places: Uint32Array): Uint32Array {
  return Uint32Array.from(inside, (one) => places[one] as number);
}

function sums(differences: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(differences, (difference) => (sum += difference));
}
