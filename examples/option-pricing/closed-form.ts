/** What an option is worth by a formula: what simulations are measured by. */

/** A stock, and the right to buy it some day. */
export interface Market {
  readonly spot: number;
  readonly strike: number;
  /** Interest a year, as a fraction, compounded continuously. */
  readonly rate: number;
  readonly volatility: number;
  readonly years: number;
}

/** A call on the price at the end, by Black and Scholes. */
export function europeanPrice(market: Market): number {
  const { spot, rate, volatility, years } = market;
  return lognormalCall(market, Math.log(spot) + (rate - volatility ** 2 / 2) * years, volatility ** 2 * years);
}

/**
 * A call on the geometric mean of the prices on so many days, evenly spaced. That of the arithmetic mean has no formula, but
 * a product of lognormal prices is lognormal again.
 */
export function geometricAsianPrice(market: Market, days: number): number {
  const { spot, rate, volatility, years } = market;
  const mean = Math.log(spot) + ((rate - volatility ** 2 / 2) * years * (days + 1)) / (2 * days);
  return lognormalCall(market, mean, (volatility ** 2 * years * (days + 1) * (2 * days + 1)) / (6 * days ** 2));
}

/** What max(X - strike, 0) is worth today, where X at the end is lognormal with this mean and variance of its logarithm. */
function lognormalCall({ strike, rate, years }: Market, mean: number, variance: number): number {
  const width = Math.sqrt(variance);
  const d2 = (mean - Math.log(strike)) / width;
  const expected = Math.exp(mean + variance / 2) * normalCdf(d2 + width) - strike * normalCdf(d2);
  return Math.exp(-rate * years) * expected;
}

/** The probability that a normal number is below x, by a series that converges for all x (Marsaglia 2004). */
function normalCdf(x: number): number {
  let [sum, term] = [x, x];
  for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(sum); n += 2) {
    term *= x ** 2 / n;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(x ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}
