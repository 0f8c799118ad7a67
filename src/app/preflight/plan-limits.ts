import type { Amount } from '../../core/base/amount.ts';
import { add, formatAmount, multiply, subtract, zero } from '../../core/base/amount.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { Balance } from '../../core/model/market.ts';
import type { Memory } from '../../core/orders/base/memory.ts';
import { middleOf, profitOf } from '../../core/orders/base/profit.ts';
import type { StateView } from '../../core/state/index.ts';
import type { TriedStrategy } from '../live/index.ts';
import type { Config } from '../config/schema.ts';
import { cutDown, sizesOf } from '../run/small-sizes.ts';

/** What the limits are compared with. */
export interface LimitsSetting {
  readonly view: StateView;
  readonly memory: Memory;
  readonly strategies: readonly TriedStrategy[];
  readonly config: Pick<Config, 'strategies' | 'orders'>;
  readonly balances: readonly Balance[];
  /** How many orders are live once the start has canceled those that have to go: in all, and by symbol. */
  readonly live: { readonly all: number; readonly by: ReadonlyMap<string, number> };
}

/** The grid of a symbol that a strategy trades, and what of its sizes is not on it. */
export interface GridRow {
  readonly strategy: string;
  readonly symbol: string;
  readonly tick: string;
  readonly step: string;
  /** The smallest worth of an order, where the venue has one. */
  readonly minimum: string | null;
  readonly rounded: readonly string[];
}

/** Tick, step and smallest order of every symbol of a strategy. Of parameters, those that are named and called sizes are known. */
export function gridRows({ strategies, config, view, memory }: LimitsSetting): readonly GridRow[] {
  return strategies.flatMap(({ name, limits, feeds }) => {
    const params = config.strategies.find((one) => one.name === name)?.params ?? {};
    const symbols = [...new Set(feeds.map(({ symbol }) => symbol))];
    return symbols.map((symbol): GridRow => {
      const instrument = view.instruments.get(symbol);
      const own = sizesOf(params, symbols);
      const sizes = symbol === own.symbol ? Object.entries(own.sizes) : [];
      const most = limits.positionMax[symbol];
      const rounded = [
        ...sizes.map(([param, value]) => roundedText(instrument, `param ${param}`, value)),
        ...(most === undefined ? [] : [roundedText(instrument, 'limits.positionMax', most)]),
      ].filter((text) => text !== undefined);
      const { notionalMin } = memory.instruments[instrument.id] ?? {};
      const minimum =
        notionalMin === undefined ? null : `${formatAmount(notionalMin)} ${instrument.spec.quoteCurrency}`;
      const { tickSize: tick, quantityIncrement: step } = instrument.spec;
      return { strategy: name, symbol, tick, step, minimum, rounded };
    });
  });
}

function roundedText(instrument: Instrument, what: string, value: unknown): string | undefined {
  const cut = cutDown(instrument, value);
  if (cut === undefined) return undefined;
  const { text, lots } = cut;
  return lots === 0
    ? `${what} ${text} is below one step: no order`
    : `${what} ${text} is cut down to ${instrument.quantityText(lots)}`;
}

/** What the limits on positions let a strategy buy or sell of a currency, against what the account has. */
export interface FundsRow {
  readonly currency: string;
  readonly available: string;
  readonly reserved: string;
  /** What reaching every limit on positions would take; `null` where one has no limit, or no price is known. */
  readonly allowed: string | null;
  readonly short: string | null;
}

/** Funds of the wallet that pays for spot orders, by currency. */
export function fundsRows(setting: LimitsSetting): readonly FundsRow[] {
  const allowed = new Map<string, Amount | undefined>();
  const take = (currency: string, amount: Amount | undefined): void => {
    const had = allowed.has(currency) ? allowed.get(currency) : zero;
    allowed.set(currency, had === undefined || amount === undefined ? undefined : add(had, amount));
  };
  for (const { strategy, instrument } of traded(setting)) {
    if (instrument.spec.type !== 'spot') continue;
    const { most, held } = positionOf(setting, strategy, instrument);
    const price = middleOf(setting.view, instrument);
    const { baseCurrency, quoteCurrency } = instrument.spec;
    const room = (lots: number): Amount | undefined =>
      most === Infinity ? undefined : instrument.quantityAmount(Math.max(0, lots) as Lots);
    const bought = room(most - held);
    take(quoteCurrency, bought === undefined || price === undefined ? undefined : multiply(bought, price));
    take(baseCurrency, room(most + held));
  }
  return [...allowed].map(([currency, amount]) => {
    const { available, reserved } = setting.balances.find((one) => one.currency === currency) ?? {
      available: zero,
      reserved: zero,
    };
    const short = amount === undefined ? zero : subtract(amount, available);
    return {
      currency,
      available: formatAmount(available),
      reserved: formatAmount(reserved),
      allowed: amount === undefined ? null : formatAmount(amount),
      short: short > zero ? formatAmount(short) : null,
    };
  });
}

/** How much of a limit is used at the start. */
export interface HeadRoom {
  readonly limit: string;
  readonly used: string;
  readonly most: string;
  readonly left: string;
}

export function headRoom(setting: LimitsSetting): readonly HeadRoom[] {
  const { config, live, strategies } = setting;
  const { orders } = config;
  const count = (limit: string, used: number, most: number): HeadRoom => ({
    limit,
    used: String(used),
    most: String(most),
    left: String(Math.max(0, most - used)),
  });
  const most = setting.memory.capabilities.openOrdersMax;
  const allowed = (number: number | undefined): string =>
    number === undefined
      ? 'the limit of the venue is not told'
      : `the venue allows ${number.toLocaleString('en-US')}`;
  const symbols = new Set(strategies.flatMap(({ feeds }) => feeds.map(({ symbol }) => symbol)));
  return [
    count(`open orders of the account (${allowed(most?.account)})`, live.all, orders.openOrdersAccountMax),
    ...[...symbols].map((one) =>
      count(
        `open orders on ${one} (${allowed(most?.symbol)})`,
        live.by.get(one) ?? 0,
        orders.openOrdersSymbolMax,
      ),
    ),
    ...positionRows(setting),
    ...lossRows(setting),
  ];
}

function positionRows(setting: LimitsSetting): readonly HeadRoom[] {
  return traded(setting).flatMap(({ strategy, instrument }) => {
    const { most, held } = positionOf(setting, strategy, instrument);
    if (most === Infinity) return [];
    const text = (lots: number): string => instrument.quantityText(lots as Lots);
    const left = `${text(Math.max(0, most - held))} to buy, ${text(Math.max(0, most + held))} to sell`;
    const limit = `position of ${strategy} in ${instrument.symbol}`;
    return [{ limit, used: text(held), most: text(most), left }];
  });
}

/** Limits on loss count on from the marks that the journal keeps. */
function lossRows({ memory, view }: LimitsSetting): readonly HeadRoom[] {
  return memory.losses.flatMap(({ scope, day, drawdown, losingTrades }) => {
    const whose = `${scope.strategy ?? 'the account'} in ${scope.currency}`;
    const mark = view.losses.mark(scope);
    const profit = profitOf(view, memory, scope);
    const row = (limit: string, most: Amount, from: Amount | undefined): HeadRoom => {
      const used = from === undefined || profit === undefined ? undefined : subtract(from, profit.worst);
      return {
        limit: `${limit} of ${whose}`,
        used: used === undefined ? 'not known yet' : formatAmount(used > zero ? used : zero),
        most: formatAmount(most),
        left: formatAmount(used === undefined ? most : subtract(most, used)),
      };
    };
    const isToday = mark !== undefined && mark.day === Math.floor(memory.now / dayMicros);
    const losing = view.losses.losingTrades(scope);
    return [
      ...(day === undefined ? [] : [row('loss of the day', day, isToday ? mark.dayStart : undefined)]),
      ...(drawdown === undefined ? [] : [row('drawdown', drawdown, mark?.peak)]),
      ...(losingTrades === undefined
        ? []
        : [
            {
              limit: `losing trades in a row of ${whose}`,
              used: String(losing),
              most: String(losingTrades),
              left: String(Math.max(0, losingTrades - losing)),
            },
          ]),
    ];
  });
}

const dayMicros = 86_400_000_000;

interface Traded {
  readonly strategy: string;
  readonly instrument: Instrument;
}

/** What each strategy trades on spot or in contracts. */
function traded({ strategies, view, memory }: LimitsSetting): readonly Traded[] {
  return strategies.flatMap(({ name, feeds }) =>
    [...new Set(feeds.map(({ symbol }) => symbol))].flatMap((symbol) => {
      const instrument = view.instruments.get(symbol);
      const allowed =
        memory.instruments[instrument.id]?.allowed === true &&
        memory.strategies.get(name)?.limits.allowed[instrument.id] === true;
      return allowed ? [{ strategy: name, instrument }] : [];
    }),
  );
}

/** The tighter limit of strategy and symbol, in lots, and what is held over all accounts of the strategy. */
function positionOf(
  { memory, view }: LimitsSetting,
  strategy: string,
  { id }: Instrument,
): { readonly most: number; readonly held: number } {
  const own = memory.strategies.get(strategy)?.limits.positionMax[id] ?? Infinity;
  const most = Math.min(own, memory.instruments[id]?.positionMax ?? Infinity);
  const held = view
    .positions()
    .filter((position) => position.strategy === strategy && position.instrument === id)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return { most, held };
}
