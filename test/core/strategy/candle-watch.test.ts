import { expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { Candle } from '../../../src/core/model/market.ts';
import type { StateView } from '../../../src/core/state/view.ts';
import { CandleWatch } from '../../../src/core/strategy/candle-watch.ts';

const minute = 60_000_000;
const latest = Number.MAX_SAFE_INTEGER as Micros;

test('candles that closed since the last look are delivered once each, oldest first, be it one or several', () => {
  const known: Candle[] = [];
  const add = (at: number): void => void known.push({ time: at * minute } as unknown as Candle);
  const view = { candle: (_: InstrumentId, __: string, back: number) => known[known.length - 1 - back] };
  const watch = new CandleWatch(view as unknown as StateView, 0 as InstrumentId, 'M1');
  const look = (): readonly number[] => {
    const received: number[] = [];
    watch.lookForClosed(latest, ({ time }) => received.push(time / minute));
    return received;
  };
  add(0);
  add(1);
  expect(look()).toEqual([]);
  add(2);
  expect(look()).toEqual([1]);
  expect(look()).toEqual([]);
  add(3);
  add(5);
  add(6);
  expect(look()).toEqual([2, 3, 5]);
  // The one that ran is gone: nothing is reported of what had closed before.
  known.splice(0, known.length);
  add(6.5);
  add(7);
  expect(look()).toEqual([6.5]);
});
