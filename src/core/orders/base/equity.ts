import type { Amount } from '../../base/amount.ts';
import { add } from '../../base/amount.ts';
import { valueOf } from '../../ledger/valuation.ts';
import type { StateView } from '../../state/index.ts';
import { middleOf } from './profit.ts';

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
export function equityIn(quote: string, prices: ReadonlyMap<string, Price>, view: StateView): Amount {
  const held: (readonly [string, Amount])[] = [];
  for (const wallet of [undefined, 'futures'] as const)
    for (const { currency, available, reserved } of view.balances(wallet))
      held.push([currency, add(available, reserved)]);
  for (const { account } of view.marginAccounts()) held.push([account.currency, account.balance]);
  return valueOf(held, quote, (currency) => {
    const known = prices.get(currency);
    return known?.quote === quote ? known.price : undefined;
  });
}
