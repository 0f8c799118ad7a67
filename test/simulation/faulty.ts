import type { BookView } from '../../src/core/model/market.ts';
import type { PlaceRequest, StrategyContext } from '../../src/core/strategy/context.ts';
import type { StrategyDefinition } from '../../src/core/strategy/define.ts';
import { defineStrategy } from '../../src/core/strategy/define.ts';
import { millisLong } from '../../src/core/strategy/duration.ts';
import type { StrategyHandlers } from '../../src/core/strategy/handlers.ts';
import { workloadParams } from './params.ts';
import { recorded } from './seen.ts';
import type { Seen } from './seen.ts';

export const faultyName = 'faulty';

/** What may be wrong with a strategy, and the row of the catalogue that it stands for. */
export const faultyRows = {
  throws: 'S1',
  promises: 'S1',
  bursts: 'S3',
  publishes: 'S5',
  mutates: 'S6',
  badNumbers: 'S7',
  caughtNumbers: 'S7',
  crosses: 'S9',
  floods: 'S11',
} as const;

export type FaultyKind = keyof typeof faultyRows;
export const faultyKinds = Object.keys(faultyRows) as readonly FaultyKind[];

/** Kinds whose strategy must be stopped as soon as it has done so. */
export const stoppedKinds: ReadonlySet<FaultyKind> = new Set(['throws', 'promises', 'badNumbers', 'floods']);

type Context = StrategyContext<unknown>;

/** What the harness knows of a faulty strategy. */
export interface FaultyHand {
  idle: boolean;
  /** The strategy has done what must stop it. */
  onMisdeed: () => void;
  /** It did what is wrong with it. */
  mark: () => void;
  /** What it kept of its life: it acts by this after it was stopped (S8). */
  zombie: (() => void) | undefined;
}

const badTexts = ['-1', '1e999', 'NaN', 'Infinity', '1e-30', '0x10', ''] as const;
const badNumbers = [Number.NaN, Number.POSITIVE_INFINITY, 0.5] as const;
/** Numbers that our controls refuse, and the strategy goes on. */
const refusedNumbers = [-5, 0, 2 ** 50] as const;

export interface FaultyParts {
  readonly kind: FaultyKind;
  readonly symbols: readonly string[];
  readonly hand: FaultyHand;
  readonly seen: Seen;
  readonly begins: (params: unknown) => void;
}

/** A strategy with a fault, which it has after a while. */
export function faultyStrategy({ kind, symbols, hand, seen, begins }: FaultyParts): StrategyDefinition {
  return defineStrategy({
    name: faultyName,
    params: workloadParams,
    feeds: () => symbols.map((symbol) => ({ symbol, book: true, trades: true })),
    products: () => ['spot'],
    create: (context) => {
      begins(context.params);
      hand.zombie = () => act(context, symbols);
      return recorded(seen, handlersOf(kind, context, { symbols, hand }));
    },
  });
}

interface Setting {
  readonly symbols: readonly string[];
  readonly hand: FaultyHand;
}

function handlersOf(kind: FaultyKind, context: Context, setting: Setting): StrategyHandlers {
  const { symbols, hand } = setting;
  const { random } = context;
  const where = names[random.between(0, names.length - 1)] as (typeof names)[number];
  // It does well for a while.
  let left = random.between(2, 60);
  const misdeed = (): unknown => {
    left -= 1;
    if (left > 0 || hand.idle) return undefined;
    left = random.between(5, 40);
    hand.mark();
    if (stoppedKinds.has(kind)) hand.onMisdeed();
    return deeds[kind](context, setting);
  };
  const handlers: StrategyHandlers = {
    onStart: () => context.timers.every(millisLong(900), 'act'),
    onTimer: () => {
      if (!hand.idle && random.chance(0.3)) act(context, symbols);
      if (where === 'onTimer' || kind === 'mutates') return misdeed() as undefined;
      return undefined;
    },
  };
  if (kind === 'mutates') return { ...handlers, ...vandal() };
  if (where !== 'onTimer') return { ...handlers, [where]: misdeed };
  return handlers;
}

const names = ['onBook', 'onTrade', 'onOrder', 'onFill', 'onBalance', 'onTimer'] as const;

const deeds: Readonly<Record<FaultyKind, (context: Context, setting: Setting) => unknown>> = {
  throws: () => {
    throw new Error('simulated');
  },
  promises: () => Promise.reject(new Error('simulated, later')),
  bursts: (context, { symbols }) => {
    for (let i = 0; i < 12; i++) act(context, symbols);
  },
  publishes: (context, { symbols }) => {
    act(context, symbols);
    context.orders.cancelAll();
    act(context, symbols);
  },
  mutates: () => undefined,
  badNumbers: (context, { symbols }) => badOrder(context, symbols),
  caughtNumbers: (context, { symbols }) => {
    try {
      const quantity = refusedNumbers[context.random.between(0, refusedNumbers.length - 1)] ?? 0;
      context.orders.place({ symbol: symbols[0] ?? '', side: 'buy', price: 300_000, quantity });
      badOrder(context, symbols);
    } catch {
      // It goes on as if nothing were.
    }
  },
  crosses: (context, { symbols }) => {
    for (const symbol of symbols) {
      const { bestBid, bestAsk } = context.market.book(symbol);
      if (bestBid === undefined || bestAsk === undefined) continue;
      const isSale = context.random.chance(0.5);
      const [side, price] = isSale ? (['sell', bestBid - 20] as const) : (['buy', bestAsk + 20] as const);
      context.orders.place({ symbol, side, price, quantity: 60 });
    }
  },
  floods: (context, { symbols }) => {
    for (let i = 0; i < 100_000; i++) act(context, symbols);
  },
};

/** An order that any strategy might want. */
function act({ market, orders, random }: Context, symbols: readonly string[]): void {
  const symbol = symbols[random.between(0, symbols.length - 1)] ?? '';
  const { bestBid, bestAsk } = market.book(symbol);
  if (bestBid === undefined || bestAsk === undefined) return;
  const isSale = random.chance(0.5);
  const price = isSale ? bestAsk + random.between(0, 40) : bestBid - random.between(0, 40);
  orders.place({
    symbol,
    side: isSale ? 'sell' : 'buy',
    price,
    quantity: random.between(30, 90),
    timeInForce: 'IOC',
  });
}

function badOrder({ orders, random }: Context, symbols: readonly string[]): void {
  const base = { symbol: symbols[0] ?? '', side: 'buy', price: 300_000, quantity: 60 } as const;
  const bad = random.chance(0.5)
    ? badTexts[random.between(0, badTexts.length - 1)]
    : badNumbers[random.between(0, badNumbers.length - 1)];
  const request: PlaceRequest = random.chance(0.5)
    ? { ...base, quantity: bad ?? '' }
    : { ...base, price: bad ?? '' };
  orders.place(request);
}

/** Writes to whatever it is handed. */
function vandal(): StrategyHandlers {
  const wreck = (...given: unknown[]): void => {
    for (const one of given) wreckOne(one, 2);
  };
  const onBook = (book: BookView): void => wreck(book, book.levels('buy', 5), book.levels('sell', 5));
  return { onBook, onTrade: wreck, onOrder: wreck, onFill: wreck, onBalance: wreck, onPosition: wreck };
}

function wreckOne(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const key of Object.keys(value)) {
    wreckOne((value as Record<string, unknown>)[key], depth - 1);
    try {
      (value as Record<string, unknown>)[key] = 7;
    } catch {
      // It is frozen.
    }
  }
}
