import { describe, expect, test } from 'vitest';
import { formatAmount, parseAmount } from '../../../src/core/base/amount.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import type { OwnTrade } from '../../../src/core/model/event.ts';
import { LossStore } from '../../../src/core/state/losses.ts';
import { Ledger } from '../../../src/core/ledger/ledger.ts';
import { at, fill, first, instruments, newState, ownTrade, second } from './support/world.ts';

const amount = (text: string) => parseAmount(text);
const maker = { strategy: 'maker', currency: 'USD' };
const account = { strategy: undefined, currency: 'USD' };

/** The results that are reported of these trades, fees of 0.25 a trade counted. */
function resultsOf(trades: readonly (readonly ['buy' | 'sell', number, number])[]): readonly string[] {
  const results: string[] = [];
  const store = new Ledger(instruments, {
    closed: ({ strategy, currency, result }) =>
      results.push(`${strategy} ${currency} ${formatAmount(result)}`),
    recounted: () => {},
  });
  trades.forEach(([side, quantity, price], index) => {
    store.book(ownTrade('a', side, fill(String(index), quantity, price)), 'maker');
  });
  return results;
}

describe('the result of a round trip', () => {
  test('is reported when the position is flat, fees counted', () => {
    expect(
      resultsOf([
        ['buy', 10_000, 1_000],
        ['sell', 5_000, 1_200],
        ['sell', 5_000, 1_100],
      ]),
    ).toEqual(['maker USD 14.25']);
  });

  test('is reported when the position turns over, and counting begins anew', () => {
    expect(
      resultsOf([
        ['buy', 10_000, 1_000],
        ['sell', 15_000, 900],
        ['buy', 5_000, 900],
      ]),
    ).toEqual(['maker USD -10.5', 'maker USD -0.25']);
  });
});

describe('limits on loss in the state', () => {
  test('trades that lose in a row are counted for the strategy and for the account; one that wins ends the count', () => {
    const store = new LossStore();
    const closed = (strategy: string, result: string): void => {
      const closing = { strategy, currency: 'USD', instrument: first, account: 'spot', order: 1 } as const;
      store.closed({ ...closing, result: amount(result) }, Number.POSITIVE_INFINITY);
    };
    closed('maker', '-1');
    closed('taker', '-1');
    closed('maker', '0');
    expect([store.losingTrades(maker), store.losingTrades(account)]).toEqual([1, 2]);
    closed('taker', '1');
    expect([store.losingTrades(maker), store.losingTrades(account)]).toEqual([1, 0]);
  });

  test('marks and latches are folded, carried and cleared', () => {
    const state = newState();
    const mark = { ...account, day: 19_675, dayStart: amount('5'), peak: amount('9') };
    const latch = {
      ...account,
      limit: 'drawdown',
      action: 'halted',
      why: 'too much',
      since: at(3).receiveTime,
      until: undefined,
    } as const;
    state.apply({ kind: 'profitMarked', ...at(2), mark });
    state.apply({ kind: 'lossLimitReached', ...at(3), latch });
    const restarted = newState();
    restarted.apply({ kind: 'stateCarried', ...at(4), state: state.carry() });
    expect(restarted.losses.latches).toEqual([latch]);
    expect(restarted.losses.mark(account)).toEqual(mark);
    restarted.apply({
      kind: 'lossLimitCleared',
      ...at(5),
      ...account,
      limit: 'drawdown',
      why: 'cleared by the operator',
      profit: amount('1'),
    });
    expect(restarted.losses.latches).toEqual([]);
    expect(restarted.losses.mark(account)).toEqual({ ...mark, peak: amount('1') });
  });
});

/** A ledger and the count of losing trades that it makes. */
class Counted {
  readonly losses = new LossStore();
  readonly ledger: Ledger;

  constructor(isCompared: boolean) {
    const { losses } = this;
    this.ledger = new Ledger(instruments, {
      closed: (closing) => losses.closed(closing, this.ledger.openFrom),
      recounted: (holding, from, closings) => losses.recounted(holding, from, closings),
    });
    this.ledger.executions.beginRun(isCompared, 0 as Micros);
  }

  /** As after a restart. */
  again(): Counted {
    const next = new Counted(true);
    const executions = this.ledger.carryExecutions();
    next.ledger.takePositions(this.ledger.carryPositions());
    if (executions !== undefined) next.ledger.takeExecutions(executions);
    next.losses.takeLosses(this.losses.carryLosses());
    return next;
  }

  /** An operator cleared the limits of the account and of a strategy. */
  clear(): void {
    for (const scope of [account, maker])
      this.losses.applyCleared(
        {
          kind: 'lossLimitCleared',
          ...at(1),
          ...scope,
          limit: 'losingTrades',
          why: '',
          profit: undefined,
        },
        this.ledger.openUntil,
      );
  }

  get counts(): readonly number[] {
    return [account, maker, { ...maker, strategy: 'taker' }].map((scope) => this.losses.losingTrades(scope));
  }
}

test('losing trades in a row are those of books in which a withdrawn execution never stood, a corrected one as it is', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = new Random(seed);
    let counted = new Counted(true);
    const plain = new Counted(false);
    const open: { trade: OwnTrade; holds: OwnTrade | undefined; strategy: string }[] = [];
    const real: { trade: OwnTrade; strategy: string; isCleared: boolean }[] = [];
    const settle = (): void => {
      const [{ trade, holds, strategy }] = open.splice(random.between(0, open.length - 1), 1) as never as [
        (typeof open)[number],
      ];
      if (holds === trade) return counted.ledger.confirm(trade);
      const correction = {
        cause: holds === undefined ? 'withdrawn' : 'fee',
        strategy,
        trade,
        holds,
        why: '',
      };
      counted.ledger.correct({ kind: 'executionCorrected', ...at(1), correction } as never);
    };
    for (let number = 0; number < 40; number++) {
      const strategy = random.chance(0.5) ? 'maker' : 'taker';
      const execution = fill(String(number), 1_000 * random.between(1, 3), random.between(990, 1_010));
      const side = random.chance(0.5) ? 'buy' : 'sell';
      const trade = { ...ownTrade('a', side, execution), instrument: random.chance(0.5) ? first : second };
      const isOpen = random.chance(0.6);
      const holds =
        isOpen && random.chance(0.3)
          ? undefined
          : isOpen && random.chance(0.3)
            ? { ...trade, fee: amount('40') }
            : trade;
      counted.ledger.book(trade, strategy, isOpen ? ((number + 1) as Micros) : undefined);
      if (isOpen) open.push({ trade, holds, strategy });
      if (holds !== undefined) real.push({ trade: holds, strategy, isCleared: false });
      if (open.length > 0 && random.chance(0.4)) settle();
      if (random.chance(0.1)) counted = counted.again();
      if (random.chance(0.1)) {
        counted.clear();
        const last = real.at(-1);
        if (last !== undefined) last.isCleared = true;
      }
    }
    while (open.length > 0) settle();
    for (const { trade, strategy, isCleared } of real) {
      plain.ledger.book(trade, strategy);
      if (isCleared) plain.clear();
    }
    expect(counted.counts, `seed ${seed}`).toEqual(plain.counts);
  }
});

test('trades that were forgiven do not come back with a correction', () => {
  const counted = new Counted(true);
  const trade = (number: number, side: 'buy' | 'sell', price: number, isOpen = true): OwnTrade => {
    const one = ownTrade('a', side, fill(String(number), 1_000, price));
    counted.ledger.book(one, 'maker', isOpen ? (number as Micros) : undefined);
    return one;
  };
  const phantom = trade(1, 'sell', 1_100);
  for (const [number, side, price] of [
    [2, 'buy', 1_000],
    [3, 'sell', 900],
    [4, 'buy', 1_000],
    [5, 'sell', 900],
  ] as const)
    trade(number, side, price);
  expect(counted.losses.losingTrades(maker)).toBe(1);
  counted.clear();
  expect(counted.losses.losingTrades(maker)).toBe(0);
  const correction = {
    cause: 'withdrawn',
    strategy: 'maker',
    trade: phantom,
    holds: undefined,
    why: '',
  } as const;
  counted.ledger.correct({ kind: 'executionCorrected', ...at(7), correction });
  expect(counted.losses.losingTrades(maker)).toBe(0);
  trade(8, 'buy', 1_000);
  trade(9, 'sell', 900);
  expect(counted.losses.losingTrades(maker)).toBe(1);
});
