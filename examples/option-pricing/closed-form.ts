/** Closed-form option prices, as a reference for the simulations. */

/** A stock and a call option on it. */
export interface Market {
  readonly spot: number;
  readonly strike: number;
  /** Continuously compounded interest rate per year, as a fraction. */
  readonly rate: number;
  readonly volatility: number;
  readonly years: number;
}

/** Returns the price of a European call (Black-Scholes). */
export function europeanPrice(market: Market): number {
  const { spot, rate, volatility, years } = market;
  return lognormalCall(market, Math.log(spot) + (rate - volatility ** 2 / 2) * years, volatility ** 2 * years);
}

/**
 * Returns the price of an Asian call on the geometric mean over evenly spaced days. It has a closed form, unlike the
 * arithmetic mean, because a product of lognormal prices is lognormal.
 */
export function geometricAsianPrice(market: Market, days: number): number {
  const { spot, rate, volatility, years } = market;
  const mean = Math.log(spot) + ((rate - volatility ** 2 / 2) * years * (days + 1)) / (2 * days);
  return lognormalCall(market, mean, (volatility ** 2 * years * (days + 1) * (2 * days + 1)) / (6 * days ** 2));
}

/** Returns the discounted expectation of max(X - strike, 0), where log(X) is normal with this mean and variance. */
function lognormalCall({ strike, rate, years }: Market, mean: number, variance: number): number {
  const width = Math.sqrt(variance);
  const d2 = (mean - Math.log(strike)) / width;
  const expected = Math.exp(mean + variance / 2) * normalCdf(d2 + width) - strike * normalCdf(d2);
  return Math.exp(-rate * years) * expected;
}

/** Standard normal distribution function, by a series that converges for all x (Marsaglia 2004). */
function normalCdf(x: number): number {
  let [sum, term] = [x, x];
  for (let n = 3; Math.abs(term) > 1e-17 * Math.abs(sum); n += 2) {
    term *= x ** 2 / n;
    sum += term;
  }
  return 0.5 + (sum * Math.exp(-(x ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}
