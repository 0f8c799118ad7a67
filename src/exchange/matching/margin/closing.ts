import { zero } from '../../../core/base/amount.ts';
import type { Lots } from '../../../core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../../core/model/order.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { enter, admit } from '../execution/index.ts';
import type { MarginAccount } from '../accounts/index.ts';
import type { OrderRecord } from '../orders/index.ts';

/** Closes what an account has open on a market, as far as the book goes. */
export function closeAtMarket(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
  liquidates: boolean,
): void {
  const open = account.positions.get(market.instrument.id)?.quantity ?? 0;
  if (open === 0) return;
  const record = openReducing(exchange, account, market, {
    liquidates,
    request: {
      clientOrderId: `${liquidates ? 'liquidation' : 'close'}-${exchange.nextOrderNumber()}` as ClientOrderId,
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
  enter(exchange, market, record, 'new');
}

/** An order of the exchange's own making that may only make a position smaller. It needs no margin, and is not at the market yet. */
export function openReducing(
  exchange: ExchangeState,
  account: MarginAccount,
  market: ExchangeMarket,
  order: { readonly request: OrderRequest; readonly liquidates: boolean },
): OrderRecord {
  const owner = exchange.account(account.owner);
  const { baseCurrency, quoteCurrency } = market.instrument.spec;
  const context = {
    account: account.owner,
    base: exchange.wallet(owner, baseCurrency),
    quote: exchange.wallet(owner, quoteCurrency),
    terms: market.terms(zero, zero),
    margin: account,
    port: undefined,
    third: undefined,
    isFree: false,
    integers: undefined,
  };
  const record = exchange.orders.open(order.request, context, {
    number: exchange.nextOrderNumber(),
    createdAt: exchange.now,
    originalClientOrderId: undefined,
    cumulative: 0 as Lots,
  });
  record.margin = { mode: account.mode, reduceOnly: true, closePosition: false, auto: false };
  record.liquidates = order.liquidates;
  admit(exchange, record);
  return record;
}
