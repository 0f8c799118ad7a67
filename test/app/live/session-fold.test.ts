import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { SessionFold } from '../../../src/app/live/session-fold.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import { makeDocument } from '../../../src/research/report/make-document.ts';
import { accountSection } from '../../../src/research/report/account-section.ts';
import { at, fill, first, instruments, lots, placed, report } from '../../core/state/support/world.ts';

/** A session with a real execution, and one that is withdrawn or whose fee is corrected. */
function session(corrected: 'withdrawn' | 'fee' | undefined, second = true): SessionFold {
  const fold = new SessionFold(instruments);
  fold.observe({ kind: 'runStarted', ...at(1), run: 'r', mode: 'live' });
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
  fold.end();
  return fold;
}

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
    fold.end();
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
