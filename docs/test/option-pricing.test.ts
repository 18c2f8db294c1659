/** The numbers of examples/option-pricing. */
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { expect, test } from "vitest";

import { europeanPrice, geometricAsianPrice, type Market } from "../../examples/option-pricing/closed-form.js";
import { asianCall, europeanCall } from "../../examples/option-pricing/simulation.js";

const xp = arrays(new CommandQueue(Context.create()));
const market: Market = { spot: 100, strike: 100, rate: 0.05, volatility: 0.2, years: 1 };

test("the closed forms equal textbook values", () => {
  expect(europeanPrice(market)).toBeCloseTo(10.450584, 6);
  expect(europeanPrice({ spot: 42, strike: 40, rate: 0.1, volatility: 0.2, years: 0.5 })).toBeCloseTo(4.759422, 6);
  // The mean over one day is the final price.
  expect(geometricAsianPrice(market, 1)).toBeCloseTo(europeanPrice(market), 10);
});

test("europeanCall() agrees with Black-Scholes within four standard errors", async () => {
  for (const strike of [80, 100, 130]) {
    const exact = europeanPrice({ ...market, strike });
    const { price, standardError } = await europeanCall(xp, { ...market, strike }, { paths: 400_000, seed: 7 });
    expect(Math.abs(price - exact), `strike ${strike}`).toBeLessThan(4 * standardError);
    expect(standardError).toBeLessThan(0.04);
  }
});

test("the 95 % interval contains the true price for about 95 of 100 seeds", { tags: "full" }, async () => {
  const exact = europeanPrice(market);
  let within = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { price, standardError } = await europeanCall(xp, market, { paths: 5000, seed });
    if (Math.abs(price - exact) < 1.96 * standardError) within++;
  }
  // Three binomial standard deviations to either side.
  expect(within).toBeGreaterThanOrEqual(88);
  expect(within).toBeLessThanOrEqual(100);
});

test("sixteen times as many paths reduce the standard error to a quarter", async () => {
  const few = await europeanCall(xp, market, { paths: 10_000, seed: 3 });
  const many = await europeanCall(xp, market, { paths: 160_000, seed: 3 });
  expect(few.standardError / many.standardError).toBeCloseTo(4, 0);
});

test(
  "asianCall() agrees with and without the control variate, which reduces the standard error tenfold",
  { tags: "ci" },
  async () => {
    const { plain, controlled } = await asianCall(xp, market, { paths: 20_000, days: 50, seed: 5 });
    const combined = Math.hypot(plain.standardError, controlled.standardError);
    expect(Math.abs(plain.price - controlled.price)).toBeLessThan(4 * combined);
    expect(controlled.standardError).toBeLessThan(plain.standardError / 10);
    // The geometric mean is smaller than the arithmetic one, and a mean varies less than the final price.
    expect(controlled.price).toBeGreaterThan(geometricAsianPrice(market, 50));
    expect(controlled.price).toBeLessThan(europeanPrice(market));
  },
);

test("an Asian call over one day equals the European call", { tags: "full" }, async () => {
  const { controlled } = await asianCall(xp, market, { paths: 10_000, days: 1, seed: 5 });
  expect(controlled.price).toBeCloseTo(europeanPrice(market), 3);
});
