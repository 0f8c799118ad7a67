import { ConfigError } from '../../core/config/error.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** Throws `ConfigError` where a strategy follows a symbol whose fees a simulated venue cannot take: the rate to a third currency is not in the data. */
export function checkFeeCurrencies(
  instruments: Instruments,
  strategies: readonly Pick<LoadedStrategy, 'feeds'>[],
): void {
  for (const { symbol } of strategies.flatMap(({ feeds }) => feeds)) {
    const instrument = instruments.find(symbol);
    if (instrument?.feesInThird !== true) continue;
    const { baseCurrency, quoteCurrency, feeCurrency } = instrument.spec;
    throw new ConfigError(
      `fees of ${symbol} are in ${feeCurrency}, and a simulated venue takes fees in ${baseCurrency} or ${quoteCurrency} only: such a symbol is traded live or on the embedded exchange`,
    );
  }
}

/** Sentences, one for each of these symbols whose fees nothing values. */
export function thirdFeeNotes(symbols: Iterable<string>, instruments: Instruments): readonly string[] {
  return [...new Set(symbols)].flatMap((symbol) => {
    const instrument = instruments.find(symbol);
    if (instrument?.feesInThird !== true) return [];
    const { feeCurrency, quoteCurrency } = instrument.spec;
    return [
      `fees of ${symbol} are in ${feeCurrency}: profit and limits on loss in ${quoteCurrency} leave them out, positions and balances show them`,
    ];
  });
}
