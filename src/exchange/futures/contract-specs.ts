import type { Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { SymbolOptions } from '../base/index.ts';
import type { ContractOptions, FuturesOptions } from './options.ts';
import { defaultContracts } from './options.ts';

/**
 * The contracts of an exchange: those named, else the default ones whose underlying it trades. Throws `BadInput`
 * when a named one has no chain of spot symbols that gives its index.
 */
export function contractsOf(
  { futures, symbols }: { readonly futures: FuturesOptions; readonly symbols: readonly SymbolOptions[] },
  now: Micros,
): readonly ContractOptions[] {
  const hasIndex = ({ underlying, quoteCurrency }: ContractOptions) =>
    reachable(symbols, underlying).has(quoteCurrency);
  if (futures.contracts === undefined) return defaultContracts(now, futures).filter(hasIndex);
  for (const contract of futures.contracts) {
    if (hasIndex(contract)) continue;
    throw new BadInput(
      `contract ${contract.symbol}: expected spot symbols from ${contract.underlying} to ${contract.quoteCurrency}, which give its index`,
    );
  }
  return futures.contracts;
}

/**
 * A contract as an instrument: bought and sold in units of the underlying, paid in the quote currency. One whose expiry
 * has passed by `now` is out of trading.
 */
export function contractSpec(contract: ContractOptions, now: Micros): InstrumentSpec {
  const { symbol, quoteCurrency, tickSize, quantityIncrement, takeRate, makeRate } = contract;
  const expiry = contract.expiry === undefined ? undefined : millis(Date.parse(contract.expiry));
  const status = expiry !== undefined && expiry <= now ? 'expired' : contract.status;
  return {
    symbol,
    type: 'futures',
    baseCurrency: contract.underlying,
    quoteCurrency,
    feeCurrency: quoteCurrency,
    tickSize,
    quantityIncrement,
    takeRate,
    makeRate,
    status,
    marginTrading: true,
    maxInitialLeverage: contract.maxInitialLeverage,
    ...(expiry !== undefined && { expiry }),
  };
}

/** Every currency that has a price in `from`, over one symbol or several. */
function reachable(symbols: readonly SymbolOptions[], from: string): ReadonlySet<string> {
  const reached = new Set([from]);
  for (const currency of reached) {
    for (const { baseCurrency, quoteCurrency } of symbols) {
      if (baseCurrency === currency) reached.add(quoteCurrency);
      if (quoteCurrency === currency) reached.add(baseCurrency);
    }
  }
  return reached;
}
