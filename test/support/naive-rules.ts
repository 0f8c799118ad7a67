import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { RefusalCode } from '../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId } from '../../src/core/model/instrument.ts';
import type { OrderRequest, VenueOrder } from '../../src/core/model/order.ts';
import type { NaiveOrderManager } from './naive-order-manager.ts';

/**
 * Why the naive exchange refuses a request; with `replaced`, a replacement of that order; `ahead` are the symbols of
 * orders accepted with it before it.
 */
export function refusalOf(
  exchange: NaiveOrderManager,
  account: AccountId,
  request: OrderRequest,
  { replaced, ahead = [] }: { replaced?: VenueOrder; ahead?: InstrumentId[] } = {},
): RefusalCode | undefined {
  if (exchange.status[request.instrument] !== 'working') return 'SYMBOL_NOT_WORKING';
  const priced = request.type === 'limit' || request.type.endsWith('Limit');
  const stopped = request.type !== 'limit' && request.type !== 'market';
  if (request.postOnly && !priced) return 'ORDER_TYPE_INVALID';
  if (!isWhole(request.quantity)) return 'BAD_QUANTITY';
  if (priced ? !isWhole(request.price) : request.price !== undefined) return 'BAD_PRICE';
  if (stopped ? !isWhole(request.stopPrice) : request.stopPrice !== undefined) return 'BAD_PRICE';
  if (replaced === undefined) {
    if (request.type === 'market' && !['IOC', 'FOK'].includes(request.timeInForce))
      return 'TIME_IN_FORCE_INVALID';
    if (request.timeInForce === 'GTD' && !(Number(request.expireTime) > exchange.now))
      return 'EXPIRE_TIME_INVALID';
  }
  if (isFatFinger(exchange, request)) return 'FAT_FINGER';
  if (replaced !== undefined && isSame(request, replaced)) return 'NOT_CHANGED';
  const mine = exchange.live.filter((one) => one.account === account);
  const active = mine.some(({ order }) => order.clientOrderId === request.clientOrderId);
  const recent = exchange.ended.some(
    (one) =>
      one.account === account &&
      one.clientOrderId === request.clientOrderId &&
      exchange.now < one.at + exchange.options.idReuseAfter,
  );
  if (active || recent) return 'DUPLICATE_CLIENT_ORDER_ID';
  if (replaced !== undefined) return undefined;
  const here = [...mine.map(({ order }) => order.instrument), ...ahead].filter(
    (instrument) => instrument === request.instrument,
  );
  if (here.length >= exchange.options.ordersPerSymbolMax) return 'ORDER_LIMIT';
  if (mine.length + ahead.length >= exchange.options.ordersPerAccountMax) return 'ORDER_LIMIT';
  return undefined;
}

/** The next 23:59 UTC. */
export function endOfDayNaively(now: number): number {
  const date = new Date(now / 1_000);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), 23, 59) * 1_000;
  return end > now ? end : end + 86_400_000_000;
}

function isFatFinger(exchange: NaiveOrderManager, { instrument, side, price }: OrderRequest): boolean {
  const fraction = exchange.options.fatFingerFraction;
  const other = exchange.levels(instrument, side === 'buy' ? 'sell' : 'buy')[0]?.price;
  const reference = exchange.last[instrument] ?? other;
  if (fraction === undefined || price === undefined || reference === undefined) return false;
  return side === 'buy' ? price > reference * (1 + fraction) : price < reference * (1 - fraction);
}

function isSame(a: OrderRequest, b: OrderRequest): boolean {
  return a.quantity === b.quantity && a.price === b.price && a.stopPrice === b.stopPrice;
}

function isWhole(value: number | undefined): boolean {
  return value !== undefined && Number.isSafeInteger(value) && value > 0;
}
