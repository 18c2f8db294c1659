// Prices call options by simulating millions of paths of the stock price.
import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

import { europeanPrice, type Market } from "./closed-form.js";
import { asianCall, type Estimate, europeanCall } from "./simulation.js";

const queue = new CommandQueue(Context.create());
const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });
const market: Market = { spot: 100, strike: 105, rate: 0.03, volatility: 0.25, years: 1 };

/** Formats the price with its 95 % confidence interval. */
const interval = ({ price, standardError }: Estimate): string =>
  `${price.toFixed(3)} [${(price - 1.96 * standardError).toFixed(3)}, ${(price + 1.96 * standardError).toFixed(3)}]`;

const european = await europeanCall(xp, market, { paths: 4_000_000, seed: 1 });
console.log(`European call, 4,000,000 paths: ${interval(european)}`);
const exact = europeanPrice(market);
const deviation = (european.price - exact) / european.standardError;
console.log(`Black-Scholes: ${exact.toFixed(3)}, ${Math.abs(deviation).toFixed(1)} standard errors away`);

const { plain, controlled } = await asianCall(xp, market, { paths: 100_000, days: 50, seed: 2 });
console.log(`Asian call, 100,000 paths of 50 days: ${interval(plain)}`);
console.log(`with the geometric mean as control variate: ${interval(controlled)}`);
