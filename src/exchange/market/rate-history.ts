import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, multiply } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { divide } from '../../core/model/margin-math.ts';
import type { CandlePeriod } from '../../core/model/market.ts';
import type { PriceBar } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Bar, Ring } from '../base/index.ts';
import type { RateStep, Rates } from './rates.ts';

const one = (10n ** BigInt(amountDecimals)) as Amount;

/**
 * Worth of a currency over time: the candles of the path's symbols multiplied. A period is there when the
 * first symbol of the path traded in it; the others give their last candle up to then. Oldest first.
 */
export function rateHistory(
  rates: Rates,
  from: string,
  to: string,
  period: CandlePeriod,
): readonly PriceBar[] {
  const path = rates.path(from, to);
  const [first, ...rest] = path ?? [];
  if (first === undefined) return [];
  const bars = first.market.candles.bars(period);
  const entries: PriceBar[] = [];
  for (let i = 0; i < bars.size; i++) {
    const bar = bars.at(i) as Bar;
    let entry: PriceBar | undefined = pricesOf(first, bar);
    for (const step of rest) {
      const other = lastUpTo(step.market.candles.bars(period), bar.time);
      entry = entry !== undefined && other !== undefined ? product(entry, pricesOf(step, other)) : undefined;
    }
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function pricesOf({ market, forward }: RateStep, bar: Bar): PriceBar {
  const { instrument } = market;
  const price = (ticks: Bar['open']) =>
    forward ? instrument.priceAmount(ticks) : divide(one, instrument.priceAmount(ticks));
  return {
    time: bar.time,
    open: price(bar.open),
    close: price(bar.close),
    min: price(forward ? bar.min : bar.max),
    max: price(forward ? bar.max : bar.min),
  };
}

function product(a: PriceBar, b: PriceBar): PriceBar {
  return {
    time: a.time,
    open: multiply(a.open, b.open),
    close: multiply(a.close, b.close),
    min: multiply(a.min, b.min),
    max: multiply(a.max, b.max),
  };
}

function lastUpTo(bars: Ring<Bar>, time: Micros): Bar | undefined {
  return bars.at(bars.lowerBound(time + 1, (bar) => bar.time) - 1);
}
