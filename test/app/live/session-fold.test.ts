import { expect, test } from 'vitest';
import { formatAmount, negate, parseAmount } from '../../../src/core/base/amount.ts';
import { SessionFold } from '../../../src/app/live/session-fold.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { ownOrders } from '../../../src/app/live/account-now.ts';
import type { Event, OwnTrade } from '../../../src/core/model/event.ts';
import { State } from '../../../src/core/state/state.ts';
import { Summary } from '../../../src/research/report/fold/summary.ts';
import { makeDocument } from '../../../src/research/report/make-documents.ts';
import { accountSection } from '../../../src/research/report/sections/account.ts';
import { at, fill, first, id, instruments, lots, placed, report } from '../../core/state/support/world.ts';

const up: Event = { kind: 'sessionUp', ...at(1), session: 'market' };

/** A session with a real execution, and one that is withdrawn or whose fee is corrected. */
function session(corrected: 'withdrawn' | 'fee' | undefined, second = true): SessionFold {
  const fold = new SessionFold(instruments);
  fold.observe({ kind: 'runStarted', ...at(1), run: 'r', mode: 'live' });
  fold.observe(up);
  fold.observe(placed('a'));
  fold.observe(report('a', 'filled', { cumulative: lots(10), fill: fill('1', 10, 1_000) }));
  if (second) {
    fold.observe(placed('b'));
    fold.observe(report('b', 'filled', { cumulative: lots(10), fill: fill('2', 10, 1_200) }));
  }
  const trade = fold.state.openExecutions.at(-1)?.trade as OwnTrade;
  const holds = corrected === 'fee' ? { ...trade, fee: parseAmount('7') } : undefined;
  if (corrected !== undefined)
    fold.observe({
      kind: 'executionCorrected',
      ...at(20),
      correction: { cause: corrected, strategy: 'maker', trade, holds, why: 'the venue tells it otherwise' },
    });
  fold.endSession();
  return fold;
}

test('a session begins with the carried state, whatever its start cleared, denied and accepted before that', () => {
  const before = session('fee').state;
  const [why, time] = ['cleared by the operator', at(30)];
  const moved = { wallet: 'spot', currency: 'USD', time: time.receiveTime, why } as const;
  const amount = parseAmount('5');
  const cleared: readonly Event[] = [
    { kind: 'modeChanged', ...time, mode: 'active', why, latched: false },
    {
      kind: 'lossLimitCleared',
      ...time,
      strategy: '',
      currency: 'USD',
      limit: 'drawdown',
      why,
      profit: undefined,
    },
    { kind: 'moneyMoved', ...time, moved: { ...moved, entry: 'unexplained', amount: negate(amount) } },
    { kind: 'moneyMoved', ...time, moved: { ...moved, entry: 'transfer', amount } },
    { kind: 'differenceEnded', ...time, key: 'money USD', why },
    {
      kind: 'orderDenied',
      ...time,
      strategy: 'maker',
      action: 'place',
      clientOrderId: id('c'),
      originalClientOrderId: undefined,
      denial: { code: 'CANCELED_UNSENT', why: 'it never left' },
    },
    { kind: 'strategyNoted', ...time, strategy: 'maker', level: 'warn', text: 'an order of the run before' },
    { kind: 'operatorActed', ...time, act: { act: 'pause', strategy: 'maker' }, who: 'ann', why: '' },
  ];
  const fold = new SessionFold(instruments);
  fold.observe({ kind: 'runStarted', ...time, run: 's', mode: 'live' });
  for (const event of cleared) fold.observe(event);
  fold.observe({ kind: 'stateCarried', ...time, state: before.carry() });
  fold.observe(placed('d'));
  fold.endSession();
  expect(fold.state.positions()).toEqual(before.positions());
  expect(fold.state.position(first, 'maker').quantity).toBe(20);
  expect(fold.summary.tally).toMatchObject({ denied: 1 });
});

test('a session that is stopped before the venue was reached says why', () => {
  const fold = new SessionFold(instruments);
  fold.observe({ kind: 'runStarted', ...at(1), run: 's', mode: 'live' });
  fold.observe({ kind: 'modeChanged', ...at(2), mode: 'halted', why: 'stopped by SIGTERM', latched: false });
  fold.endSession();
  expect(fold.endText(false)).toBe('was stopped: stopped by SIGTERM');
});

const positionOf = ({ summary }: SessionFold) => summary.holding(first)?.position;

test('the figures of a session are those without an execution that was withdrawn', () => {
  const fold = session('withdrawn');
  expect(positionOf(fold)).toEqual(positionOf(session(undefined, false)));
  expect(fold.summary.held(first)).toMatchObject({ position: 10, fills: 1 });
});

test('closed trades are those of executions as they hold, and markouts say what they count', () => {
  const traded = (corrected: 'withdrawn' | 'fee' | undefined): SessionFold => {
    const fold = new SessionFold(instruments);
    fold.observe({ kind: 'runStarted', ...at(1), run: 'r', mode: 'live' });
    fold.observe(up);
    for (const [name, side, price] of [
      ['a', 'buy', 1_000],
      ['b', 'sell', 1_200],
      ['c', 'sell', 900],
    ] as const) {
      if (corrected === undefined && name === 'b') continue;
      fold.observe(placed(name, { side }));
      fold.observe(report(name, 'filled', { side, cumulative: lots(10), fill: fill(name, 10, price) }));
    }
    const trade = fold.state.openExecutions.find(({ trade: one }) => one.tradeId === 'b')?.trade as OwnTrade;
    const holds = corrected === 'fee' ? { ...trade, fee: parseAmount('7') } : undefined;
    const correction = { strategy: 'maker', trade, holds, why: '' };
    if (corrected !== undefined)
      fold.observe({
        kind: 'executionCorrected',
        ...at(20),
        correction: { ...correction, cause: corrected },
      });
    fold.endSession();
    return fold;
  };
  const trips = ({ summary }: SessionFold) =>
    summary.details?.trades.trips.map(({ net, fees }) => ({ net, fees }));
  expect(trips(traded('withdrawn'))).toEqual(trips(traded(undefined)));
  expect(trips(traded('withdrawn'))).toHaveLength(1);
  expect(trips(traded('fee'))?.[0]?.fees).toBeCloseTo(7.25, 9);
  const withdrawn = makeDocument(traded('withdrawn').summary, { title: '', identity: {}, band: '' });
  expect(withdrawn.notes.join(' ')).toContain('count 1 fills as they were reported');
  const untouched = makeDocument(traded(undefined).summary, { title: '', identity: {}, band: '' });
  expect(untouched.notes.join(' ')).not.toContain('as they were reported');
});

test('the figures of a session have the fee that was taken over, as the state has', () => {
  const fold = session('fee');
  const { fees, quantity } = fold.state.position(first, 'maker');
  expect(positionOf(fold)).toMatchObject({ fees, quantity });
});

/** Interest of the isolated account that looks at the account have shown. */
function found(amount: string, time: number): Event {
  const account = { product: 'margin', mode: 'isolated', instrument: first, currency: 'USD' } as const;
  const shares = [{ instrument: first, amount: parseAmount(amount), time: time as Micros }];
  return {
    kind: 'chargeFound',
    ...at(time),
    charged: 'interest',
    account,
    shares,
    until: time as Micros,
    why: 'two looks show it',
  };
}

const margin = { mode: 'isolated', reduceOnly: false, closePosition: false, auto: false } as const;

/** Ours is a third of the position, an order of others the rest. */
const shared: readonly Event[] = [
  { kind: 'runStarted', ...at(1), run: 'r', mode: 'live' },
  up,
  placed('a', { margin }),
  report('a', 'filled', { margin, cumulative: lots(10), fill: fill('1', 10, 1_000) }),
  report('theirs', 'filled', {
    margin,
    cumulative: lots(20),
    quantity: lots(20),
    fill: fill('2', 20, 1_000),
  }),
];

test('a session is charged for what its strategies hold, not for what orders of others do', () => {
  const fold = new SessionFold(instruments);
  for (const event of [...shared, found('0.9', 30)]) fold.observe(event);
  fold.endSession();
  const held = fold.state.position(first, 'maker', 'isolated');
  expect(formatAmount(held.charges)).toBe('0.3');
  expect(fold.summary.holding(first, 'isolated')?.position).toEqual({ ...held, strategy: '' });
  expect(fold.summary.margin.charges.map(({ amount }) => formatAmount(amount))).toEqual(['0.3']);
});

test('what several events of one step booked is counted once each by all who see them after it', () => {
  const state = new State({ instruments });
  const summary = new Summary({
    instruments,
    own: ownOrders(state),
    entries: (event) => state.entriesOf(event),
  });
  const step = [...shared, found('0.9', 30), found('0.6', 31)];
  for (const [at, event] of step.entries()) state.fold(event, at > 0);
  for (const event of step) summary.observe(event);
  const held = state.position(first, 'maker', 'isolated');
  expect(formatAmount(held.charges)).toBe('0.5');
  expect(summary.holding(first, 'isolated')?.position).toEqual({ ...held, strategy: '' });
  expect(step.map((event) => state.tradesOf(event).length)).toEqual([0, 0, 0, 1, 1, 0, 0]);
});

test('a report names corrections and differences that are open', () => {
  const { state } = session('withdrawn');
  const { figures } = accountSection({
    positions: [],
    openOrders: 0,
    unknownOrders: 0,
    stopped: [],
    differences: ['ours and theirs'],
    corrections: state.corrections.map(({ why }) => why),
  });
  expect(figures.map(({ label, value }) => `${label}: ${value}`)).toEqual(
    expect.arrayContaining([
      'difference with the venue: ours and theirs',
      'correction: the venue tells it otherwise',
    ]),
  );
});
