import type { z } from 'zod';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Order } from '../../src/core/model/order.ts';
import type { StrategyContext } from '../../src/core/strategy/context.ts';
import type { StrategyDefinition } from '../../src/core/strategy/define.ts';
import { defineStrategy } from '../../src/core/strategy/define.ts';
import { millisLong } from '../../src/core/strategy/duration.ts';
import type { Role } from './cast.ts';
import { workloadName } from './cast.ts';
import { workloadParams } from './params.ts';
import { recorded } from './seen.ts';
import type { Seen } from './seen.ts';
import { carelessLots } from './seed-limits.ts';
import type { Traded, TradedAccount } from './traded.ts';
import {
  accountsOf,
  contractSymbol,
  marginSymbol,
  pricedFrom,
  productsOf,
  secondContractSymbol,
  symbols as spotSymbols,
  symbolsOf,
} from './traded.ts';
import { wishGreedily } from './workload-greedy.ts';
import { placeListed } from './workload-lists.ts';
import { wishOnMargin } from './workload-margin.ts';
import { wishOddly } from './workload-odd.ts';

/** What the operator of the simulation may change while it runs. */
export interface WorkloadSwitch {
  /** No new wishes. */
  idle: boolean;
  /** Half of what it does is a slip. */
  careless: boolean;
  /** It asks for what no rule lets out, and for market orders. */
  odd: boolean;
  /** It asks for as much as limits and funds leave. */
  greedy: boolean;
  /** The part of its turns in which it wishes for something. */
  pace: number;
}

export interface WorkloadParts {
  readonly role: Role;
  readonly traded: Traded;
  readonly everyMs: number;
  readonly hand: WorkloadSwitch;
  /** What it was shown. */
  readonly seen: Seen;
  /** Called with its parameters as it begins. */
  readonly begins: (params: unknown) => void;
}

/** Places, replaces, cancels and crosses at random, now and then beyond its limits. Others beside the first trade single orders on spot. */
export function workload({ role, traded, everyMs, hand, seen, begins }: WorkloadParts): StrategyDefinition {
  const isFirst = role.name === workloadName;
  const symbols = isFirst ? symbolsOf(traded) : role.symbols;
  return defineStrategy({
    name: role.name,
    params: workloadParams,
    feeds: () =>
      symbols.map((symbol) => ({
        symbol,
        book: true,
        trades: true,
        contract: symbol === contractSymbol || symbol === secondContractSymbol,
        needs: (pricedFrom[symbol] ?? []).filter((one) => symbols.includes(one)),
      })),
    products: () => (isFirst ? productsOf(traded) : ['spot']),
    create: (context) => {
      begins(context.params);
      const chance = (): boolean => context.random.chance(hand.pace * role.share * context.params.pace);
      const act = (): void => {
        if (hand.idle) return;
        for (const symbol of role.symbols) if (chance()) wish(context, symbol, hand.careless);
        if (hand.greedy) for (const symbol of role.symbols) if (chance()) wishGreedily(context, symbol);
        if (hand.odd && chance()) wishOddly(context, { symbols: role.symbols, traded, isFirst });
        if (!isFirst) return;
        if (traded.lists && context.random.chance(hand.pace * 0.15)) wishList(context, traded);
        for (const account of accountsOf(traded)) if (chance()) wishOn(context, account);
      };
      return recorded(seen, {
        onStart: () => {
          context.timers.every(millisLong(everyMs), 'act');
        },
        onTimer: act,
        onFill: (_fill, order) => {
          if (!hand.idle && context.random.chance(0.2)) place(context, symbolOf(context, order));
        },
      });
    },
  });
}

type Context = StrategyContext<z.output<typeof workloadParams>>;

function wish(context: Context, symbol: string, isCareless: boolean): void {
  const { random, orders } = context;
  const open = orders.open(symbol);
  const one = open[random.between(0, Math.max(0, open.length - 1))];
  if (random.chance(isCareless ? 0.5 : 0.02)) {
    if (isCareless && random.chance(0.5)) slipFar(context, symbol, one);
    else slip(context, symbol, one);
    return;
  }
  const draw = random.float();
  if (one === undefined || (draw < 0.45 && open.length < 9)) place(context, symbol);
  else if (draw < 0.65) replace(context, symbol, one);
  else if (draw < 0.97 || open.length > 9) orders.cancel(one.clientOrderId);
  else leave(context, symbol);
}

/** A slip: what our controls have to refuse, but for the first of two equal orders and a market order. */
function slip({ random, orders, market, clock }: Context, symbol: string, open: Order | undefined): void {
  const price = market.book(symbol).bestBid;
  if (price === undefined) return;
  const base = { symbol, side: 'buy', price: price - 30, quantity: random.between(50, 200) } as const;
  const draw = random.between(0, 8);
  if (draw === 0) for (let i = 0; i < 2; i++) orders.place(base);
  else if (draw === 1)
    orders.place({ ...base, timeInForce: 'GTD', expireTime: (clock.now() - 4_000_000) as Micros });
  else if (draw === 2) orders.place({ ...base, postOnly: true, timeInForce: 'IOC' });
  else if (draw === 3) orders.place({ ...base, quantity: 0 });
  else if (draw === 4) orders.place({ ...base, stopPrice: price - 10 } as never);
  else if (draw === 5)
    orders.place({ symbol, side: 'sell', type: 'market', quantity: 60, timeInForce: 'GTC' });
  else if (draw === 6) orders.place({ symbol, side: 'buy', type: 'limit', quantity: 60 } as never);
  else if (draw === 7)
    orders.place({ symbol, side: 'sell', type: 'market', quantity: 60, timeInForce: 'IOC' });
  else if (open?.price !== undefined && open.replacePending === undefined)
    orders.replace(open.clientOrderId, { quantity: open.quantity, price: open.price });
}

/** A slip of a careless spell: many orders at once, large ones, far ones, own ones met, and replacements that ask for less than there is. */
function slipFar({ random, orders, market }: Context, symbol: string, open: Order | undefined): void {
  const { bestBid, bestAsk } = market.book(symbol);
  if (bestBid === undefined || bestAsk === undefined) return;
  const draw = random.between(0, 6);
  const side = random.chance(0.5) ? 'buy' : 'sell';
  const price = side === 'buy' ? bestBid - 5 : bestAsk + 5;
  if (draw === 0) orders.place({ symbol, side, price, quantity: carelessLots + random.between(-4, 5) });
  else if (draw === 1)
    orders.place({ symbol, side, price: Math.round(price * (side === 'buy' ? 0.8 : 1.2)), quantity: 60 });
  else if (draw === 2)
    for (let i = 0; i < 4; i++)
      orders.place({ symbol, side, price: price + (side === 'buy' ? -i : i), quantity: 290 });
  else if (open?.price === undefined || open.replacePending !== undefined) return;
  else if (draw === 3)
    orders.place({
      symbol,
      side: open.side === 'buy' ? 'sell' : 'buy',
      price: open.price,
      quantity: 60,
      timeInForce: 'IOC',
    });
  else if (draw === 4 && open.cumulative > 0)
    orders.replace(open.clientOrderId, { quantity: open.cumulative, price: open.price });
  else if (draw === 5)
    orders.replace(open.clientOrderId, { quantity: open.cumulative + 390, price: open.price });
  else
    orders.replace(open.clientOrderId, {
      quantity: open.quantity,
      price: open.side === 'buy' ? bestAsk : bestBid,
    });
}

/** Takes all orders away and what is held to the market, in one turn: the exit meets own orders that are being cancelled. */
function leave({ orders, market, position }: Context, symbol: string): void {
  orders.cancelAll(symbol);
  const held = position(symbol).quantity;
  const { bestBid, bestAsk } = market.book(symbol);
  if (held === 0 || bestBid === undefined || bestAsk === undefined) return;
  const quantity = Math.min(Math.abs(held), 400);
  const [side, price] = held > 0 ? (['sell', bestBid - 20] as const) : (['buy', bestAsk + 20] as const);
  orders.place({ symbol, side, price, quantity, timeInForce: 'IOC' });
}

function wishList(context: Context, { margin, futures }: Traded): void {
  const { random } = context;
  if (futures && random.chance(0.3)) placeListed(context, contractSymbol, 'futures');
  else if (margin && random.chance(0.3)) placeListed(context, marginSymbol, 'margin');
  else placeListed(context, spotSymbols[random.between(0, 1)] ?? marginSymbol, 'spot');
}

/** On an account of a contract, orders are replaced and cancelled here; those of a symbol of spot are by `wish`. */
function wishOn(context: Context, account: TradedAccount): void {
  const { random, orders } = context;
  const { symbol } = account;
  const open = account.product === 'futures' ? orders.open(symbol) : [];
  const one = open[random.between(0, Math.max(0, open.length - 1))];
  const draw = random.float();
  if (one === undefined || draw < 0.65) wishOnMargin(context, account, touchOf(context, symbol));
  else if (draw < 0.8) replace(context, symbol, one);
  else if (draw < 0.98) orders.cancel(one.clientOrderId);
  else orders.cancelAll(symbol);
}

function place(context: Context, symbol: string): void {
  const { random, orders, clock } = context;
  const touch = touchOf(context, symbol);
  if (touch === undefined) return;
  const side = random.chance(0.5) ? 'buy' : 'sell';
  const draw = random.float();
  const away = side === 'buy' ? -1 : 1;
  const lots = random.between(50, 400);
  if (draw < 0.06) {
    // Far away: it rests for long.
    const price = Math.round(touch[side] * (1 + (away * random.between(4, 12)) / 1_000));
    orders.place({ symbol, side, price, quantity: lots });
  } else if (draw < 0.45) {
    const price = touch[side] + away * random.between(0, 60);
    const life = random.chance(0.3) ? { timeInForce: 'GTD' as const, expireTime: expiry(clock.now()) } : {};
    orders.place({ symbol, side, price, quantity: lots, postOnly: true, ...life });
  } else if (draw < 0.7) {
    orders.place({ symbol, side, price: touch[side] + away * random.between(0, 40), quantity: lots });
  } else if (draw < 0.95) {
    const other = side === 'buy' ? 'sell' : 'buy';
    const price = touch[other] - away * random.between(0, 30);
    orders.place({ symbol, side, price, quantity: lots, timeInForce: random.chance(0.3) ? 'GTC' : 'IOC' });
  } else if (draw < 0.98) {
    // A slip of the finger: too much.
    orders.place({ symbol, side, price: touch[side], quantity: lots * 1_000 });
  } else {
    orders.place({ symbol, side, price: touch[side] * (side === 'buy' ? 2 : 1) + 1, quantity: lots });
  }
}

function replace(context: Context, symbol: string, order: Order): void {
  const touch = touchOf(context, symbol);
  const { state, price, side, cumulative, replacePending } = order;
  if (touch === undefined || price === undefined || replacePending !== undefined) return;
  if (state !== 'new' && state !== 'partiallyFilled') return;
  const { random } = context;
  const to = random.chance(0.1)
    ? touch[side === 'buy' ? 'sell' : 'buy']
    : touch[side] + (side === 'buy' ? -1 : 1) * random.between(0, 60);
  context.orders.replace(order.clientOrderId, { quantity: cumulative + random.between(50, 400), price: to });
  // Second thoughts.
  if (random.chance(0.1)) context.orders.cancel(order.clientOrderId);
}

function touchOf(context: Context, symbol: string): { buy: number; sell: number } | undefined {
  const { bestBid, bestAsk } = context.market.book(symbol);
  return bestBid === undefined || bestAsk === undefined ? undefined : { buy: bestBid, sell: bestAsk };
}

function expiry(now: Micros): Micros {
  return (Math.floor(now / 1_000) * 1_000 + 20_000_000) as Micros;
}

function symbolOf(context: Context, order: Order): string {
  return spotSymbols.find((symbol) => context.instrument(symbol).id === order.instrument) ?? spotSymbols[0];
}
