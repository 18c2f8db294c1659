/** Bar charts of a measurement in a terminal: the most important results, with one scale per section. */
import { type Characteristics, formatQuantity, formatSpread, type Quantity } from "@cl/characterize";

import type { Output } from "../../io.js";
import { style } from "../../style.js";

interface Bar {
  readonly name: string;
  readonly quantity: Quantity;
}

interface Section {
  readonly title: string;
  readonly bars: readonly Bar[];
}

/** Returns the bar charts of a result, with a title. */
export function barTable(result: Characteristics, output: Output): string {
  const { device } = result;
  const sections = sectionsOf(result).filter(({ bars }) => bars.length > 0);
  const names = Math.max(0, ...sections.flatMap(({ bars }) => bars.map(({ name }) => name.length)));
  // Each row also needs a value of up to 17 columns, a spread of 7, and the spaces between them.
  const room = Math.max(10, Math.min(60, output.width - names - 32));
  const lines = sections.flatMap(({ title, bars }) => {
    const largest = Math.max(...bars.map(({ quantity }) => quantity.median));
    return ["", title, ...bars.map((bar) => line(bar, largest, names, room, output))];
  });
  const head = `${device.name.trim()}, driver ${device.driverVersion}${result.quick ? " (quick)" : ""}`;
  return `${[style(output, "bold", head), ...lines].join("\n")}\n`;
}

function line({ name, quantity }: Bar, largest: number, names: number, room: number, output: Output): string {
  const drawn = style(output, "cyan", barOf(quantity.median / largest, room).padEnd(room));
  const figure = formatQuantity(quantity).padStart(17);
  return `  ${name.padEnd(names)}  ${drawn} ${figure} ${formatSpread(quantity).padStart(7)}`;
}

/** Returns a bar in eighths of a column, at least one eighth long. */
function barOf(part: number, room: number): string {
  const eighths = Math.max(1, Math.round(part * room * 8));
  const last = " ▏▎▍▌▋▊▉"[eighths % 8] as string;
  return `${"█".repeat(Math.floor(eighths / 8))}${last}`.trimEnd();
}

function sectionsOf({ launch, transfer, globalMemory, localMemory, compute, atomics }: Characteristics): Section[] {
  return [
    {
      title: "Launch and wait",
      bars: present([
        ["blocking", launch?.latency],
        ["promise", launch?.awaited],
      ]),
    },
    {
      title: "Launches in flight",
      bars: present([
        ["in order", launch?.inOrder],
        ["out of order", launch?.outOfOrder],
        ["launch list", launch?.list],
      ]),
    },
    {
      title: "Transfers, largest size",
      bars: present(
        (transfer?.curves ?? []).map(({ kind, direction, points }) => [
          kind === "device" ? "device to device" : `${kind} ${direction === "hostToDevice" ? "to device" : "to host"}`,
          points.at(-1)?.bandwidth,
        ]),
      ),
    },
    { title: "Global memory", bars: best(globalMemory?.entries ?? [], ({ operation }) => operation) },
    { title: "Local memory", bars: best(localMemory?.read ?? [], ({ width }) => `read ${vector("float", width)}`) },
    { title: "Multiply-add", bars: best(compute?.entries ?? [], ({ type }) => type) },
    {
      title: "Atomic additions",
      bars: best(
        atomics?.entries ?? [],
        ({ memory, target }) => `${memory}, ${target === "one" ? "same address" : "separate addresses"}`,
      ),
    },
  ];
}

function present(rows: readonly (readonly [name: string, quantity: Quantity | undefined])[]): readonly Bar[] {
  return rows.flatMap(([name, quantity]) => (quantity === undefined ? [] : [{ name, quantity }]));
}

/** Returns the fastest entry of each name. */
function best<E extends { readonly rate: Quantity }>(entries: readonly E[], nameOf: (entry: E) => string): Bar[] {
  const fastest = new Map<string, Quantity>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const known = fastest.get(name);
    if (known === undefined || known.median < entry.rate.median) fastest.set(name, entry.rate);
  }
  return [...fastest].map(([name, quantity]) => ({ name, quantity }));
}

function vector(type: string, width: number): string {
  return width === 1 ? type : `${type}${width}`;
}
