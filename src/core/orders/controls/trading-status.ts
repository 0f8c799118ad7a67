import { millis } from '../../base/clock.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instrument, InstrumentId } from '../../model/instrument.ts';
import { isOperatorOrder } from '../../model/operator.ts';
import { lateMarket } from '../../state/market-lag.ts';
import { operatorClears, unfitInput } from '../../state/safe-states.ts';
import { marginKeyOf } from '../../model/margin.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, releasedLots, workingLots } from '../base/candidate.ts';
import { shrinkingDenial } from '../margin/reducing.ts';
import type { Memory } from '../base/memory.ts';
import { countOption, ruleSettings } from '../base/options.ts';

/**
 * A strategy that was stopped sends nothing any more. What it holds is still there: an operator closes it by orders of his own.
 * Source: faults, S8.
 */
export const stopped = {
  code: 'STRATEGY_STOPPED',
  control: ({ strategy, request }, view) => {
    const why = view.stopped(strategy.limits.name);
    if (why === undefined || isOperatorOrder(request.clientOrderId)) return undefined;
    return deny('STRATEGY_STOPPED', `strategy ${strategy.limits.name} was stopped: ${why}`);
  },
} satisfies Rule;

/** No order of a strategy that an operator paused, but for those by which he closes its positions. */
export const paused = {
  code: 'PAUSED',
  control: ({ strategy, request }, view) => {
    const why = view.paused(strategy.limits.name);
    if (why === undefined || isOperatorOrder(request.clientOrderId)) return undefined;
    return deny('PAUSED', `strategy ${strategy.limits.name} is paused: ${why}`);
  },
} satisfies Rule;

/** Orders leave only while the trading session is up. */
export const session = {
  code: 'SESSION_DOWN',
  control: (_candidate, view) =>
    view.sessionUp('trading') ? undefined : deny('SESSION_DOWN', 'the trading session is down'),
} satisfies Rule;

/** No order before the reconciliation after a start or an outage has finished. Source: faults, section 6 (22). */
export const reconciled = {
  code: 'NOT_RECONCILED',
  control: (_candidate, _view, memory) =>
    memory.reconciled
      ? undefined
      : deny('NOT_RECONCILED', 'orders and balances are being compared with the venue'),
} satisfies Rule;

/** The allow-lists of the configuration and of the strategy. */
export const symbolAllowed = {
  code: 'SYMBOL_NOT_ALLOWED',
  control: ({ instrument, strategy }, _view, memory) => {
    if (memory.instruments[instrument.id]?.allowed !== true) {
      return deny('SYMBOL_NOT_ALLOWED', `${instrument.symbol} is not among the symbols that may be traded`);
    }
    return strategy.limits.allowed[instrument.id] === true
      ? undefined
      : deny('SYMBOL_NOT_ALLOWED', `strategy ${strategy.limits.name} may not trade ${instrument.symbol}`);
  },
} satisfies Rule;

/** Orders are for symbols in working order. Source: API v3, "Symbol status". */
export const symbolWorking = {
  code: 'SYMBOL_NOT_WORKING',
  control: ({ instrument }, view) => {
    const status = view.status(instrument.id);
    return status === 'working'
      ? undefined
      : deny('SYMBOL_NOT_WORKING', `expected ${instrument.symbol} to be working, found ${status}`);
  },
} satisfies Rule;

/**
 * Halted: no order. Reducing: only orders that shrink the strategy's position, what is already working towards
 * that included. Source: faults, section 1.
 */
export const mode = {
  code: 'MODE_HALTED',
  control: (candidate, view, memory) => {
    if (view.mode === 'active') return undefined;
    if (view.mode === 'halted') return deny('MODE_HALTED', `trading is halted: ${view.modeWhy}`);
    return reducingDenial(candidate, view, memory, { code: 'MODE_REDUCING', why: view.modeWhy });
  },
} satisfies Rule;

/** A product whose positions did not agree with the venue takes no order until an operator has cleared it. */
export const productHalted = {
  code: 'PRODUCT_HALTED',
  control: ({ request, instrument }, view) => {
    if (request.margin === undefined) return undefined;
    const product = marginKeyOf(instrument, request.margin.mode).product;
    const why = view.productHalted(product);
    return why === undefined
      ? undefined
      : deny('PRODUCT_HALTED', `no ${product} order leaves until ${operatorClears}: ${why}`);
  },
} satisfies Rule;

/** Denies all but orders that shrink the strategy's position, what is already working towards that included. */
export function reducingDenial(
  candidate: Candidate,
  view: StateView,
  memory: Memory,
  refusal: Denial,
): Denial | undefined {
  const { request, lots, strategy, instrument } = candidate;
  if (request.margin !== undefined) return shrinkingDenial(candidate, view, memory, refusal);
  const { code, why } = refusal;
  const held = view.position(instrument.id, strategy.limits.name).quantity;
  const open = request.side === 'buy' ? -held : held;
  const scope = { strategy: strategy.limits.name, accounts: spotAlone };
  const working = workingLots({ view, memory }, instrument, request.side, scope) - releasedLots(candidate);
  if (open > 0 && working + lots <= open) return undefined;
  const because = why === '' ? '' : `${why}: `;
  return deny(
    code,
    `${because}expected an order that shrinks the position of ${held} lots (${working} lots already working), found ${request.side} ${lots}`,
  );
}

/**
 * The order's own book, and those that its strategy says it is priced from, must be fit to trade on, and market data come in time. The
 * gate asks again at the last moment. An order that only reduces needs its own book alone: what is held can be given up whatever
 * became of another symbol. Live, the book of a symbol is followed for the strategies that declare it: in a backtest, where every
 * book of the data is there, the same holds. Source: faults, I9 and X33.
 */
export const staleness = {
  code: 'INPUT_STALE',
  control: (candidate, view, memory) => {
    const { instrument, strategy } = candidate;
    const { name, declared } = strategy.limits;
    if (declared[instrument.id] !== true) {
      return deny(
        'INPUT_STALE',
        `expected feeds() of strategy ${name} to name ${instrument.symbol}, because its book is followed only then`,
      );
    }
    const late = lateMarket(view, memory.marketLagMax);
    if (late !== undefined) return deny('INPUT_STALE', late);
    const own = staleBook(instrument, view);
    if (own !== undefined) return own;
    for (const needed of strategy.limits.needs[instrument.id] ?? none) {
      const denial = staleBook(view.instruments.at(needed), view, instrument);
      if (denial !== undefined) return reduces(candidate, view, memory) ? undefined : denial;
    }
    return undefined;
  },
} satisfies Rule;

const none: readonly InstrumentId[] = [];
const spotAlone = ['spot'] as const;

function reduces(candidate: Candidate, view: StateView, memory: Memory): boolean {
  return reducingDenial(candidate, view, memory, { code: 'MODE_REDUCING', why: '' }) === undefined;
}

/** `of`: the instrument of the order, where it is priced from this one. */
function staleBook({ id, symbol }: Instrument, view: StateView, of?: Instrument): Denial | undefined {
  const found = unfitInput(view, id);
  if (found === undefined) return undefined;
  const from = of === undefined ? '' : `, which orders of ${of.symbol} are priced from`;
  return deny('INPUT_STALE', `expected a live book of ${symbol}${from}, found it ${found}`);
}

const unansweredOrders = ruleSettings(
  {
    unknownOrdersMax: countOption
      .min(0)
      .max(1_000)
      .default(20)
      .describe(
        'more events that left orders unknown than this halt trading, an outage counting as one; as many orders without an answer hold new ones back',
      ),
  },
  { unknownOrdersMax: 'more' },
);

/** An answer takes less; the gate may hold an order back besides. */
const answerMs = 500;

/**
 * No further order while as many as the limit of unknown orders are without an answer: unknown already, or on their way
 * when the oldest of them is overdue. So an outage alone does not come to the limit, and trading goes on by itself.
 * Source: faults, section 6 (16), and I24.
 */
export const unanswered = {
  code: 'UNANSWERED_ORDERS',
  settings: unansweredOrders,
  control: (_candidate, view, memory) => {
    const { options, uptime } = memory;
    const { oldestSentAt, sent } = view.inFlight;
    const overdue = millis(options.reconcile.sendDelayMsMax + answerMs);
    const onTheirWay = oldestSentAt !== undefined && uptime - oldestSentAt > overdue ? sent : 0;
    const found = view.unknownCount() + onTheirWay;
    const most = Math.max(1, unansweredOrders.of(options).unknownOrdersMax);
    if (found < most) return undefined;
    return deny('UNANSWERED_ORDERS', `expected fewer than ${most} orders without an answer, found ${found}`);
  },
} satisfies Rule;
