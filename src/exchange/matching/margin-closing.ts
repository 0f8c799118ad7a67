import { zero } from '../../core/base/amount.ts';
import type { Lots } from '../../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../core/model/order.ts';
import type { Desk } from './desk.ts';
import { enter } from './entry.ts';
import { admit } from './holding.ts';
import type { MarginAccount } from './margin-account.ts';
import type { Market } from './market.ts';

/** Closes what an account has open on a market, as far as the book goes. */
export function closeAtMarket(desk: Desk, account: MarginAccount, market: Market, liquidates: boolean): void {
  const open = account.positions.get(market.instrument.id)?.quantity ?? 0;
  if (open === 0) return;
  openReducing(desk, account, market, {
    liquidates,
    request: {
      clientOrderId: `${liquidates ? 'liquidation' : 'close'}-${desk.nextOrderNumber()}` as ClientOrderId,
      instrument: market.instrument.id,
      side: open > 0 ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'IOC',
      quantity: Math.abs(open) as Lots,
      price: undefined,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
}

/** An order of the exchange's own making that may only make a position smaller. It needs no margin. */
export function openReducing(
  desk: Desk,
  account: MarginAccount,
  market: Market,
  order: { readonly request: OrderRequest; readonly liquidates: boolean },
): void {
  const owner = desk.account(account.owner);
  const { baseCurrency, quoteCurrency } = market.instrument.spec;
  const seat = {
    account: account.owner,
    base: desk.purse(owner, baseCurrency),
    quote: desk.purse(owner, quoteCurrency),
    terms: market.terms(zero, zero),
    margin: account,
    port: undefined,
    isFree: false,
    tills: undefined,
  };
  const record = desk.orders.open(order.request, seat, {
    number: desk.nextOrderNumber(),
    createdAt: desk.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  record.margin = { mode: account.mode, reduceOnly: true, closePosition: false, auto: false };
  record.liquidates = order.liquidates;
  admit(desk, record);
  enter(desk, market, record, 'new');
}
