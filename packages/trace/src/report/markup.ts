/** HTML of the report page before its script runs: everything except for the drawings, so that it is readable without. */
import {
  isNumberColumn,
  numberColumns,
  numberIn,
  rowLabel,
  type StatisticsColumn,
  type Totals,
  totalsOf,
} from "../table/columns.js";
import { html, type Html } from "./html.js";
import type { StatisticsRow } from "../model/statistics-row.js";
import { numberCells } from "../table/table-cells.js";
import type { Trace } from "../model/trace.js";
import { summaryOf } from "../model/trace-summary.js";
import { formatBytes, formatCount, formatRate, formatShare, formatTime } from "@cl/base/units";

/** Returns the header: title, date, devices and the theme switch. */
export function headerOf(title: string, trace: Trace): Html {
  const devices = [...new Set(trace.queues.map(({ device }) => device))].join(", ");
  const date = new Date(trace.started);
  return html`<a class="skip" href="#statistics">Skip to the statistics</a>
    <header>
      <div class="heading">
        <h1>${title}</h1>
        <p class="muted">
          <time datetime="${date.toISOString()}">${readableDate(date)}</time>${devices === "" ? "" : ` · ${devices}`}
        </p>
      </div>
      <button type="button" class="switch" id="theme" role="switch" aria-checked="false">Dark<span></span></button>
    </header>`;
}

/** Returns the summary: the most important numbers. */
export function summaryCard(trace: Trace): Html {
  const { span, busy, failed, bytes, gbPerSecond } = summaryOf(trace);
  const tiles: [name: string, value: string, more: string][] = [
    ["Time", formatTime(span), "first start to last end"],
    ["Commands", formatCount(trace.commands.length), `on ${count(trace.queues.length, "queue")}`],
    ["Device busy", formatShare(span > 0 ? busy / span : 0), formatTime(busy)],
  ];
  const rate = Number.isFinite(gbPerSecond) ? `at ${formatRate(1e9 * gbPerSecond, "B/s")}` : "";
  if (bytes > 0) tiles.push(["Moved", formatBytes(bytes), rate]);
  if (failed > 0) tiles.push(["Failed", formatCount(failed), "shown in red"]);
  const items = tiles.map(
    ([name, value, more]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${value}<small>${more}</small></dd>
      </div>`,
  );
  return html`<dl class="card wide summary" aria-label="Summary">${items}</dl>`;
}

/** Returns a notice about dropped commands, or about a trace that has none. */
export function recordingNotice({ commands, dropped }: Trace): Html {
  if (commands.length === 0) {
    return html`<p class="card wide notice">
      No commands were recorded. A profiler records only commands of queues with { profiling: true }.
    </p>`;
  }
  if (dropped === 0) return html``;
  return html`<p class="card wide notice">
    ${count(dropped, "command")} dropped: the capacity of the profiler's trace was exceeded.
  </p>`;
}

/** Returns the timeline: its canvases, controls and details. */
export function timelineCard(): Html {
  return html`<section class="card wide" aria-labelledby="timeline-title">
    <div class="title">
      <h2 id="timeline-title">Timeline</h2>
      <span id="range" class="muted"></span>
      <div class="buttons" role="group" aria-label="Zoom">
        <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
        <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
        <button type="button" id="zoom-all">All</button>
      </div>
    </div>
    <noscript
      ><p class="failed">The timeline requires JavaScript. The table below contains all statistics.</p></noscript
    >
    <div class="with-details">
      <div class="canvases">
        <div><canvas id="overview" width="10" height="40" aria-hidden="true"></canvas></div>
        <div class="rows">
          <canvas
            id="timeline"
            width="10"
            height="160"
            tabindex="0"
            role="application"
            aria-roledescription="timeline"
            aria-label="Timeline of the queues"
            aria-describedby="keys"
          ></canvas>
        </div>
        <p class="keys" id="keys">
          Drag to pan. Scroll to zoom after clicking the timeline, or with <kbd>Ctrl</kbd>. <kbd>Shift</kbd>+drag
          selects a range. Keys: <kbd>←</kbd> <kbd>→</kbd> pan, <kbd>+</kbd> <kbd>−</kbd> zoom, <kbd>0</kbd> shows all,
          <kbd>Home</kbd> <kbd>End</kbd> jump, <kbd>↑</kbd> <kbd>↓</kbd> change the row, <kbd>Enter</kbd> selects,
          <kbd>,</kbd> <kbd>.</kbd> select the previous or next command, <kbd>Esc</kbd> clears the selection.
        </p>
      </div>
      <aside class="details" aria-label="Selected command" id="details">
        <h3>Nothing selected</h3>
        <p class="muted">Click a command, or press Enter on the timeline, to see its times, sizes and dependencies.</p>
      </aside>
    </div>
    <p id="status" class="unseen" role="status"></p>
    <div id="tip" aria-hidden="true" hidden></div>
  </section>`;
}

/** Returns the list of kernels and the histogram. */
export function kernelCards(): Html {
  return html`<section class="card" aria-labelledby="kernels-title">
      <div class="title">
        <h2 id="kernels-title">Share of time</h2>
        <input
          type="search"
          id="filter"
          placeholder="Filter names"
          aria-label="Filter names in this list and the table"
        />
      </div>
      <ol id="kernel-list"></ol>
    </section>
    <section class="card" aria-labelledby="histogram-title">
      <div class="title">
        <h2 id="histogram-title">Durations: <span id="histogram-name"></span></h2>
        <button type="button" id="histogram-scale" aria-pressed="false">Logarithmic</button>
      </div>
      <div id="histogram"></div>
    </section>`;
}

/** Returns the table of statistics, sorted by total. */
export function tableCard(rows: readonly StatisticsRow[]): Html {
  const totals = totalsOf(rows);
  const columns = columnsOf(rows);
  const cells = new Map(columns.map((column) => [column, cellsOf(rows, column, totals)]));
  const heads = columns.map((column) => {
    const title = cells.get(column)?.[0] ?? "";
    const sort = column === "total" ? "descending" : "none";
    return html`<th
      scope="col"
      data-column="${column}"
      aria-sort="${sort}"
      ${isNumberColumn(column) ? "" : html` class="word"`}
    >
      <button type="button">${title}</button>
    </th>`;
  });
  const lines = rows.map((row, index) => {
    const line = columns.map((column) => cellOf(column, cells.get(column)?.[index + 1] ?? ""));
    return html`<tr data-row="${index}" ${row.kind === "host" ? html` class="host"` : ""}>
      ${line}
    </tr>`;
  });
  return html`<section class="card wide" aria-labelledby="statistics-title">
    <div class="title"><h2 id="statistics-title">Statistics</h2></div>
    <div class="scroll" role="region" aria-labelledby="statistics-title" tabindex="0">
      <table id="statistics">
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${lines}
        </tbody>
      </table>
    </div>
  </section>`;
}

function cellOf(column: StatisticsColumn, text: string): Html {
  if (column === "name") return html`<th scope="row"><button type="button" title="${text}">${text}</button></th>`;
  if (column === "kind") return html`<td class="word">${text}</td>`;
  if (column === "share") return html`<td class="share">${text}</td>`;
  return html`<td>${text}</td>`;
}

function cellsOf(rows: readonly StatisticsRow[], column: StatisticsColumn, totals: Totals): string[] {
  if (column === "name") return ["name", ...rows.map(rowLabel)];
  if (column === "kind") return ["kind", ...rows.map(({ kind }) => kind)];
  const values = rows.map((row) => numberIn(row, column, totals));
  const { title, quantity } = numberColumns[column];
  if (quantity === "count") return [title, ...values.map((value) => formatCount(value))];
  return numberCells(column, values);
}

/** Returns the columns that contain values. */
function columnsOf(rows: readonly StatisticsRow[]): StatisticsColumn[] {
  const all: StatisticsColumn[] = ["name", "kind", ...(Object.keys(numberColumns) as (keyof typeof numberColumns)[])];
  const optional = ["failed", "queueDelay", "submitDelay", "bytes", "gbPerSecond"] as const;
  const ofRanks = ["imbalance", "slowest"] as const;
  const missing = new Set<StatisticsColumn>([
    ...optional.filter((column) => !rows.some((row) => (row[column] ?? 0) > 0)),
    ...ofRanks.filter((column) => !rows.some((row) => row[column] !== undefined)),
  ]);
  return all.filter((column) => !missing.has(column));
}

function readableDate(date: Date): string {
  // Independent of the locale, so that reports can be compared.
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}
