import type { Amount } from '../../core/base/amount.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Balance } from '../../core/model/market.ts';
import type { LoadedStrategy } from './strategy-plans.ts';

/** Balance of each traded currency when the configuration names none. */
const balanceDefault = '1000000';

/** Balances that a simulated account starts with: the balances named, or a million of every currency the strategies trade. */
export function openingBalances(
  named: Readonly<Record<string, string>>,
  instruments: Instruments,
  strategies: readonly Pick<LoadedStrategy, 'feeds'>[],
): readonly Balance[] {
  const traded = strategies
    .flatMap((one) => one.feeds)
    .flatMap(({ symbol }) => {
      // A missing one is reported where the strategy begins.
      const spec = instruments.find(symbol)?.spec;
      return spec === undefined ? [] : [spec.baseCurrency, spec.quoteCurrency];
    });
  const entries =
    Object.keys(named).length > 0
      ? Object.entries(named)
      : [...new Set(traded)].map((currency) => [currency, balanceDefault] as const);
  return balancesOf(Object.fromEntries(entries));
}

/** Balances of a run on bars, by currency: those named, or a million of every currency of the data. */
export function barBalances(
  named: Readonly<Record<string, string>>,
  { all }: Pick<Instruments, 'all'>,
): Readonly<Record<string, string>> {
  if (Object.keys(named).length > 0) return named;
  const currencies = all.flatMap(({ spec }) => [spec.baseCurrency, spec.quoteCurrency]);
  return Object.fromEntries([...new Set(currencies)].map((currency) => [currency, balanceDefault]));
}

/** Balances that the account of contracts starts with: the balances named, or a million of what the contracts of the run settle in. */
export function openingFutures(
  named: Readonly<Record<string, string>> | undefined,
  { all }: Pick<Instruments, 'all'>,
): readonly Balance[] {
  if (named !== undefined) return balancesOf(named);
  const settled = all.filter(({ spec }) => spec.type === 'futures').map(({ spec }) => spec.quoteCurrency);
  return balancesOf(Object.fromEntries([...new Set(settled)].map((currency) => [currency, balanceDefault])));
}

/** Named balances as an account reports them. */
export function balancesOf(named: Readonly<Record<string, string>>): readonly Balance[] {
  return Object.entries(named).map(([currency, text]) => ({
    currency,
    available: parseAmount(text),
    reserved: zero,
  }));
}

/** The same as amounts by currency. */
export function amountsOf(named: Readonly<Record<string, string>>): ReadonlyMap<string, Amount> {
  return new Map(Object.entries(named).map(([currency, text]) => [currency, parseAmount(text)]));
}

/** Why a run without named balances has no shares of them. */
export const assumedOnly = 'opening balances were only assumed';
