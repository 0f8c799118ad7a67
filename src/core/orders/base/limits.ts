import type { Amount } from '../../base/amount.ts';
import { parseAmount } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { millis } from '../../base/clock.ts';
import { BadInput } from '../../base/errors.ts';
import { ownerOf, strategyTag } from '../../model/client-order-id.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { Instrument, InstrumentId, Instruments } from '../../model/instrument.ts';
import type { LossAction, LossScope } from '../../model/loss.ts';
import { operatorTag } from '../../model/operator.ts';
import type { Side } from '../../model/order.ts';
import type { Product } from '../../model/product.ts';
import { spotAlone } from '../../model/product.ts';
import { roughUnitCost } from './reservations.ts';
import type { LossLimits, SharedOptions, StrategyLimits } from './options.ts';

/** A strategy that may place orders. */
export interface StrategyEntry {
  readonly name: string;
  /** The part of its order ids that names it; by default `strategyTag(name)`. */
  readonly tag?: string;
  /** Instruments that orders are priced from besides their own: none of them may be unfit when one leaves, unless it only reduces. */
  readonly needs?: ReadonlyMap<InstrumentId, readonly InstrumentId[]> | undefined;
  /** Instruments it declares any feed of: it may trade these alone, because only their books are followed. */
  readonly declared: readonly InstrumentId[];
  /** Products that it trades; spot alone when left out. */
  readonly products?: readonly Product[] | undefined;
  /** Symbols that it holds against one another. */
  readonly hedges?: readonly (readonly InstrumentId[])[] | undefined;
  readonly limits: StrategyLimits;
}

/** Limits of one instrument in integers. `Infinity` and `undefined` mean no limit. */
export interface InstrumentLimits {
  readonly allowed: boolean;
  /** Lots. */
  readonly quantityMax: number;
  readonly notionalMax: Amount | undefined;
  /** The venue's own; ours has none. */
  readonly notionalMin: Amount | undefined;
  /** Lots, either way, of the account. */
  readonly positionMax: number;
  /** Gross exposure in its quote currency. */
  readonly exposureMax: Amount | undefined;
  /** Rounded cost of buying one lot at one tick in quote currency, and of selling one lot in base currency. */
  readonly roughCost: Readonly<Record<Side, number>>;
  readonly margin: ResolvedMargin;
}

/** Demands of margin on one instrument, by the venue and by us. `undefined` means no limit. */
export interface ResolvedMargin {
  /** The venue's: the greatest leverage a position may be opened with. */
  readonly leverage: Amount;
  readonly liquidationMultiplier: Amount;
  /** Limit for isolated margin, and for each position of cross margin. */
  readonly leverageMax: Amount | undefined;
  /** Limit for the whole account of cross margin in the quote currency. */
  readonly crossLeverageMax: Amount | undefined;
  readonly distanceMinPercent: number | undefined;
}

/** Limits of one strategy in integers, by instrument where they differ. */
export interface ResolvedStrategy {
  readonly name: string;
  readonly tag: string;
  /** Instruments needed, by instrument id; `undefined` where it needs its own book alone. */
  readonly needs: readonly (readonly InstrumentId[] | undefined)[];
  readonly declared: readonly boolean[];
  readonly products: readonly Product[];
  readonly hedges: readonly (readonly InstrumentId[])[];
  readonly allowed: readonly boolean[];
  /** Lots, either way. */
  readonly positionMax: readonly number[];
  readonly openOrdersMax: number;
  readonly messagesPerSecondMax: number;
  /** Its share of the balance by currency; `undefined` where it may use all of it. */
  readonly funds: ReadonlyMap<string, Amount> | undefined;
}

/**
 * The instrument limits of the options, by instrument id. Throws `BadInput` on an unknown symbol, a limit off
 * the grid, or (with `requireLimits`) a tradable symbol without limits.
 */
function resolveInstruments(
  instruments: Instruments,
  options: SharedOptions,
  { minimumNotional }: Pick<Capabilities, 'minimumNotional'>,
): readonly InstrumentLimits[] {
  for (const symbol of [...Object.keys(options.limits), ...(options.symbols ?? [])]) {
    if (symbol !== '*') instruments.get(symbol);
  }
  for (const symbol of Object.keys(options.margin.symbols)) instruments.get(symbol);
  return instruments.all.map((instrument) => ({
    ...resolveInstrument(instrument, options),
    notionalMin: amountOf(minimumNotional, instrument.spec.quoteCurrency),
  }));
}

/** The strategies by name, resolved. Throws `BadInput` when two share a name or a tag, or a tag is malformed. */
function resolveStrategies(
  instruments: Instruments,
  idPrefix: string,
  entries: readonly StrategyEntry[],
): ReadonlyMap<string, ResolvedStrategy> {
  const byName = new Map<string, ResolvedStrategy>();
  const tags = new Map<string, string>();
  for (const entry of entries) {
    const tag = entry.tag ?? strategyTag(entry.name);
    if (byName.has(entry.name)) throw new BadInput(`strategy ${entry.name} is listed twice`);
    const other = tags.get(tag);
    if (other !== undefined) {
      throw new BadInput(
        `strategies ${other} and ${entry.name} share the order id tag ${tag}; give one a tag`,
      );
    }
    if (ownerOf(`${idPrefix}-0-${tag}-0`) === undefined) {
      throw new BadInput(`strategy ${entry.name}: expected a tag of 1 to 8 letters or digits, found ${tag}`);
    }
    if (tag === operatorTag) {
      throw new BadInput(
        `strategy ${entry.name}: the order id tag ${tag} is the operator's; choose another name`,
      );
    }
    tags.set(tag, entry.name);
    byName.set(entry.name, resolveStrategy(instruments, entry, tag));
  }
  return byName;
}

function resolveInstrument(
  instrument: Instrument,
  options: SharedOptions,
): Omit<InstrumentLimits, 'notionalMin'> {
  const allowed = options.symbols === undefined || options.symbols.includes(instrument.symbol);
  const own = Object.hasOwn(options.limits, instrument.symbol)
    ? options.limits[instrument.symbol]
    : options.limits['*'];
  const currency = instrument.spec.quoteCurrency;
  const notionalMax =
    own?.notionalMax === undefined ? amountOf(options.notionalMax, currency) : parseAmount(own.notionalMax);
  if (
    options.requireLimits &&
    allowed &&
    (own?.quantityMax === undefined || own.positionMax === undefined || notionalMax === undefined)
  ) {
    throw new BadInput(
      `symbol ${instrument.symbol}: expected quantityMax, notionalMax and positionMax, because requireLimits is set`,
    );
  }
  return {
    allowed,
    quantityMax: lotsOf(instrument, own?.quantityMax),
    notionalMax,
    positionMax: lotsOf(instrument, own?.positionMax),
    exposureMax: amountOf(options.exposureMax, currency),
    roughCost: { buy: roughUnitCost(instrument, 'buy'), sell: roughUnitCost(instrument, 'sell') },
    margin: resolveMargin(instrument, options.margin),
  };
}

function resolveMargin({ symbol, spec }: Instrument, options: SharedOptions['margin']): ResolvedMargin {
  const own = Object.hasOwn(options.symbols, symbol) ? options.symbols[symbol] : undefined;
  const cross = Object.hasOwn(options.cross, spec.quoteCurrency)
    ? options.cross[spec.quoteCurrency]
    : undefined;
  const most = (text: string | undefined): Amount | undefined =>
    text === undefined ? undefined : parseAmount(text);
  return {
    leverage: parseAmount(spec.maxInitialLeverage ?? '10'),
    liquidationMultiplier: parseAmount(options.liquidationMultiplier),
    leverageMax: most(own?.leverageMax ?? options.leverageMax),
    crossLeverageMax: most(cross?.leverageMax ?? options.leverageMax),
    distanceMinPercent: own?.liquidationDistanceMinPercent ?? options.liquidationDistanceMinPercent,
  };
}

function amountOf(amounts: Readonly<Record<string, string>>, currency: string): Amount | undefined {
  const text = Object.hasOwn(amounts, currency) ? amounts[currency] : undefined;
  return text === undefined ? undefined : parseAmount(text);
}

function resolveStrategy(instruments: Instruments, entry: StrategyEntry, tag: string): ResolvedStrategy {
  const { limits } = entry;
  for (const symbol of [...(limits.symbols ?? []), ...Object.keys(limits.positionMax)])
    instruments.get(symbol);
  return {
    name: entry.name,
    tag,
    needs: instruments.all.map(({ id }) => entry.needs?.get(id)),
    products: entry.products ?? spotAlone,
    hedges: entry.hedges ?? [],
    declared: instruments.all.map(({ id }) => entry.declared.includes(id)),
    allowed: instruments.all.map(({ symbol }) => limits.symbols?.includes(symbol) ?? true),
    positionMax: instruments.all.map((instrument) =>
      Object.hasOwn(limits.positionMax, instrument.symbol)
        ? lotsOf(instrument, limits.positionMax[instrument.symbol])
        : Number.POSITIVE_INFINITY,
    ),
    openOrdersMax: limits.openOrdersMax,
    messagesPerSecondMax: limits.messagesPerSecondMax,
    funds: limits.funds && resolveFunds(instruments, entry.name, limits.funds),
  };
}

function resolveFunds(
  instruments: Instruments,
  strategy: string,
  funds: Readonly<Record<string, string>>,
): ReadonlyMap<string, Amount> {
  const known = new Set(
    instruments.all.flatMap(({ spec }) => [spec.baseCurrency, spec.quoteCurrency, spec.feeCurrency]),
  );
  return new Map(
    Object.entries(funds).map(([currency, text]) => {
      if (!known.has(currency))
        throw new BadInput(`strategy ${strategy}: limits.funds: no symbol of this run is in ${currency}`);
      return [currency, parseAmount(text)];
    }),
  );
}

/** A limit on the loss of one scope. What is `undefined` is not limited. */
export interface ResolvedLossLimit {
  readonly scope: LossScope;
  readonly day: Amount | undefined;
  readonly drawdown: Amount | undefined;
  readonly losingTrades: number | undefined;
  readonly action: LossAction;
  /** How long it holds; until an operator clears it when `undefined`. */
  readonly cooldown: Micros | undefined;
}

/** The limits on loss of the account and of each strategy. Throws `BadInput` when no symbol is priced in a currency. */
function resolveLosses(
  instruments: Instruments,
  account: LossLimits,
  strategies: readonly StrategyEntry[],
): readonly ResolvedLossLimit[] {
  const of = (limits: LossLimits, strategy: string | undefined): ResolvedLossLimit[] =>
    Object.entries(limits).map(([currency, { day, drawdown, losingTrades, action, cooldownMs }]) => {
      if (!instruments.all.some(({ spec }) => spec.quoteCurrency === currency)) {
        throw new BadInput(
          `${strategy === undefined ? 'orders.loss' : `strategy ${strategy}: limits.loss`}: no symbol of this run is priced in ${currency}`,
        );
      }
      return {
        scope: { strategy, currency },
        day: day === undefined ? undefined : parseAmount(day),
        drawdown: drawdown === undefined ? undefined : parseAmount(drawdown),
        losingTrades,
        action,
        cooldown: cooldownMs === undefined ? undefined : millis(cooldownMs),
      };
    });
  return [...of(account, undefined), ...strategies.flatMap(({ name, limits }) => of(limits.loss, name))];
}

/** All that the controls of a run go by. */
export interface ResolvedLimits {
  readonly options: SharedOptions;
  readonly instruments: readonly InstrumentLimits[];
  /** Strategies by name. */
  readonly strategies: ReadonlyMap<string, ResolvedStrategy>;
  readonly losses: readonly ResolvedLossLimit[];
}

/** Throws `BadInput` when options or strategies do not fit the instruments. */
export function resolveLimits({
  instruments,
  options,
  strategies,
  capabilities,
}: {
  readonly instruments: Instruments;
  readonly options: SharedOptions;
  readonly strategies: readonly StrategyEntry[];
  readonly capabilities: Capabilities;
}): ResolvedLimits {
  return {
    options,
    instruments: resolveInstruments(instruments, options, capabilities),
    losses: resolveLosses(instruments, options.loss, strategies),
    strategies: resolveStrategies(instruments, options.idPrefix, strategies),
  };
}

/** A limit in lots, cut down to the grid: a limit is never rounded up. */
function lotsOf(instrument: Instrument, text: string | undefined): number {
  return text === undefined ? Number.POSITIVE_INFINITY : instrument.lots(text, 'down');
}
