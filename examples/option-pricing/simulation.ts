/** What an option is worth by chance: the mean over paths that the price may take. */
import { type Arrays, type DeviceArray, fuse } from "@cl/array";

import { geometricAsianPrice, type Market } from "./closed-form.js";

/** A mean of random numbers, and how far off it is likely to be. */
export interface Estimate {
  readonly price: number;
  readonly standardError: number;
}

/** How much chance there is. */
export interface Sample {
  readonly paths: number;
  readonly seed: number;
}

type Floats = DeviceArray<"float32">;

/** One pass over memory, from the random number to what is paid: `fuse` makes one kernel of it. */
const payoffs = fuse((normal: Floats, mean: number, width: number, strike: number, discount: number) =>
  normal.mul(width).add(mean).exp().sub(strike).maximum(0).mul(discount),
);

/** A call on the price at the end. Only the end matters, so that a path is one random number. */
export async function europeanCall(xp: Arrays, market: Market, { paths, seed }: Sample): Promise<Estimate> {
  const { spot, strike, rate, volatility, years } = market;
  const mean = Math.log(spot) + (rate - volatility ** 2 / 2) * years;
  const normal = xp.random(seed).standardNormal([paths], { dtype: "float32" });
  return estimate(payoffs(normal, mean, volatility * Math.sqrt(years), strike, Math.exp(-rate * years)));
}

/** Two estimates of one price, from the same paths. */
export interface AsianEstimates {
  readonly plain: Estimate;
  /** With what is known of the geometric mean taken into account. */
  readonly controlled: Estimate;
}

/** A call on the arithmetic mean of the prices on so many days: for this there is no formula. */
export async function asianCall(
  xp: Arrays,
  market: Market,
  { paths, seed, days }: Sample & { readonly days: number },
): Promise<AsianEstimates> {
  const { spot, strike, rate, volatility, years } = market;
  const day = years / days;
  const discount = Math.exp(-rate * years);
  // A row for each day, a column for each path: the logarithm of the price is a random walk, a sum down the column.
  const steps = xp.random(seed).normal([days, paths], {
    loc: (rate - volatility ** 2 / 2) * day,
    scale: volatility * Math.sqrt(day),
    dtype: "float32",
  });
  const logarithms = steps.cumsum({ axis: 0 }).add(Math.log(spot));
  const pay = (mean: Floats): Floats => mean.sub(strike).maximum(0).mul(discount);
  const arithmetic = pay(logarithms.exp().mean({ axis: 0 }));
  const geometric = pay(logarithms.mean({ axis: 0 }).exp());
  // Both means are nearly the same. So are the errors of both estimates, and one of the two is known: only the rest of the
  // other one is left to chance (a control variate).
  const controlled = arithmetic.sub(geometric).add(geometricAsianPrice(market, days));
  return { plain: await estimate(arithmetic), controlled: await estimate(controlled) };
}

/** The mean; by the central limit theorem it is off by the deviation over the root of the number. */
async function estimate(values: Floats): Promise<Estimate> {
  const [price, deviation] = await Promise.all([values.mean().item(), values.std({ ddof: 1 }).item()]);
  return { price, standardError: deviation / Math.sqrt(values.size) };
}
