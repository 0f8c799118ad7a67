import type { Micros } from '../base/clock.ts';
import type { StateView } from './view.ts';

/**
 * Why market data come too late to trade on: a connection that falls behind delivers old books without a gap.
 * `undefined` when they do not, and while the venue's clock was not measured. Source: faults, I9 and N9.
 */
export function lateMarket(view: StateView, limit: Micros): string | undefined {
  const lag = view.marketLag;
  if (lag === undefined || lag <= limit) return undefined;
  return `expected market data at most ${limit / 1_000} ms after the venue stamped them, found ${Math.round(lag / 1_000)} ms`;
}
