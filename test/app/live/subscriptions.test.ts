import { expect, test } from 'vitest';
import { subscriptionsOf } from '../../../src/app/live/subscriptions.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import type { BarSpec } from '../../../src/core/model/market.ts';
import { abcInstruments } from '../../venues/hitbtc/wire/arbitrary.ts';

const { symbol } = abcInstruments.at(0 as InstrumentId);

test.each<[readonly BarSpec[], readonly string[], boolean]>([
  [['45m', '2h'], ['M15', 'H1'], false],
  [['7m', '5d', '2w'], ['M1', 'D1', 'D7'], false],
  [['M5', '5d', 'D1'], ['M5', 'D1'], false],
  [['90s'], [], true],
  [['volume:2', '45m'], ['M15'], true],
])(
  'bars %j are followed as the longest candles of the venue that make them, others by trades',
  (candles, periods, trades) => {
    const [subscription] = subscriptionsOf([{ symbol, candles }], abcInstruments);
    expect(subscription).toMatchObject({ candles: periods, trades, book: false });
  },
);
