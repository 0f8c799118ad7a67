import type { PlaceRequest, StrategyContext } from '../../src/core/strategy/context.ts';
import type { Side } from '../../src/core/model/order.ts';
import type { TradedAccount } from './traded.ts';

type Context = StrategyContext<unknown>;

interface Touch {
  readonly buy: number;
  readonly sell: number;
}

/** Opens, changes, trades and closes a margin account at random, now and then beyond what it bears. */
export function wishOnMargin(context: Context, account: TradedAccount, touch: Touch | undefined): void {
  const { random } = context;
  const { symbol, mode } = account;
  if (touch === undefined) return;
  const known = context.margin.account(symbol, mode);
  const draw = random.float();
  if (known === undefined && draw < 0.5) {
    context.margin.set(symbol, { marginMode: mode, balance: String(random.between(10, 60)) });
  } else if (draw < 0.08) {
    context.margin.add(symbol, String(random.between(1, 20)), mode);
  } else if (draw < 0.14) {
    context.margin.remove(symbol, String(random.between(1, 20)), mode);
  } else if (draw < 0.18 && account.product === 'futures' && mode === 'isolated') {
    context.margin.setLeverage(symbol, [5, 10, 25, 50, 100][random.between(0, 4)] ?? 5);
  } else if (draw < 0.2) {
    context.margin.set(symbol, { marginMode: mode, balance: '0' });
  } else if (draw < 0.28) {
    close(context, account, touch);
  } else {
    context.orders.place(orderOf(context, account, touch));
  }
}

function close(context: Context, { symbol, mode }: TradedAccount, touch: Touch): void {
  const { quantity } = context.position(symbol, mode);
  if (quantity === 0) return;
  const price = touch[quantity > 0 ? 'buy' : 'sell'];
  context.margin.close(symbol, { marginMode: mode, ...(context.random.chance(0.5) && { price }) });
}

function orderOf(context: Context, account: TradedAccount, touch: Touch): PlaceRequest {
  const { random } = context;
  const { symbol, product, mode } = account;
  const held = context.position(symbol, mode).quantity;
  const closing: Side = held > 0 ? 'sell' : 'buy';
  const draw = random.float();
  const base = { product, marginMode: mode, symbol } as const;
  if (draw < 0.04 && held !== 0) {
    const stopPrice = Math.round(touch[closing] * (closing === 'sell' ? 0.999 : 1.001));
    return { ...base, side: closing, type: 'stopMarket', stopPrice, closePosition: true };
  }
  const reduceOnly = held !== 0 && random.chance(0.2);
  const side: Side = reduceOnly ? closing : random.chance(0.5) ? 'buy' : 'sell';
  const away = side === 'buy' ? -1 : 1;
  const isCrossing = random.chance(0.6);
  const from = isCrossing ? touch[side === 'buy' ? 'sell' : 'buy'] : touch[side];
  const price = from + away * (isCrossing ? -1 : 1) * random.between(0, 40);
  // A slip of the finger now and then: too much for the account.
  const quantity = random.between(50, 400) * (random.chance(0.03) ? 1_000 : 1);
  const marginAuto = mode === 'isolated' && !reduceOnly && random.chance(0.2);
  const takeRate = random.chance(0.1) ? { takeRate: '0.002' } : {};
  const timeInForce = isCrossing && random.chance(0.6) ? 'IOC' : 'GTC';
  return { ...base, side, price, quantity, timeInForce, reduceOnly, marginAuto, ...takeRate };
}
