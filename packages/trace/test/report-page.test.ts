/**
 * The page of reports in Chromium.
 *
 * @module-tag ci
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { htmlReport, type Trace, traceStatistics } from "@cl/trace";

import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from "vitest";

import { needs } from "@cl/base/testing";
import { Chromium, findChromium } from "@cl/testing/chromium";
import { longTrace } from "./support/long-trace.js";
import { sampleTrace } from "./support/sample-trace.js";

const path = findChromium();
const folder = mkdtempSync(join(tmpdir(), "cl-report-"));
let started: Chromium | undefined;

beforeAll(async () => {
  if (path !== undefined) started = await Chromium.start(path);
});

afterAll(async () => {
  await started?.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  started?.complaints.splice(0);
});

/** Opens the report of a trace, by default with reduced motion, so that each key takes effect without an animation. */
async function open(run: TestContext, trace: Trace, features: Record<string, string> = still): Promise<Chromium> {
  needs(run, path !== undefined, "the report's page needs Chromium, which is not on PATH");
  const page = started as Chromium;
  const file = join(folder, `${run.task.id}.html`);
  writeFileSync(file, htmlReport(trace, { title: "A <run> & more" }));
  await page.emulate(1280, 900, features);
  await page.open(file);
  return page;
}

const still = { "prefers-reduced-motion": "reduce", "prefers-color-scheme": "light" };

type Seen = Readonly<Record<"from" | "to" | "rectangles" | "selected", number>>;

/** Returns the state in the timeline's data attributes. */
async function seen(page: Chromium): Promise<Seen> {
  const data = await page.ask<Record<string, string>>("({ ...document.getElementById('timeline').dataset })");
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, Number(value)])) as unknown as Seen;
}

function text(page: Chromium, selector: string): Promise<string> {
  return page.ask(`document.querySelector(${JSON.stringify(selector)}).textContent`);
}

function texts(page: Chromium, selector: string): Promise<string[]> {
  const all = `document.querySelectorAll(${JSON.stringify(selector)})`;
  return page.ask(`Array.from(${all}).filter((one) => one.checkVisibility()).map((one) => one.textContent)`);
}

async function focus(page: Chromium, selector: string): Promise<void> {
  await page.ask(`document.querySelector(${JSON.stringify(selector)}).focus()`);
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Chromium, selector: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.press("Tab");
    if (await page.ask<boolean>(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

describe("the report page", () => {
  test("opens without errors and without requests", async (run) => {
    const page = await open(run, longTrace(20));
    expect(await page.ask("document.documentElement.className")).toBe("ready");
    expect(
      await page.ask("performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith('data:')).length"),
    ).toBe(0);
    expect(await text(page, "h1")).toBe("A <run> & more");
    expect(await page.ask("document.title")).toBe("A <run> & more");
    expect(await texts(page, ".summary dt")).toEqual(["Time", "Commands", "Device busy", "Moved", "Failed"]);
    expect((await seen(page)).rectangles).toBeGreaterThan(50);
    expect(page.complaints).toEqual([]);
  });

  test("shows names as text, and does not run scripts in them", async (run) => {
    const page = await open(run, sampleTrace());
    const evil = "</script><img src=x onerror=alert(1)>";
    expect((await text(page, ".notice")).replace(/\s+/g, " ")).toContain("2 commands dropped");
    expect(await page.ask("[document.images.length, document.scripts.length]")).toEqual([0, 2]);
    expect(await texts(page, "#statistics tbody button")).toContain(evil);
    expect(await texts(page, "#kernel-list .name")).toContain(evil);
    // The Content Security Policy also blocks scripts that are inserted by mistake.
    await page.ask("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked = 1\">')");
    await page.frame();
    expect(await page.ask("typeof window.hacked")).toBe("undefined");
    expect(page.complaints.join()).toContain("Content Security Policy");
  });

  test("opens for an empty trace", async (run) => {
    const empty = { ...sampleTrace(), queues: [], commands: [], hostSpans: [], memory: [], dropped: 0 };
    const page = await open(run, empty);
    await focus(page, "#timeline");
    for (const key of ["+", "ArrowRight", "ArrowDown", "Enter", ".", "0"]) await page.press(key);
    expect(page.complaints).toEqual([]);
    expect(await text(page, ".notice")).toContain("profiling: true");
  });

  test("has the table without JavaScript", async (run) => {
    needs(run, path !== undefined, "the report's page needs Chromium, which is not on PATH");
    const page = started as Chromium;
    await page.allowScripts(false);
    try {
      await open(run, sampleTrace());
      expect(await texts(page, "#statistics tbody th")).toHaveLength(traceStatistics(sampleTrace()).length);
      expect(await texts(page, "noscript p")).toHaveLength(1);
    } finally {
      await page.allowScripts(true);
    }
  });
});

describe("the timeline by keyboard", () => {
  test("can be focused with Tab, zoomed and panned", async (run) => {
    const page = await open(run, longTrace(20));
    await tabTo(page, "#timeline");
    const all = await seen(page);
    const length = ({ from, to }: Seen): number => to - from;

    await page.press("+");
    const half = await seen(page);
    expect(length(half)).toBeCloseTo(length(all) / 2, 0);
    await page.press("ArrowRight");
    const right = await seen(page);
    expect(right.from - half.from).toBeCloseTo(length(half) / 5, 0);
    await page.press("ArrowLeft");
    expect((await seen(page)).from).toBeCloseTo(half.from, 0);
    await page.press("End");
    expect((await seen(page)).to).toBeCloseTo(all.to, 0);
    await page.press("Home");
    expect((await seen(page)).from).toBeCloseTo(all.from, 0);
    await page.press("-");
    expect(length(await seen(page))).toBeCloseTo(length(all), 0);
    for (let i = 0; i < 40; i++) await page.press("+");
    expect(length(await seen(page))).toBeCloseTo(10, 0);
    await page.press("0");
    expect(await seen(page)).toEqual(all);
    expect(page.complaints).toEqual([]);
  });

  test("selects and announces commands, and follows their dependencies", async (run) => {
    const page = await open(run, sampleTrace());
    await tabTo(page, "#timeline");
    await page.press("ArrowDown");
    expect(await text(page, "#status")).toContain('side, "quoted" (1), pthread, 3 entries');
    // One row below that of the first queue: the row of `right`, `third` and the fill.
    await page.press("Enter");
    expect((await seen(page)).selected).toBe(4);
    await page.press(".");
    expect((await seen(page)).selected).toBe(5);
    expect(await text(page, "#details h3")).toBe("third");
    expect(await text(page, "#status")).toBe('third: queue side, "quoted" (1), duration 900 ns, started 6.1 µs');
    expect(await texts(page, "#details .others button")).toEqual(["left", "right"]);
    await focus(page, "#details .others button");
    await page.press("Enter");
    expect((await seen(page)).selected).toBe(3);
    expect(await texts(page, "#details h4")).toEqual(["Waited for", "Awaited by"]);
    await focus(page, "#timeline");
    await page.press("Escape");
    expect((await seen(page)).selected).toBe(-1);
    expect(await text(page, "#details h3")).toBe("Nothing selected");
  });

  test("shows why a command failed", async (run) => {
    const page = await open(run, sampleTrace());
    await focus(page, "#timeline");
    await page.press("End");
    for (const key of ["+", "+", "+", "End", "Enter"]) await page.press(key);
    for (let i = 0; i < 5 && (await texts(page, "#details .failed")).length === 0; i++) await page.press(".");
    expect(await text(page, "#details h3")).toBe("</script><img src=x onerror=alert(1)>");
    expect(await texts(page, "#details .failed")).toEqual(["CL_OUT_OF_RESOURCES"]);
  });
});

describe("the timeline by pointer", () => {
  async function place(page: Chromium): Promise<{ x: number; y: number; width: number }> {
    await page.ask("document.getElementById('timeline').scrollIntoView({ block: 'center' })");
    return page.ask(
      "(({ x, y, width }) => ({ x, y, width }))(document.getElementById('timeline').getBoundingClientRect())",
    );
  }

  test("zooms at the pointer with Control and the wheel", async (run) => {
    const page = await open(run, longTrace(20));
    const { x, y, width } = await place(page);
    const all = await seen(page);
    const turn = (modifiers: number): Promise<void> =>
      page.mouse("mouseWheel", x + width * 0.6, y + 100, { deltaX: 0, deltaY: -200, modifiers });
    // Without focus or Control, the wheel scrolls the page.
    await turn(0);
    expect(await seen(page)).toEqual(all);
    await turn(2);
    const some = await seen(page);
    expect(some.to - some.from).toBeLessThan((all.to - all.from) * 0.9);
    expect(some.from).toBeGreaterThan(all.from);
    expect(some.to).toBeLessThan(all.to);
  });

  test("pans with a drag, zooms to a range with Shift, selects with a click, and shows a tooltip", async (run) => {
    const page = await open(run, longTrace(20));
    const { x, y, width } = await place(page);
    const drag = async (from: number, to: number, modifiers: number): Promise<void> => {
      await page.mouse("mousePressed", from, y + 160, { modifiers });
      await page.mouse("mouseMoved", (from + to) / 2, y + 160, { modifiers, buttons: 1 });
      await page.mouse("mouseMoved", to, y + 160, { modifiers, buttons: 1 });
      await page.mouse("mouseReleased", to, y + 160, { modifiers });
    };
    const all = await seen(page);
    await drag(x + width * 0.4, x + width * 0.6, 8);
    const marked = await seen(page);
    expect((marked.to - marked.from) / (all.to - all.from)).toBeGreaterThan(0.2);
    expect((marked.to - marked.from) / (all.to - all.from)).toBeLessThan(0.3);
    await drag(x + width * 0.6, x + width * 0.5, 0);
    const dragged = await seen(page);
    expect(dragged.from).toBeGreaterThan(marked.from);
    expect(dragged.to - dragged.from).toBeCloseTo(marked.to - marked.from, 0);
    expect(dragged.selected).toBe(-1);

    // Clicks along the row of the first queue until it hits a command.
    for (let i = 0; i < 40 && (await seen(page)).selected < 0; i++) {
      const at = { x: x + width * 0.4 + 9 * i, y: y + 156 };
      await page.mouse("mouseMoved", at.x, at.y, { button: "none" });
      await page.mouse("mousePressed", at.x, at.y);
      await page.mouse("mouseReleased", at.x, at.y);
      await page.mouse("mouseMoved", at.x + 1, at.y, { button: "none" });
    }
    const name = await text(page, "#details h3");
    expect((await seen(page)).selected).toBeGreaterThanOrEqual(0);
    expect(await texts(page, "#tip strong")).toEqual([name]);
    expect(page.complaints).toEqual([]);
  });
});

describe("the statistics table", () => {
  test("can be sorted by keyboard, and announces the order", async (run) => {
    const page = await open(run, longTrace(20));
    const names = (): Promise<string[]> => texts(page, "#statistics tbody th");
    const totals = await names();
    expect(totals[0]).toBe("timestep > jacobi");
    await tabTo(page, "th[data-column=name] button");
    await page.press("Enter");
    expect(await names()).toEqual([...totals].sort((a, b) => (a < b ? -1 : 1)));
    const sorting = (): Promise<string[]> =>
      page.ask(
        "Array.from(document.querySelectorAll('th[aria-sort]'), (head) => head.ariaSort).filter((sort) => sort !== 'none')",
      );
    expect(await sorting()).toEqual(["ascending"]);
    await page.press("Enter");
    expect(await sorting()).toEqual(["descending"]);
    expect(await text(page, "#status")).toBe("sorted by name, descending");
    expect(await names()).toEqual([...totals].sort((a, b) => (a < b ? 1 : -1)));
    await tabTo(page, "th[data-column=max] button");
    await page.press("Enter");
    const longest = traceStatistics(longTrace(20)).sort((a, b) => b.max - a.max);
    expect(await names()).toEqual(longest.map(({ launcher }) => launcher));
  });

  test("shows the given statistics", async (run) => {
    needs(run, path !== undefined, "the report's page needs Chromium, which is not on PATH");
    const [row] = traceStatistics(sampleTrace());
    const file = join(folder, "given.html");
    const statistics = [{ ...row, count: 12_345, name: "elsewhere", launcher: "far" } as typeof row & object];
    writeFileSync(file, htmlReport(sampleTrace(), { statistics }));
    const page = started as Chromium;
    await page.open(file);
    expect(await texts(page, "#statistics tbody th")).toEqual(["far: elsewhere"]);
    expect(await texts(page, "#statistics tbody td:nth-child(3)")).toEqual(["12\u202f345"]);
    expect(await texts(page, "#histogram p")).toEqual(["The trace contains no run of this kernel."]);
    // Commands that no row is of are in the list all the same.
    expect(await texts(page, "#kernel-list .name")).toContain("timestep > diffuse");
  });
});

describe("a kernel", () => {
  test("shows its histogram and highlights its row when selected", async (run) => {
    const page = await open(run, longTrace(20));
    await tabTo(page, "#kernel-list li:nth-child(2) button");
    await page.press("Enter");
    const pressed = "Array.from(document.querySelectorAll('#kernel-list button'), (one) => one.ariaPressed)";
    expect((await page.ask<string[]>(pressed)).indexOf("true")).toBe(1);
    expect(await text(page, "#histogram-name")).toBe("timestep > advect");
    expect(await texts(page, "#statistics tr.chosen th")).toEqual(["timestep > advect"]);
    const titles = "Array.from(document.querySelectorAll('#histogram rect title'), (one) => one.textContent)";
    const bars = await page.ask<string[]>(titles);
    await page.ask("document.getElementById('histogram-scale').click()");
    const scaled = await page.ask<string[]>(titles);
    expect(scaled).not.toEqual(bars);
    for (const all of [bars, scaled]) expect(all.reduce((sum, bar) => sum + Number.parseInt(bar, 10), 0)).toBe(20);
    await page.press("Enter");
    expect(await page.ask<string[]>(pressed)).not.toContain("true");
  });

  test("can be found by its name", async (run) => {
    const page = await open(run, longTrace(20));
    await focus(page, "#filter");
    for (const key of "PRO") await page.press(key);
    expect(await texts(page, "#kernel-list .name")).toEqual(["timestep > project", "timestep > probe"]);
    expect(await texts(page, "#statistics tbody th")).toEqual(["timestep > project", "timestep > probe"]);
  });
});

describe("the design", () => {
  const background = "getComputedStyle(document.body).backgroundColor";

  test("follows the system's color scheme and the switch", async (run) => {
    const page = await open(run, longTrace(20), { ...still, "prefers-color-scheme": "dark" });
    // Discards the choice of an earlier test.
    await page.ask("localStorage.clear()");
    await page.open(join(folder, `${run.task.id}.html`));
    const dark = await page.ask<string>(background);
    expect(await page.ask("document.getElementById('theme').ariaChecked")).toBe("true");
    const drawn = "document.getElementById('timeline').toDataURL()";
    const darkPicture = await page.ask<string>(drawn);
    await tabTo(page, "#theme");
    await page.press("Enter");
    expect(await page.ask("document.getElementById('theme').ariaChecked")).toBe("false");
    expect(await page.ask(background)).not.toBe(dark);
    expect(await page.ask<string>(drawn)).not.toBe(darkPicture);
    await page.emulate(1280, 900, { ...still, "prefers-color-scheme": "light" });
    await page.press("Enter");
    expect(await page.ask(background)).toBe(dark);
    expect(page.complaints).toEqual([]);
    await page.ask("localStorage.clear()");
  });

  test("has sufficient contrast in light and dark", async (run) => {
    for (const scheme of ["light", "dark"]) {
      const page = await open(run, sampleTrace(), { ...still, "prefers-color-scheme": scheme });
      const ratios = await page.ask<Record<string, number>>(`(${contrasts.toString()})()`);
      for (const [pair, ratio] of Object.entries(ratios)) {
        expect(ratio, `${pair} in the ${scheme} theme`).toBeGreaterThanOrEqual(pair.startsWith("oklch") ? 2.5 : 4.5);
      }
    }
  });

  test("fits narrow and wide windows", async (run) => {
    const page = await open(run, longTrace(20));
    const widths = "[document.documentElement.scrollWidth, document.getElementById('timeline').clientWidth]";
    const [, wide = 0] = await page.ask<number[]>(widths);
    await page.emulate(360, 800, still);
    const [scroll, narrow = 0] = await page.ask<number[]>(widths);
    expect(scroll).toBe(360);
    expect(narrow).toBeLessThan(340);
    expect(wide).toBeGreaterThan(700);
  });

  test("has landmarks, and accessible names for all controls", async (run) => {
    const page = await open(run, longTrace(20));
    const { nodes } = (await page.send("Accessibility.getFullAXTree")) as unknown as { nodes: AccessibleNode[] };
    const roles = nodes.filter(({ ignored }) => !ignored).map(({ role, name }) => [role?.value, name?.value] as const);
    const named = (role: string): (string | undefined)[] =>
      roles.filter(([one]) => one === role).map(([, name]) => name);
    expect([named("banner"), named("main"), named("contentinfo")].map(({ length }) => length)).toEqual([1, 1, 1]);
    const regions = ["Timeline", "Share of time", "Durations: timestep > jacobi", "Statistics", "Statistics"];
    expect(named("region")).toEqual(regions);
    expect(named("complementary")).toEqual(["Selected command"]);
    expect(named("switch")).toEqual(["Dark"]);
    expect(named("application")).toEqual(["Timeline of the queues"]);
    expect(named("button").concat(named("searchbox"), named("img"), named("image"))).not.toContain("");
    expect(named("heading")).toContain("Statistics");
  });
});

describe("a long trace", () => {
  test("of 100,000 commands is drawn with at most two rectangles per pixel and row", async (run) => {
    const trace = longTrace(10_000);
    expect(trace.commands).toHaveLength(100_000);
    const page = await open(run, trace);
    const rows = 2 + 1 + 2;
    await focus(page, "#timeline");
    let before = Number.POSITIVE_INFINITY;
    for (let zoom = 0; zoom < 14; zoom++) {
      const { rectangles, from, to } = await seen(page);
      expect(rectangles).toBeGreaterThan(0);
      expect(rectangles).toBeLessThanOrEqual(rows * 2 * 1280);
      expect(to - from).toBeLessThan(before);
      before = to - from;
      await page.press("+");
    }
    await page.press("Enter");
    expect((await seen(page)).selected).toBeGreaterThan(0);
    expect(page.complaints).toEqual([]);
  });
});

interface AccessibleNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

/** Returns the contrast ratios of text and shapes to their backgrounds. Runs in the page. */
function contrasts(): Record<string, number> {
  interface Context2d {
    fillStyle: string;
    fillRect(x: number, y: number, width: number, height: number): void;
    getImageData(x: number, y: number, width: number, height: number): { data: ArrayLike<number> };
  }
  const page = globalThis as unknown as {
    document: { documentElement: object; createElement(tag: string): { getContext(kind: string): Context2d } };
    getComputedStyle(element: object): { getPropertyValue(name: string): string };
  };
  const context = page.document.createElement("canvas").getContext("2d");
  const style = page.getComputedStyle(page.document.documentElement);
  const luminance = (name: string): number => {
    context.fillStyle = name.startsWith("oklch") ? name : style.getPropertyValue(`--${name}`);
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = Array.from(context.getImageData(0, 0, 1, 1).data, (byte) => {
      const value = byte / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const bars = [50, 120, 190, 260, 330].map((hue) => `oklch(0.68 0.115 ${hue})`);
  const texts = ["page", "card", "accent-soft"].flatMap((ground) => [`ink on ${ground}`, `muted on ${ground}`]);
  const pairs = ["muted on stripe", "accent on card", "failed on card", ...texts];
  const ratios = [...pairs, ...bars.flatMap((bar) => [`on-bar on ${bar}`, `${bar} on card`])].map((pair) => {
    const [light = 0, dark = 0] = pair
      .split(" on ")
      .map(luminance)
      .sort((a, b) => b - a);
    return [pair, (light + 0.05) / (dark + 0.05)] as const;
  });
  return Object.fromEntries(ratios);
}
