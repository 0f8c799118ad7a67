import type { Config } from '../../../src/app/config/schema.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';

/** The configuration of the corridor's benches: ring books, money without end, one strategy on the first instrument. */
export function makerConfig(recording: Pick<Recording, 'instruments'>, path: string): Config {
  const [instrument] = recording.instruments.all;
  if (instrument === undefined) throw new Error('the pack names no instrument');
  const { symbol, spec } = instrument;
  const own = path.includes('market-maker')
    ? { quantity: instrument.quantityText(50 as never), positionMax: instrument.quantityText(500 as never) }
    : { ...(spec.type === 'futures' && { product: 'futures' }) };
  return configSchema.parse({
    run: { seed: 7 },
    state: { ladder: 'ring' },
    backtest: {
      balances: { [spec.baseCurrency]: '100000000', [spec.quoteCurrency]: '1000000000000' },
      ...(spec.type === 'futures' && { futuresBalances: { [spec.quoteCurrency]: '1000000000000' } }),
    },
    strategies: [{ name: 'maker', path, params: { symbol, ...own } }],
  });
}
