import { timeText } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { candlePlaces, KnownCandle } from '../../../core/model/known-candle.ts';
import type { Candle } from '../../../core/model/market.ts';
import type { BarMarket } from './market.ts';

/** Throws `BadInput` when a bar goes back in time, or begins when one of its market is under way. */
export function checkBar({ instrument, bar }: BarMarket, { time }: Candle, openTime: number): void {
  if (time >= openTime && bar === undefined) return;
  throw new BadInput(
    `${instrument.symbol}: expected bars in the order of time, found one of ${timeText(time)} after ${timeText(openTime)}`,
  );
}

/** The bar with its extremes widened, where the data let open or close lie outside them. */
export function whole(bar: Candle): Candle {
  const known = KnownCandle.of(bar);
  if (known !== undefined && isWhole(known)) return bar;
  const { open, close, min, max } = bar;
  if (open >= min && open <= max && close >= min && close <= max) return bar;
  const prices = [open, close, min, max].toSorted((a, b) => (a < b ? -1 : 1));
  return { ...bar, min: prices[0] ?? min, max: prices[3] ?? max };
}

/** Whether it is whole by its numbers alone; false where one is not known. */
function isWhole(bar: KnownCandle): boolean {
  const min = bar.units(candlePlaces.min);
  const max = bar.units(candlePlaces.max);
  const open = bar.units(candlePlaces.open);
  const close = bar.units(candlePlaces.close);
  return open >= min && open <= max && close >= min && close <= max;
}
