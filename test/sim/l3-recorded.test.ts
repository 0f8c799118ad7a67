import { describe, expect, test } from 'vitest';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Book } from '../../src/core/book/book.ts';
import type { Recording } from '../../src/data/recording/contract.ts';
import { openData } from '../../src/data/open/market-data.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { MarketEvent } from '../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest, Side } from '../../src/core/model/order.ts';
import type { OpenEngine } from '../../src/sim/engine.ts';
import { FeeSchedule } from '../../src/sim/fee-schedule.ts';
import { l3Fifo } from '../../src/sim/l3-fifo.ts';
import { simOptions } from '../../src/sim/options.ts';
import type { QueueEngineSetup } from '../../src/sim/fill-models/queue/engine.ts';
import { openQueueEngine } from '../../src/sim/fill-models/queue/engine.ts';
import type { QueueRule } from '../../src/sim/fill-models/queue/position.ts';
import { riskAverse } from '../../src/sim/fill-models/queue/position.ts';
import { ShadowEngine } from '../../src/sim/fill-models/fifo/shadow-engine.ts';
import { SpotAccount } from '../../src/sim/account.ts';
import { eventsOf, hasShared, shared } from '../data/formats/support/tables.ts';
import { instrument } from '../support/sim-harness.ts';

/** Whoever leaves stood ahead of us. */
const optimistic: QueueRule = {
  trade(place, lots) {
    place.ahead -= lots;
    place.traded += lots;
  },
  change(place, before, after) {
    const gone = before - after - place.traded;
    place.traded = 0;
    if (gone > 0 && place.ahead > 0) place.ahead = Math.max(0, place.ahead - gone);
    place.ahead = Math.min(place.ahead, after);
  },
};

function queue(ruleOf: QueueEngineSetup['ruleOf']): OpenEngine {
  return (setup) =>
    openQueueEngine(setup, {
      account: new SpotAccount(setup.balances),
      ruleOf,
      fees: setup.instruments.all.map((one) => new FeeSchedule(one, [])),
      partial: true,
      impact: false,
    });
}

function shadow(queueModel: string): OpenEngine {
  return (setup) => new ShadowEngine({ ...setup, options: simOptions.parse({ queueModel }) });
}

/** Joins both best prices every five seconds with 100 lots, and leaves them after five: what each order got. */
function filledLots(recording: Recording, events: readonly MarketEvent[], open: OpenEngine): number[] {
  const lots = new Map<string, number>();
  const note = (outcomes: readonly Outcome[]): void => {
    for (const one of outcomes) {
      if (one.kind !== 'report' || one.fill === undefined) continue;
      const { clientOrderId } = one.order;
      lots.set(clientOrderId, (lots.get(clientOrderId) ?? 0) + one.fill.quantity);
    }
  };
  const start = events[0]?.exchangeTime ?? (0 as Micros);
  const engine = open({
    instruments: recording.instruments,
    options: simOptions.parse({}),
    balances: ['AAPL', 'USD'].map((currency) => ({
      currency,
      available: parseAmount('1000000000'),
      reserved: zero,
    })),
    now: start,
    tradesFrom: 1,
    happened: note,
    orders: recording.orders,
  });
  const book = new Book(instrument);
  const sent = { commandId: 0, strategy: 'test' };
  let live: ClientOrderId[] = [];
  let due = (start + 5_000_000) as Micros;
  for (const event of events) {
    for (; event.exchangeTime > due; due = (due + 5_000_000) as Micros) {
      for (const clientOrderId of live)
        note(engine.execute({ kind: 'cancelOrder', ...sent, clientOrderId, instrument }, due));
      live = [];
      for (const [side, price] of [
        ['buy', book.bestBid],
        ['sell', book.bestAsk],
      ] as const) {
        if (price === undefined) continue;
        const request = requestOf(`${side}-${lots.size}`.padEnd(9, '-'), side, price);
        lots.set(request.clientOrderId, 0);
        live.push(request.clientOrderId);
        note(engine.execute({ kind: 'newOrder', ...sent, request }, due));
      }
    }
    engine.data(event, event.exchangeTime);
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') book.apply(event);
  }
  return [...lots.values()];
}

function requestOf(id: string, side: Side, price: Ticks): OrderRequest {
  return {
    clientOrderId: id as ClientOrderId,
    instrument,
    side,
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 100 as Lots,
    price,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: true,
  };
}

describe.skipIf(!hasShared)('an hour of AAPL, order by order', () => {
  test('known places fill no less than the most careful belief and no more than the most hopeful', async () => {
    const recording = await openData(shared('l3/lobster-aapl-20120621-message50.csv.gz'));
    const events = (await eventsOf(recording)) as MarketEvent[];
    const run = (open: OpenEngine): number[] => filledLots(recording, events, open);
    const careful = run(queue(() => riskAverse));
    const known = run(queue(l3Fifo));
    const hopeful = run(queue(() => optimistic));
    expect(known).toHaveLength(1_438);
    expect(known.filter((lots, i) => lots < (careful[i] ?? 0) || lots > (hopeful[i] ?? 0))).toEqual([]);
    expect([careful, known, hopeful].map((all) => all.filter((lots) => lots > 0).length)).toEqual([
      404, 405, 418,
    ]);
    // Both engines know the same places, and twice the same.
    const among = run(shadow(l3Fifo));
    expect(among).toEqual(known);
    expect(run(shadow(l3Fifo))).toEqual(among);
    expect(run(shadow('conservative')).filter((lots, i) => lots > (among[i] ?? 0))).toEqual([]);
  });
});
