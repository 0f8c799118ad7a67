import { BadInput } from '../../core/base/errors.ts';
import type { InstrumentSpec, Instruments } from '../../core/model/instrument.ts';
import type { ExchangeOptionsInput } from '../../exchange/index.ts';
import type { Config } from '../config/schema.ts';
import { barBalances } from '../run/opening-balances.ts';

/** Code of the API for a name of another venue, such as `BTCUSDT` for `btc/usdt`: capitals, digits and `_`. */
export function apiCodeOf(name: string): string {
  if (/^[\p{Lu}\p{Lo}\p{Nd}_]{2,20}$/u.test(name)) return name;
  const code = name.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '');
  return (code.length < 2 ? `X${code}` : code).slice(-20);
}

/**
 * The options of an exchange that lists what a recording holds: its symbols with their grids and fees, its currencies, and the
 * accounts of the configuration. Each of these that has money begins with that of a backtest (`backtest.balances`, or a million of
 * each currency). Orders are those of spot trading: contracts are bought whole, and nothing is lent.
 *
 * Throws `BadInput` where two names have one code.
 */
export function recordedListing(
  { all }: Instruments,
  { exchange, backtest }: Pick<Config, 'exchange' | 'backtest'>,
): ExchangeOptionsInput {
  const symbols = all.map(({ spec }) => symbolOf(spec));
  const names = new Map<string, string>();
  for (const [index, { symbol }] of symbols.entries()) {
    const name = all[index]?.symbol ?? symbol;
    const known = names.get(symbol);
    if (known !== undefined)
      throw new BadInput(
        `expected symbols that differ in letters and digits, found ${known} and ${name}: import one of them alone`,
      );
    names.set(symbol, name);
  }
  const codes = new Set(symbols.flatMap((one) => [one.baseCurrency, one.quoteCurrency, one.feeCurrency]));
  const balances = Object.fromEntries(
    Object.entries(barBalances(backtest.balances, { all })).map(([currency, amount]) => [
      apiCodeOf(currency),
      amount,
    ]),
  );
  const accounts = exchange.accounts.map((account) => ({
    ...account,
    balances: Object.keys(account.balances).length === 0 ? {} : balances,
    derivatives: {},
  }));
  return {
    ...exchange,
    symbols,
    currencies: [...codes].map((code) => ({ code, fullName: code, price: '1' })),
    accounts,
    flow: { enabled: false },
    futures: { ...exchange.futures, contracts: [], quarterly: false },
    buyCrypto: { sources: [], providers: [] },
  };
}

function symbolOf({
  symbol,
  tickSize,
  quantityIncrement,
  takeRate,
  makeRate,
  status,
  ...spec
}: InstrumentSpec) {
  return {
    symbol: apiCodeOf(symbol),
    baseCurrency: apiCodeOf(spec.baseCurrency),
    quoteCurrency: apiCodeOf(spec.quoteCurrency),
    feeCurrency: apiCodeOf(spec.feeCurrency),
    tickSize,
    quantityIncrement,
    takeRate,
    makeRate,
    status,
    marginTrading: false,
  };
}
