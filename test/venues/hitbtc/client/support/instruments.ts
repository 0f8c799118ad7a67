import type { InstrumentSpec } from '../../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../../src/core/model/instrument.ts';

function spec(symbol: string, base: string, quote: string): InstrumentSpec {
  return {
    symbol,
    type: 'spot',
    baseCurrency: base,
    quoteCurrency: quote,
    feeCurrency: quote,
    tickSize: '0.01',
    quantityIncrement: '0.01',
    takeRate: '0.001',
    makeRate: '0.0005',
    status: 'working',
    marginTrading: false,
  };
}

/** AAABBB and CCCBBB, tick and increment 0.01. */
export function twoInstruments(): Instruments {
  return new Instruments([spec('AAABBB', 'AAA', 'BBB'), spec('CCCBBB', 'CCC', 'BBB')]);
}
