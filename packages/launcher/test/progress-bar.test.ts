import { type HostStep, ProgressBar, type ProgressBarOptions, runSteps } from "@cl/launcher";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { ints, queue } from "./support/device.js";
import { plus } from "./support/launchers.js";
import { Terminal } from "./support/terminal.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

let time = 0;
const now = (): number => time;

beforeEach(() => {
  time = 0;
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const usual = { label: "heat", total: 100, now };
const barOn = (terminal: Terminal, options?: ProgressBarOptions): ProgressBar =>
  new ProgressBar({ ...usual, ascii: true, stream: terminal, otherStreams: [terminal], ...options });
const newBar = (): { terminal: Terminal; bar: ProgressBar } => {
  const terminal = new Terminal();
  return { terminal, bar: barOn(terminal) };
};
/** Advances the time, by default by a second, and updates the bar. */
const after = (bar: ProgressBar, done: number, seconds = 1): void => {
  time += 1000 * seconds;
  bar.update(done);
};

describe("a progress bar on a terminal", () => {
  test("shows percentage, count, rate, elapsed and remaining time in one line", () => {
    const { terminal, bar } = newBar();
    bar.update(0);
    expect(terminal.screen).toEqual(["heat    0 %  ----------------------------------------  0/100 steps  0:00"]);
    after(bar, 25);
    expect(terminal.screen).toEqual([
      "heat   25 %  ######-------------------  25/100 steps  25.0 steps/s  0:01 < 0:03",
    ]);
    after(bar, 50, 61);
    expect(terminal.screen[0]).toMatch(/^heat {3}50 % {2}#+-+ {2}50\/100 steps {2}[\d.]+ s each {2}1:02 < \d/);
    after(bar, 100, 3600);
    bar.end();
    expect(terminal.screen).toEqual([
      "heat  100 %  #############################  100/100 steps  36.6 s each  1:01:02",
    ]);
    expect(terminal.written.at(-1)).toBe("\n");
  });

  test("draws block characters if the locale uses UTF-8", () => {
    const terminal = new Terminal();
    vi.stubEnv("LC_ALL", "de_DE.UTF-8");
    const bar = new ProgressBar({ total: 3, stream: terminal, otherStreams: [], now });
    after(bar, 1);
    expect(terminal.screen).toEqual([
      ` 33 %  ███████████▎░░░░░░░░░░░░░░░░░░░░░░  1/3 steps  1.00 steps/s  0:01 ‹ 0:02`,
    ]);
    vi.stubEnv("LC_ALL", "C");
    const plain = new Terminal();
    after(new ProgressBar({ total: 3, stream: plain, otherStreams: [], now }), 1);
    expect(plain.screen[0]).toMatch(/^ 33 % {2}#+-+ /);
  });

  test("fits any terminal with any numbers", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.nat(),
        fc.option(fc.nat()),
        fc.double({ min: 0, max: 1e7, noNaN: true }),
        fc.boolean(),
        (columns, done, total, seconds, ascii) => {
          const terminal = new Terminal(columns);
          const bar = barOn(terminal, { ascii, ...(total === null ? { total: undefined as never } : { total }) });
          after(bar, done, seconds);
          bar.end();
          expect(terminal.screen.length).toBeLessThanOrEqual(1);
          expect((terminal.screen[0] ?? "").length).toBeLessThan(columns);
        },
      ),
    );
  });

  test("shows count, rate and time if the total is unknown", () => {
    const terminal = new Terminal();
    const bar = new ProgressBar({
      label: "heat",
      unit: "frames",
      ascii: true,
      stream: terminal,
      otherStreams: [],
      now,
    });
    after(bar, 12_345, 10);
    expect(terminal.screen).toEqual(["heat  12,345 frames  1,235 frames/s  0:10"]);
  });

  test("computes the rate from its start, with more weight on recent steps", () => {
    const terminal = new Terminal(200);
    const bar = barOn(terminal, { initial: 1000, total: 2000 });
    after(bar, 1010);
    expect(terminal.screen[0]).toContain("1,010/2,000 steps  10.0 steps/s  0:01 < 1:39");
    for (let second = 1; second <= 60; second++) after(bar, 1010 + second);
    expect(terminal.screen[0]).toContain("1.00 steps/s");
    bar.end();
    expect(terminal.screen[0]).toContain("1.15 steps/s");
  });

  test("is drawn at most ten times a second", () => {
    const { terminal, bar } = newBar();
    for (let done = 0; done < 100; done++) after(bar, done, 0.01);
    expect(terminal.written.length).toBeLessThanOrEqual(11);
    expect(terminal.written.length).toBeGreaterThanOrEqual(9);
  });

  test("is redrawn below other output to the terminal", () => {
    const terminal = new Terminal();
    const other = new Terminal();
    // Both streams write to one screen.
    other.write = (text) => terminal.write(text);
    const [own, others] = [terminal.write, other.write];
    const bar = barOn(terminal, { otherStreams: [terminal, other] });
    after(bar, 10);
    const shown = terminal.screen[0];
    terminal.write("a line\n");
    expect(terminal.screen).toEqual(["a line", shown]);
    other.write("no end ");
    expect(terminal.screen).toEqual(["a line", "no end"].map((text, i) => (i === 1 ? `${text} ` : text)));
    after(bar, 20);
    expect(terminal.screen).toEqual(["a line", "no end "]);
    other.write(new TextEncoder().encode("yet\n"));
    expect(terminal.screen.slice(0, 2)).toEqual(["a line", "no end yet"]);
    expect(terminal.screen[2]).toMatch(/^heat {3}20 %/);
    bar.hide();
    terminal.write("without it\n");
    expect(terminal.screen.slice(2)).toEqual(["without it"]);
    after(bar, 30);
    other.write("half");
    bar.end();
    expect(terminal.screen.slice(2)).toEqual(["without it", "half", expect.stringMatching(/^heat {3}30 %/)]);
    terminal.write("after\n");
    expect(terminal.screen.at(-1)).toBe("after");
    expect([terminal.write, other.write]).toEqual([own, others]);
    expect(Object.hasOwn(terminal, "write")).toBe(false);
  });

  test("does not restore a write method that other code has replaced", () => {
    const { terminal, bar } = newBar();
    after(bar, 10);
    const ours = terminal.write.bind(terminal);
    const theirs = (text: string | Uint8Array): boolean => ours(text);
    terminal.write = theirs;
    bar.end();
    expect(terminal.write).toBe(theirs);
    terminal.write("still\n");
    expect(terminal.screen.at(-1)).toBe("still");
  });

  test("excludes pauses from its time", () => {
    const { terminal, bar } = newBar();
    after(bar, 50);
    bar.pause();
    expect(terminal.screen[0]).toMatch(/50\/100 steps {2}paused {2}0:01/);
    time += 60_000;
    bar.resume();
    bar.resume();
    expect(terminal.screen[0]).toContain("50.0 steps/s  0:01 < 0:01");
    bar.end();
    bar.end();
    for (const late of [() => bar.update(60), () => bar.pause(), () => bar.resume(), () => bar.hide()]) late();
    expect(terminal.screen).toHaveLength(1);
  });

  test("rejects invalid counts", () => {
    expect(() => barOn(new Terminal()).update(0.5)).toThrow(outOfRange("done"));
    expect(() => new ProgressBar({ total: -1 })).toThrow(outOfRange("options.total"));
    expect(() => new ProgressBar({ otherStreams: [7 as never] })).toThrow(wrongType("options.otherStreams[0]"));
  });
});

describe("a progress bar without a terminal", () => {
  const written = (options: ProgressBarOptions): string[] => {
    const lines: string[] = [];
    const bar = new ProgressBar({ ...usual, stream: { write: (text) => lines.push(text) }, ...options });
    for (let done = 0; done <= 100; done += 10) after(bar, done);
    bar.end();
    return lines;
  };

  test("writes nothing by default", () => {
    expect(written({})).toEqual([]);
  });

  test("writes a line every `lineInterval` seconds, and one at the end", () => {
    expect(written({ lineInterval: 4 })).toEqual([
      "heat: 30/100 steps (30 %), 7.50 steps/s, 0:04 < 0:09\n",
      expect.stringMatching(/^heat: 70\/100 steps \(70 %\), [\d.]+ steps\/s, 0:08 < 0:0\d\n$/),
      "heat: 100/100 steps (100 %), 9.09 steps/s, 0:11\n",
    ]);
  });

  test("writes nothing to a dumb terminal", () => {
    vi.stubEnv("TERM", "dumb");
    const { terminal, bar } = newBar();
    after(bar, 1);
    bar.end();
    expect(terminal.written).toEqual([]);
  });
});

describe("the progress bar of a run", () => {
  const run = async (terminal: Terminal, every: readonly HostStep[] = []): Promise<void> => {
    const add = plus(ints(0), 1, "add");
    const until = (): boolean => (time += 50) < 0;
    const progress = { stream: terminal, otherStreams: [terminal], ascii: true };
    await runSteps(add, { queue, steps: 40, depth: 1, until, every, progress, now });
  };

  test("shows the launcher's name, and remains visible at the end", async () => {
    const terminal = new Terminal();
    await run(terminal);
    expect(terminal.screen).toEqual([
      "add  100 %  ##################################  40/40 steps  20.0 steps/s  0:02",
    ]);
    expect(terminal.written.length).toBeGreaterThan(10);
    expect(terminal.written[0]).toContain("  0/40 steps");
  });

  test("is redrawn below the output of host steps", async () => {
    const terminal = new Terminal();
    const seen: string[][] = [];
    const note: HostStep["run"] = ({ step }) => {
      seen.push(terminal.screen.slice());
      terminal.write(`made ${step}\n`);
    };
    await run(terminal, [{ steps: 10, run: note }]);
    expect(seen).toEqual([[], ["made 10"], ["made 10", "made 20"], ["made 10", "made 20", "made 30"]]);
    expect(terminal.screen.slice(0, -1)).toEqual(["made 10", "made 20", "made 30", "made 40"]);
  });

  test("ends when the run fails", async () => {
    const terminal = new Terminal();
    const fail = (): never => {
      throw new Error("no");
    };
    await expect(run(terminal, [{ steps: 10, run: fail }])).rejects.toMatchObject({ step: 10 });
    expect(terminal.screen).toEqual([expect.stringContaining("10/40 steps")]);
    expect(Object.hasOwn(terminal, "write")).toBe(false);
  });
});
