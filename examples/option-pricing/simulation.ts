/** Monte Carlo option prices: the mean payoff over random paths. */
import { type Arrays, type DeviceArray, fuse } from "@cl/array";

import { geometricAsianPrice, type Market } from "./closed-form.js";

/** A sample mean with its standard error. */
export interface Estimate {
  readonly price: number;
  readonly standardError: number;
}

/** Size and seed of a sample. */
export interface Sample {
  readonly paths: number;
  readonly seed: number;
}

type Floats = DeviceArray<"float32">;

/** Discounted payoff of each random number. `fuse` compiles it to one kernel with one pass over memory. */
const payoffs = fuse((normal: Floats, mean: number, width: number, strike: number, discount: number) =>
  normal.mul(width).add(mean).exp().sub(strike).maximum(0).mul(discount),
);

/** Estimates the price of a European call. It depends only on the final price, so a path is one random number. */
export async function europeanCall(xp: Arrays, market: Market, { paths, seed }: Sample): Promise<Estimate> {
  const { spot, strike, rate, volatility, years } = market;
  const mean = Math.log(spot) + (rate - volatility ** 2 / 2) * years;
  const normal = xp.random(seed).standardNormal([paths], { dtype: "float32" });
  return estimate(payoffs(normal, mean, volatility * Math.sqrt(years), strike, Math.exp(-rate * years)));
}

/** Two estimates of a price from the same paths. */
export interface AsianEstimates {
  readonly plain: Estimate;
  /** With the geometric mean as control variate. */
  readonly controlled: Estimate;
}

/** Estimates the price of an Asian call on the arithmetic mean of the daily prices, which has no closed form. */
export async function asianCall(
  xp: Arrays,
  market: Market,
  { paths, seed, days }: Sample & { readonly days: number },
): Promise<AsianEstimates> {
  const { spot, strike, rate, volatility, years } = market;
  const day = years / days;
  const discount = Math.exp(-rate * years);
  // One row per day, one column per path. The logarithm of the price is a random walk, the cumulative sum of a column.
  const steps = xp.random(seed).normal([days, paths], {
    loc: (rate - volatility ** 2 / 2) * day,
    scale: volatility * Math.sqrt(day),
    dtype: "float32",
  });
  const logarithms = steps.cumsum({ axis: 0 }).add(Math.log(spot));
  const payoff = (mean: Floats): Floats => mean.sub(strike).maximum(0).mul(discount);
  const arithmetic = payoff(logarithms.exp().mean({ axis: 0 }));
  const geometric = payoff(logarithms.mean({ axis: 0 }).exp());
  // Control variate: both means have nearly the same error, and that of the geometric mean is known.
  const controlled = arithmetic.sub(geometric).add(geometricAsianPrice(market, days));
  return { plain: await estimate(arithmetic), controlled: await estimate(controlled) };
}

/** Returns the mean and its standard error, the standard deviation divided by the square root of the sample size. */
async function estimate(values: Floats): Promise<Estimate> {
  const [price, deviation] = await Promise.all([values.mean().item(), values.std({ ddof: 1 }).item()]);
  return { price, standardError: deviation / Math.sqrt(values.size) };
}
