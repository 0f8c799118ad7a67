import { Instruments } from '../../src/core/model/instrument.ts';
import type { InstrumentSpec } from '../../src/core/model/instrument.ts';

/** A working spot symbol without fees, one tick 1 and one lot 1, unless set otherwise. */
export function spotSpec(symbol: string, change: Partial<InstrumentSpec> = {}): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency: 'AAA',
    quoteCurrency: 'BBB',
    feeCurrency: change.quoteCurrency ?? 'BBB',
    tickSize: '1',
    quantityIncrement: '1',
    takeRate: '0',
    makeRate: '0',
    status: 'working',
    marginTrading: false,
    ...change,
  };
}

/** One symbol AAABBB, with the given changes. */
export function oneMarket(change: Partial<InstrumentSpec> = {}): Instruments {
  return new Instruments([spotSpec('AAABBB', change)]);
}
