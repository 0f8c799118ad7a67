import type { Amount } from '../core/base/amount.ts';
import { add, formatAmount, subtract } from '../core/base/amount.ts';
import { timeText } from '../core/base/clock.ts';
import type { Instrument, Ticks } from '../core/model/instrument.ts';
import type { PositionView } from '../core/model/margin.ts';
import { isSameAccount } from '../core/model/margin.ts';
import type { Balance } from '../core/model/market.ts';
import { middleOf, unrealizedNow } from '../core/orders/base/profit.ts';
import { settledProfit } from '../core/ledger/valuation.ts';
import type { StateView } from '../core/state/view.ts';
import type { Trader } from '../core/trader/trader.ts';
import type { BalanceRow, HeldRow, MarginRow } from './schemas.ts';

/** What the strategies of a trader hold and have held, in text. */
export function heldRows({ view, instruments }: Pick<Trader, 'view' | 'instruments'>): HeldRow[] {
  return view.positions().map((position) => {
    const instrument = instruments.at(position.instrument);
    const price = middleOf(view, instrument);
    const unrealized = unrealizedNow(view, position);
    return {
      strategy: position.strategy,
      symbol: instrument.symbol,
      account: position.account,
      quantity: instrument.heldText(position.held),
      averagePrice: position.averagePrice === undefined ? null : formatAmount(position.averagePrice),
      price: price === undefined ? null : formatAmount(price),
      realized: formatAmount(position.realized),
      unrealized: text(unrealized),
      profit: text(unrealized === undefined ? undefined : add(settledProfit(position), unrealized)),
      fees: formatAmount(position.fees),
      feeCurrency: instrument.spec.feeCurrency,
      charges: formatAmount(position.charges),
      currency: instrument.spec.quoteCurrency,
    };
  });
}

/** Wallets of the account, that of spot first, then margin accounts, in text. */
export function balanceRows({ view, instruments }: Pick<Trader, 'view' | 'instruments'>): BalanceRow[] {
  const rows = (wallet: BalanceRow['wallet'], balances: readonly Balance[]): BalanceRow[] =>
    balances.map(({ currency, available, reserved }) => ({
      wallet,
      account: null,
      currency,
      available: formatAmount(available),
      reserved: formatAmount(reserved),
    }));
  const accounts = view.marginAccounts().map(({ product, account }): BalanceRow => {
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
  return [...rows('spot', view.balances()), ...rows('futures', view.balances('futures')), ...accounts];
}

/** Margin accounts of a trader that are open, in text. */
export function marginRows({ view, instruments }: Pick<Trader, 'view' | 'instruments'>): MarginRow[] {
  return view.marginAccounts().map(({ product, account }) => {
    const { mode, instrument, currency, leverage, called, updatedAt, positions } = account;
    const key = { product, mode, instrument, currency };
    return {
      product,
      mode,
      symbol: instrument === undefined ? null : instruments.at(instrument).symbol,
      currency,
      leverage: leverage === undefined ? null : formatAmount(leverage),
      balance: formatAmount(account.balance),
      reservedOrders: formatAmount(account.reservedOrders),
      reservedPositions: formatAmount(account.reservedPositions),
      callMargin: formatAmount(account.callMargin),
      liquidationMargin: formatAmount(account.liquidationMargin),
      called,
      changing: view.marginChanges.some(({ change }) => isSameAccount(change, key)),
      updatedAt: timeText(updatedAt),
      positions: positions.map((position) => marginPosition(position, view, instruments)),
    };
  });
}

function marginPosition(
  position: PositionView,
  view: StateView,
  instruments: Trader['instruments'],
): MarginRow['positions'][number] {
  const instrument = instruments.at(position.instrument);
  const price = middleOf(view, instrument);
  return {
    symbol: instrument.symbol,
    mode: position.mode,
    quantity: formatAmount(position.quantity),
    entry: formatAmount(position.entry),
    price: price === undefined ? null : formatAmount(price),
    marginCallPrice: priceText(instrument, position.marginCall),
    liquidationPrice: priceText(instrument, position.liquidation),
    leverage: formatAmount(position.leverage),
    pnl: formatAmount(position.pnl),
  };
}

/** How many executions a strategy has had, those of earlier runs of the journal counted. */
export function fillsOf(view: Pick<StateView, 'positions'>, strategy: string): number {
  return view
    .positions()
    .filter((one) => one.strategy === strategy)
    .reduce((sum, { fillCount }) => sum + fillCount, 0);
}

/** A price in decimals, where there is one. */
export function priceText(instrument: Instrument, price: Ticks | undefined): string | null {
  return price === undefined ? null : instrument.priceText(price);
}

function text(amount: Amount | undefined): string | null {
  return amount === undefined ? null : formatAmount(amount);
}
