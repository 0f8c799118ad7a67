import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { paperVenue } from '../../src/app/live/paper-venue.ts';
import { millis, seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Event } from '../../src/core/model/event.ts';
import { oneMarket } from '../support/markets.ts';

test.each([
  ['back', 3_000, 1_000],
  ['forth', 1_000, 3_000],
])(
  'a clock that is set %s while a read is on its way dates nothing later than now',
  async (_way, first, then) => {
    const clock = new VirtualClock(seconds(1_000));
    const market = new Subject<Event>();
    const measured = (offset: number): void =>
      market.next({
        kind: 'clockMeasured',
        offset: millis(offset),
        exchangeTime: clock.now(),
        receiveTime: clock.now(),
      });
    const venue = paperVenue({
      config: configSchema.parse({
        sim: {
          entryLatency: { kind: 'constant', micros: 100_000 },
          reportLatency: { kind: 'constant', micros: 100_000 },
        },
        backtest: { balances: { BBB: '10' } },
      }),
      random: new Random(1),
      turns: clock,
      marketData: { events: market, close: () => Promise.resolve() },
      instruments: oneMarket(),
      loaded: [],
      history: [],
      open: () => [],
    });
    const received: { readonly at: number; readonly event: Event }[] = [];
    venue.events.subscribe((event) => received.push({ at: clock.now(), event }));
    measured(first);
    clock.advance(millis(10));
    const sent = [clock.now()];
    venue.send({ kind: 'read', commandId: 1, what: { of: 'balances' } });
    clock.advance(millis(50));
    measured(then);
    clock.advance(millis(100));
    sent.push(clock.now());
    venue.send({ kind: 'read', commandId: 2, what: { of: 'balances' } });
    clock.advance(millis(20));
    measured(first);
    clock.advance(millis(500));
    const answers = received.filter(({ event }) => event.kind === 'readAnswered');
    expect(answers).toHaveLength(2);
    for (const [index, { at, event }] of answers.entries()) {
      if (event.kind !== 'readAnswered') continue;
      expect(event.receiveTime).toBeLessThanOrEqual(at);
      // An answer never counts as younger than its question.
      expect(event.askedAt).toBeLessThanOrEqual(sent[index] ?? 0);
    }
    await venue.close();
  },
);
