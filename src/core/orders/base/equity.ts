import type { Amount } from '../../base/amount.ts';
import { add } from '../../base/amount.ts';
import { valueOf } from '../../ledger/valuation.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { StateView } from '../../state/index.ts';
import { middleOf, unrealizedNow } from './profit.ts';

/** Price of a base currency in a quote currency. */
export interface Price {
  readonly quote: string;
  readonly price: Amount;
}

/** Prices by base currency: the quote currency and the middle of the first spot symbol that has a price. */
export function pricesOf(view: StateView): ReadonlyMap<string, Price> {
  const prices = new Map<string, Price>();
  for (const instrument of view.instruments.all) {
    const { type, baseCurrency, quoteCurrency: quote } = instrument.spec;
    if (type !== 'spot' || prices.has(baseCurrency)) continue;
    const price = middleOf(view, instrument);
    if (price !== undefined) prices.set(baseCurrency, { quote, price });
  }
  return prices;
}

/** Equity of wallets and margin accounts, as far as it can be valued in a currency. */
export function equityIn(
  quote: string,
  prices: ReadonlyMap<string, Price>,
  view: StateView,
  more: readonly (readonly [currency: string, amount: Amount])[] = [],
): Amount {
  const held = [...more];
  for (const wallet of [undefined, 'futures'] as const)
    for (const { currency, available, reserved } of view.balances(wallet))
      held.push([currency, add(available, reserved)]);
  for (const { account } of view.marginAccounts()) held.push([account.currency, account.balance]);
  return valueOf(held, quote, (currency) => {
    const known = prices.get(currency);
    return known?.quote === quote ? known.price : undefined;
  });
}

/**
 * Equity by quote currency of these instruments: wallets and margin accounts as far as each can be valued in it, and what is unrealised
 * on margin. A currency that several symbols price counts in the first one alone. Empty before the account has been read.
 */
export function equities(view: StateView, instruments: readonly Instrument[]): ReadonlyMap<string, Amount> {
  if (view.balances().length === 0 && view.balances('futures').length === 0) return new Map();
  const prices = pricesOf(view);
  const unrealized = view
    .positions()
    .filter(({ account }) => account !== 'spot')
    .flatMap((position) => {
      const amount = unrealizedNow(view, position);
      const { quoteCurrency } = view.instruments.at(position.instrument).spec;
      return amount === undefined ? [] : [[quoteCurrency, amount] as const];
    });
  const quotes = new Set(instruments.map(({ spec }) => spec.quoteCurrency));
  return new Map([...quotes].map((quote) => [quote, equityIn(quote, prices, view, unrealized)]));
}
