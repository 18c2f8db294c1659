/** The numbers of examples/option-pricing. */
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { europeanPrice, geometricAsianPrice, type Market } from "../../examples/option-pricing/closed-form.js";
import { asianCall, europeanCall } from "../../examples/option-pricing/simulation.js";

const xp = arrays(new CommandQueue(Context.create()));
const market: Market = { spot: 100, strike: 100, rate: 0.05, volatility: 0.2, years: 1 };

test("the formula gives what textbooks have", () => {
  expect(europeanPrice(market)).toBeCloseTo(10.450584, 6);
  expect(europeanPrice({ spot: 42, strike: 40, rate: 0.1, volatility: 0.2, years: 0.5 })).toBeCloseTo(4.759422, 6);
  // A mean over one day is the price at the end.
  expect(geometricAsianPrice(market, 1)).toBeCloseTo(europeanPrice(market), 10);
});

test("a European call is worth what Black and Scholes say, within the standard error", async () => {
  for (const strike of [80, 100, 130]) {
    const exact = europeanPrice({ ...market, strike });
    const { price, standardError } = await europeanCall(xp, { ...market, strike }, { paths: 400_000, seed: 7 });
    expect(Math.abs(price - exact), `strike ${strike}`).toBeLessThan(4 * standardError);
    expect(standardError).toBeLessThan(0.04);
  }
});

test("the interval holds the price for 95 of 100 seeds or so", async () => {
  const exact = europeanPrice(market);
  let within = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { price, standardError } = await europeanCall(xp, market, { paths: 5000, seed });
    if (Math.abs(price - exact) < 1.96 * standardError) within++;
  }
  // Three deviations of a binomial number on either side.
  expect(within).toBeGreaterThanOrEqual(88);
  expect(within).toBeLessThanOrEqual(100);
});

test("sixteen times as many paths make a quarter of the error", async () => {
  const few = await europeanCall(xp, market, { paths: 10_000, seed: 3 });
  const many = await europeanCall(xp, market, { paths: 160_000, seed: 3 });
  expect(few.standardError / many.standardError).toBeCloseTo(4, 0);
});

test("the Asian call agrees with and without its control, which leaves little to chance", async () => {
  const { plain, controlled } = await asianCall(xp, market, { paths: 20_000, days: 50, seed: 5 });
  const both = Math.hypot(plain.standardError, controlled.standardError);
  expect(Math.abs(plain.price - controlled.price)).toBeLessThan(4 * both);
  expect(controlled.standardError).toBeLessThan(plain.standardError / 10);
  // The geometric mean is the smaller one, and a mean moves less than the price at its end.
  expect(controlled.price).toBeGreaterThan(geometricAsianPrice(market, 50));
  expect(controlled.price).toBeLessThan(europeanPrice(market));
});

test("on one day both Asian calls are the European one", async () => {
  const { controlled } = await asianCall(xp, market, { paths: 10_000, days: 1, seed: 5 });
  expect(controlled.price).toBeCloseTo(europeanPrice(market), 3);
});
