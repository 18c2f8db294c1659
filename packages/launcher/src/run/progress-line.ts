/** Formats progress as one line. */
import { formatCount } from "@cl/base/units";

/** State to show. */
export interface ProgressState {
  readonly label: string;
  readonly unit: string;
  readonly done: number;
  readonly total: number | undefined;
  /** Elapsed seconds. */
  readonly elapsed: number;
  /** Units per second; `undefined` if unknown. */
  readonly rate: number | undefined;
  readonly paused: boolean;
}

/** Formats a bar for a terminal of `columns` columns, with as many parts as fit. */
export function barLine(state: ProgressState, columns: number, ascii: boolean): string {
  const { done, total } = state;
  const count = counts(state);
  const times = [speed(state), clocks(state, ascii ? "<" : "‹")];
  const share = total === undefined ? undefined : shareOf(done, total);
  // Drop the last parts if the terminal is narrow.
  const rests = [[count, ...times], [count, times[1]], [count]].map((parts) => parts.filter(Boolean).join("  "));
  for (const rest of rests) {
    for (const label of [state.label, ""]) {
      const head = [label, share === undefined ? "" : `${String(Math.floor(share * 100)).padStart(3)} %`];
      const text = [...head.filter((part) => part !== ""), rest];
      const free = columns - text.join("  ").length;
      if (share === undefined ? free >= 0 : free >= 2 + minBarWidth) {
        const bar = share === undefined ? [] : [barOf(share, Math.min(free - 2, maxBarWidth), ascii)];
        return [...text.slice(0, -1), ...bar, rest].join("  ");
      }
    }
  }
  return count.slice(0, Math.max(0, columns));
}

/** Formats a line for a log. */
export function plainLine(state: ProgressState): string {
  const { label, done, total } = state;
  const share = total === undefined ? "" : ` (${Math.floor(shareOf(done, total) * 100)} %)`;
  const parts = [`${counts(state)}${share}`, speed(state), clocks(state, "<")].filter(Boolean);
  return `${label === "" ? "" : `${label}: `}${parts.join(", ")}`;
}

const minBarWidth = 10;
const maxBarWidth = 40;

function counts({ done, total, unit }: ProgressState): string {
  const of = total === undefined ? "" : `/${formatCount(total, ",")}`;
  return `${formatCount(done, ",")}${of} ${unit}`;
}

function speed({ rate, unit, paused }: ProgressState): string {
  if (paused) return "paused";
  if (rate === undefined || rate === 0) return "";
  if (rate < 1) return `${digits(1 / rate)} s each`;
  return `${digits(rate)} ${unit}/s`;
}

/** Formats elapsed and remaining time. */
function clocks({ elapsed, rate, done, total }: ProgressState, before: string): string {
  const remaining = total === undefined || rate === undefined || rate === 0 ? undefined : (total - done) / rate;
  return remaining === undefined || remaining <= 0 ? clock(elapsed) : `${clock(elapsed)} ${before} ${clock(remaining)}`;
}

function shareOf(done: number, total: number): number {
  return total === 0 ? 1 : Math.min(1, Math.max(0, done / total));
}

function barOf(share: number, width: number, ascii: boolean): string {
  if (ascii) {
    const full = Math.floor(share * width);
    return `${"#".repeat(full)}${"-".repeat(width - full)}`;
  }
  const eighths = Math.floor(share * width * 8);
  const part = eighths % 8;
  const bar = "█".repeat(Math.floor(eighths / 8)) + (part === 0 ? "" : ("▏▎▍▌▋▊▉"[part - 1] as string));
  return bar.padEnd(width, "░");
}

/** `1:02:03`, `2 d 1:02:03`. */
function clock(seconds: number): string {
  const total = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [
    Math.floor(total / 86400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
  ];
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  const rest = twoDigits(total % 60);
  if (total < 3600) return `${minutes}:${rest}`;
  return `${days > 0 ? `${days} d ` : ""}${hours}:${twoDigits(minutes)}:${rest}`;
}

function digits(value: number): string {
  return value >= 100 ? formatCount(Math.round(value), ",") : value.toFixed(value >= 10 ? 1 : 2);
}
