import type { Micros } from '../base/clock.ts';
import type { DenialCode } from '../model/denial.ts';
import type { ModeChanged, SessionName } from '../model/event.ts';
import type { EvidenceMarks } from '../model/evidence-halt.ts';
import { evidenceHaltOf } from '../model/evidence-halt.ts';
import type { InstrumentId, InstrumentStatus } from '../model/instrument.ts';
import type { UnfitBook } from '../model/market.ts';
import type { HeldOrder, NextLooks, VenueRefusal, SafeState, SafeStateKind } from '../model/safe-state.ts';
import { differenceWords } from './differences.ts';
import { lateMarket } from './market-lag.ts';
import type { ModeHold } from './mode.ts';
import type { StateView } from './view.ts';

/** One row of the table: the code of what it denies, and what ends it. */
interface Kind {
  /** None where it denies no order, or each another one. */
  readonly code: DenialCode | undefined;
  readonly endsWhen: string;
  /** Act that ends it where only an operator does. */
  readonly byOperator?: string;
}

/** Words for the end of a state that only an operator ends. */
export const operatorClears = 'an operator clears it';

const completeRead = 'the account was read completely';

const moneyExplained = differenceWords.money.endsWhen;

/** Every kind of safe state there is. What tells of one takes its words from here. */
const kinds: Readonly<Record<SafeStateKind, Kind>> = {
  sessionDown: { code: 'SESSION_DOWN', endsWhen: 'the session is up' },
  loginRefused: { code: 'SESSION_DOWN', endsWhen: 'the venue takes it' },
  comparing: { code: 'NOT_RECONCILED', endsWhen: completeRead },
  bookWaits: { code: 'INPUT_STALE', endsWhen: 'a snapshot comes' },
  bookStale: { code: 'INPUT_STALE', endsWhen: 'a snapshot comes' },
  bookCrossed: {
    code: 'INPUT_STALE',
    endsWhen: 'its sides stand apart, by an update, or by the snapshot that is fetched after 2 s',
  },
  bookRefused: { code: 'INPUT_STALE', endsWhen: 'the venue takes the subscription and a snapshot comes' },
  feedRefused: { code: undefined, endsWhen: 'the venue takes the subscription' },
  marketLate: { code: 'INPUT_STALE', endsWhen: 'market data come in time' },
  symbol: { code: 'SYMBOL_NOT_WORKING', endsWhen: 'the list of symbols says that it works' },
  unknownOrder: { code: 'UNANSWERED_ORDERS', endsWhen: 'reads of the account show what became of it' },
  orderHeld: { code: undefined, endsWhen: 'the orders that it waits for have ended' },
  unread: { code: 'MODE_HALTED', endsWhen: completeRead },
  manyUnknown: {
    code: 'MODE_HALTED',
    endsWhen: 'reads of the account show what became of every order without an answer',
  },
  unwritten: { code: 'MODE_HALTED', endsWhen: 'all that waits for room on the disk is written' },
  forbidden: { code: 'MODE_HALTED', endsWhen: 'a look at the account is answered 90 s later or more' },
  halted: { code: 'MODE_HALTED', endsWhen: 'the run ends', byOperator: operatorClears },
  reducing: { code: 'MODE_REDUCING', endsWhen: 'the run ends', byOperator: operatorClears },
  productHalted: { code: 'PRODUCT_HALTED', endsWhen: operatorClears, byOperator: operatorClears },
  lossLimit: { code: 'LOSS_LIMIT', endsWhen: 'its time is over', byOperator: operatorClears },
  moneyReduces: { code: 'UNEXPLAINED_MONEY', endsWhen: moneyExplained },
  moneyHalts: { code: 'UNEXPLAINED_MONEY', endsWhen: moneyExplained },
  paused: { code: 'PAUSED', endsWhen: operatorClears, byOperator: 'an operator resumes it' },
  strategyStopped: {
    code: 'STRATEGY_STOPPED',
    endsWhen: operatorClears,
    byOperator: 'an operator starts it, or the daemon starts anew',
  },
};

/** A halt, or that trading only reduces, in a line, with what ends it. */
export function haltText(of: Pick<ModeChanged, 'mode' | 'why'> & EvidenceMarks): string {
  const evidence = evidenceHaltOf(of);
  const end = evidence === undefined ? operatorClears : kinds[evidence.halt].endsWhen;
  return `trading ${of.mode === 'reducing' ? 'only reduces' : 'halts'} until ${end}: ${of.why}`;
}

/** A safe state in a line: what holds, and what ends it. */
export function safeStateText({ cause, endsWhen }: Pick<SafeState, 'cause' | 'endsWhen'>): string {
  return `${cause}; until ${endsWhen}`;
}

export interface SafeStateScope {
  readonly view: StateView;
  /** Instruments of which books are followed. */
  readonly followed: Iterable<InstrumentId>;
  /** How late market data may come. */
  readonly marketLagMax: Micros;
  /** Whether the look at the account after a start or an outage is complete. */
  readonly reconciled: boolean;
  /** Orders that wait for own orders to end. */
  readonly held: readonly HeldOrder[];
  readonly looks: NextLooks;
}

/** Every safe state that holds, in an order that depends on nothing but the state. */
export function safeStates(scope: SafeStateScope): readonly SafeState[] {
  const { view, looks } = scope;
  return [
    ...sessionsDown(view, looks),
    ...refused('loginRefused', looks),
    ...comparing(scope),
    ...late(scope),
    ...[...scope.followed].flatMap((id) => ofInstrument(id, view, looks)),
    ...refused('feedRefused', looks),
    ...unknownOrders(view, looks),
    ...scope.held.map(orderHeld),
    ...heldStates(view, looks),
  ];
}

/** Those of them that hold over a restart, and strategies that were stopped. */
export function heldStates(view: StateView, looks: NextLooks = {}): readonly SafeState[] {
  return [...held(view, looks), ...lossLimits(view), ...unexplained(view, looks)];
}

/**
 * Why an instrument may be neither traded on nor priced from, as a sentence goes on after "it is"; `undefined` when it may: it
 * works, and its book is live and not crossed.
 */
export function unfitInput(view: StateView, instrument: InstrumentId): string | undefined {
  const status = view.status(instrument);
  if (status !== 'working') return status;
  const { unfit } = view.book(instrument);
  return unfit && bookWords[unfit];
}

const bookWords: Readonly<Record<UnfitBook, string>> = {
  empty: 'empty: no snapshot has come yet',
  gap: 'stale: updates are missing',
  disconnected: 'stale: the connection was lost',
  silent: 'stale: it has fallen silent',
  malformed: 'stale: a message of it cannot be read',
  refused: 'stale: the venue refused the subscription',
  late: 'stale: market data came too late',
  differs: 'stale: reads of it show other levels',
  crossed: 'crossed: its best bid is not below its best ask',
};

function bookKind(unfit: UnfitBook): SafeStateKind {
  if (unfit === 'empty') return 'bookWaits';
  if (unfit === 'crossed') return 'bookCrossed';
  return unfit === 'refused' ? 'bookRefused' : 'bookStale';
}

interface Found {
  readonly subject: string;
  readonly cause: string;
  readonly since: Micros;
  readonly nextLook?: Micros | undefined;
  readonly latched?: boolean;
  readonly endsWhen?: string;
  readonly code?: DenialCode;
}

function row(kind: SafeStateKind, found: Found): SafeState {
  const { endsWhen, byOperator, ...of } = kinds[kind];
  const { subject, cause, since, nextLook, latched = false } = found;
  return {
    kind,
    subject,
    code: found.code ?? of.code,
    cause,
    since,
    nextLook,
    endsWhen: found.endsWhen ?? (latched ? byOperator : undefined) ?? endsWhen,
    needsOperator: latched,
  };
}

const sessionNames: readonly SessionName[] = ['market', 'trading'];

function sessionsDown(view: StateView, looks: NextLooks): readonly SafeState[] {
  return sessionNames.flatMap((session) => {
    const { up, since, why } = view.session(session);
    if (up) return [];
    const cause = `the ${session} session is down${why === '' ? '' : `: ${why}`}`;
    return [row('sessionDown', { subject: session, cause, since, nextLook: looks.session?.(session) })];
  });
}

function refused(wanted: VenueRefusal['kind'], looks: NextLooks): readonly SafeState[] {
  return (looks.refused?.() ?? [])
    .filter(({ kind }) => kind === wanted)
    .map(({ kind, subject, what, why, since, nextLook }) =>
      row(kind, { subject, cause: `the venue refuses ${what}: ${why}`, since, nextLook }),
    );
}

function orderHeld({ clientOrderId: subject, ...found }: HeldOrder): SafeState {
  return row('orderHeld', { subject, ...found });
}

function comparing({ view, reconciled, looks }: SafeStateScope): readonly SafeState[] {
  if (reconciled) return [];
  const { since } = view.session('trading');
  const cause = 'the account is not compared with the venue yet';
  return [row('comparing', { subject: 'account', cause, since, nextLook: looks.account?.() })];
}

function late({ view, marketLagMax }: SafeStateScope): readonly SafeState[] {
  const cause = lateMarket(view, marketLagMax);
  return cause === undefined ? [] : [row('marketLate', { subject: 'market', cause, since: view.time })];
}

/** A symbol that is not working is no input: its book says nothing more. */
function ofInstrument(id: InstrumentId, view: StateView, looks: NextLooks): readonly SafeState[] {
  const { symbol } = view.instruments.at(id);
  const status = view.status(id);
  if (status !== 'working') {
    const since = view.statusSince(id);
    return [
      row('symbol', {
        subject: symbol,
        cause: symbolCause(symbol, status),
        since,
        nextLook: looks.symbol?.(id),
      }),
    ];
  }
  const { unfit, unfitSince } = view.book(id);
  if (unfit === undefined) return [];
  return [
    row(bookKind(unfit), {
      subject: symbol,
      cause: `the book of ${symbol} is ${bookWords[unfit]}`,
      since: unfit === 'empty' ? view.session('market').since : unfitSince,
      nextLook: looks.book?.(id),
    }),
  ];
}

function symbolCause(symbol: string, status: Exclude<InstrumentStatus, 'working'>): string {
  return `${symbol} is ${status} at the venue`;
}

function unknownOrders(view: StateView, looks: NextLooks): readonly SafeState[] {
  if (view.unknownCount() === 0) return [];
  const nextLook = looks.account?.();
  return view
    .openOrders()
    .filter(({ state }) => state === 'unknown')
    .map(({ clientOrderId, updatedAt }) =>
      row('unknownOrder', {
        subject: clientOrderId,
        cause: `order ${clientOrderId} has no answer`,
        since: updatedAt,
        nextLook,
      }),
    );
}

function held(view: StateView, looks: NextLooks): readonly SafeState[] {
  return view.holds.map(({ kind, subject, why, since, latched }) =>
    row(kind, {
      subject,
      cause: holdCause[kind](subject, why),
      since,
      latched,
      nextLook: haltLooks[kind]?.(looks),
    }),
  );
}

/** Time of the next look for the evidence that ends a halt. */
const haltLooks: Partial<Record<ModeHold['kind'], (looks: NextLooks) => Micros | undefined>> = {
  unread: ({ account }) => account?.(),
  manyUnknown: ({ account }) => account?.(),
  unwritten: ({ journal }) => journal?.(),
  forbidden: ({ account }) => account?.(),
};

const holdCause = {
  unread: (_subject: string, why: string) => `trading is halted: ${why}`,
  manyUnknown: (_subject: string, why: string) => `trading is halted: ${why}`,
  unwritten: (_subject: string, why: string) => `trading is halted: ${why}`,
  forbidden: (_subject: string, why: string) => `trading is halted: ${why}`,
  halted: (_subject: string, why: string) => `trading is halted: ${why}`,
  reducing: (_subject: string, why: string) => `trading only reduces: ${why}`,
  productHalted: (product: string, why: string) => `no ${product} order leaves: ${why}`,
  paused: (strategy: string, why: string) =>
    strategy === 'account' ? `all strategies are paused: ${why}` : `strategy ${strategy} is paused: ${why}`,
  strategyStopped: (strategy: string, why: string) => `strategy ${strategy} was stopped: ${why}`,
} as const;

function unexplained(view: StateView, looks: NextLooks): readonly SafeState[] {
  const nextLook = looks.account?.();
  return view.differences.all.flatMap(({ holds, currency = 'account', cause, since }) =>
    holds === undefined
      ? []
      : [
          row(holds === 'halted' ? 'moneyHalts' : 'moneyReduces', {
            subject: currency,
            cause,
            since,
            nextLook,
          }),
        ],
  );
}

function lossLimits(view: StateView): readonly SafeState[] {
  return view.losses.latches.map(({ strategy = 'account', why, since, until }) =>
    row('lossLimit', { subject: strategy, cause: why, since, nextLook: until, latched: until === undefined }),
  );
}
