import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { escapeHtml, html, scriptJson } from "../../src/report/html.js";
import { binCount, bins } from "../../src/report/page/bins.js";
import { ticks } from "../../src/report/page/ticks.js";
import { between, clamped, panned, type Range, showing, zoomed } from "../../src/report/page/viewport.js";

const limits = { from: 0, to: 1e9 };
const time = fc.double({ min: 0, max: 1e9, noNaN: true });
const someRange = fc.tuple(time, time).map(([a, b]) => clamped({ from: Math.min(a, b), to: Math.max(a, b) }, limits));

const inside = ({ from, to }: Range): boolean => from >= -1e-6 && to <= 1e9 + 1e-6 && to > from;

describe("the visible range", () => {
  test("stays within the trace when it is zoomed or panned", () => {
    fc.assert(
      fc.property(someRange, fc.double({ min: 0.01, max: 100, noNaN: true }), time, (range, factor, around) => {
        expect(inside(zoomed(range, factor, around, limits))).toBe(true);
        expect(inside(panned(range, factor - 50, limits))).toBe(true);
        expect(inside(showing(range, { from: around, to: Math.min(1e9, around + factor) }, limits))).toBe(true);
      }),
    );
  });

  test("keeps the time at the pointer when it is zoomed", () => {
    const range = zoomed({ from: 200, to: 600 }, 0.5, 300, limits);
    expect(range).toEqual({ from: 250, to: 450 });
    expect(zoomed({ from: 0, to: 12 }, 0.01, 6, limits)).toEqual({ from: 1, to: 11 });
  });

  test("is interpolated smoothly between two ranges", () => {
    const [a, b] = [
      { from: 0, to: 1000 },
      { from: 400, to: 500 },
    ];
    expect(between(a, b, 0)).toEqual(a);
    const end = between(a, b, 1);
    expect([end.from, end.to].map(Math.round)).toEqual([400, 500]);
    const half = between(a, b, 0.5);
    expect(half.to - half.from).toBeCloseTo(Math.sqrt(1000 * 100), 6);
    expect(between(a, { from: 100, to: 1100 }, 0.5)).toEqual({ from: 50, to: 1050 });
  });
});

describe("an axis", () => {
  test("has round times, limited by the given number", () => {
    fc.assert(
      fc.property(someRange, fc.integer({ min: 1, max: 20 }), ({ from, to }, most) => {
        const { marks } = ticks(from, to, most);
        expect(marks.length).toBeLessThanOrEqual(most + 1);
        for (const mark of marks) expect(mark.time >= from - 1e-3 && mark.time <= to + 1e-3).toBe(true);
        expect(new Set(marks.map(({ label }) => label)).size).toBe(marks.length);
      }),
    );
  });

  test("has times relative to a base if absolute times would be long", () => {
    const { marks, base } = ticks(5.6789e9, 5.6789e9 + 2000, 4);
    expect(base).toBe("5.6789 s");
    expect(marks.map(({ label }) => label)).toEqual(["+0.0 µs", "+0.5 µs", "+1.0 µs", "+1.5 µs", "+2.0 µs"]);
    expect(ticks(0, 1e7, 5)).toEqual({
      base: "",
      marks: [0, 2, 4, 6, 8, 10].map((ms) => ({ time: ms * 1e6, label: `${ms} ms` })),
    });
  });
});

describe("a histogram", () => {
  test("has every value in a bar, on linear and logarithmic scales", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1e9 }), { maxLength: 200 }), fc.boolean(), (values, logarithmic) => {
        const { edges, counts } = bins(values, binCount(values.length), logarithmic);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
        if (values.length === 0) return;
        expect(edges).toHaveLength(counts.length + 1);
        for (const [i, edge] of edges.entries()) if (i > 0) expect(edge).toBeGreaterThan(edges[i - 1] as number);
      }),
    );
  });

  test("assigns values to the right bars", () => {
    expect(bins([0, 1, 2, 3, 9, 10], 5, false).counts).toEqual([2, 2, 0, 0, 2]);
    expect(bins([1, 10, 100, 1000], 3, true).counts).toEqual([1, 1, 2]);
    expect(bins([7, 7], 4, false).counts.reduce((a, b) => a + b)).toBe(2);
  });
});

describe("embedded content", () => {
  test("is escaped", () => {
    expect(html`<a title="${'"><script>'}">${[html`<b>${1}</b>`, html`&`]}</a>`.safe).toBe(
      '<a title="&#34;&#62;&#60;script&#62;"><b>1</b>&</a>',
    );
    expect(escapeHtml("<&>\"'")).toBe("&#60;&#38;&#62;&#34;&#39;");
  });

  test("cannot end a script element, and remains valid JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = scriptJson(value);
        expect(text).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(scriptJson("</script><!--\u2028")).toBe(String.raw`"\u003c/script\u003e\u003c!--\u2028"`);
  });
});
