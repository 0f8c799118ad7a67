import { add, formatAmount, subtract } from '../../core/base/amount.ts';
import type { Balance } from '../../core/model/market.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { ViewRowOf } from './view.ts';
import { decimal, oneOf, orNull, view, word } from './view.ts';

const fields = {
  wallet: oneOf(
    ['spot', 'futures', 'marginAccount'],
    'spot: of spot and margin trading; futures: of contracts; marginAccount: money of an account',
  ),
  account: orNull(word(), 'product, mode and symbol or currency of a margin account; null: a wallet'),
  currency: word(),
  available: decimal('what is not reserved'),
  reserved: decimal('for orders; of a margin account for orders and positions'),
};

export type BalanceRow = ViewRowOf<typeof fields>;

export const balancesView = view({
  name: 'balances',
  command: 'balances',
  isOfMoney: true,
  text: 'wallets and margin accounts, with what is reserved in each',
  empty: 'no balances',
  fields,
  columns: ['wallet', 'account', 'currency', 'available', 'reserved'],
  card: {
    order: 100,
    title: 'Balances',
    kind: 'table',
    key: ['wallet', 'account', 'currency'],
    columns: [{ field: 'account', title: 'wallet', or: 'wallet' }, 'currency', 'available', 'reserved'],
  },
  rows: ({ trader }) => balanceRows(trader),
});

/** Wallets of the account, that of spot first, then margin accounts, in text. */
export function balanceRows({
  view: state,
  instruments,
}: Pick<Trader, 'view' | 'instruments'>): BalanceRow[] {
  const rows = (wallet: BalanceRow['wallet'], balances: readonly Balance[]): BalanceRow[] =>
    balances.map(({ currency, available, reserved }) => ({
      wallet,
      account: null,
      currency,
      available: formatAmount(available),
      reserved: formatAmount(reserved),
    }));
  const accounts = state.marginAccounts().map(({ product, account }): BalanceRow => {
    const { mode, instrument, currency, balance, reservedOrders, reservedPositions } = account;
    const reserved = add(reservedOrders, reservedPositions);
    return {
      wallet: 'marginAccount',
      account: `${product} ${mode} ${instrument === undefined ? currency : instruments.at(instrument).symbol}`,
      currency,
      available: formatAmount(subtract(balance, reserved)),
      reserved: formatAmount(reserved),
    };
  });
  return [...rows('spot', state.balances()), ...rows('futures', state.balances('futures')), ...accounts];
}
