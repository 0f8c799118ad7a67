import { describe, expect, test } from 'vitest';
import { zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Streams } from '../../../src/core/bus/streams.ts';
import { Topic } from '../../../src/core/bus/topic.ts';
import type {
  BookUpdate,
  Event,
  OrderReport,
  OwnTrade,
  TradesPrinted,
} from '../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { BookView } from '../../../src/core/model/market.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import type { StampedEvent } from '../../../src/core/model/stamped-event.ts';

const times = { exchangeTime: 0 as Micros, receiveTime: 0 as Micros };
const one = 1 as InstrumentId;
const two = 2 as InstrumentId;

function update(instrument: InstrumentId): BookUpdate {
  return {
    kind: 'bookUpdate',
    ...times,
    instrument,
    sequence: 1,
    levels: new Float64Array(0),
    start: 0,
    end: 0,
  };
}

function trades(instrument: InstrumentId): TradesPrinted {
  return { kind: 'trades', ...times, instrument, snapshot: false, trades: [] };
}

const fill: OwnTrade = {
  tradeId: '1',
  price: 10 as Ticks,
  quantity: 1 as Lots,
  fee: zero,
  taker: false,
  time: 0 as Micros,
  instrument: one,
  clientOrderId: 'order-0001' as ClientOrderId,
  venueOrderId: '7',
  side: 'buy',
};

function world() {
  const source = new Topic<StampedEvent>();
  const booked: OwnTrade[] = [];
  const views = new Map<InstrumentId, BookView>();
  const book = (instrument: InstrumentId): BookView => {
    const view = views.get(instrument) ?? ({ instrument } as BookView);
    views.set(instrument, view);
    return view;
  };
  const streams = new Streams({ source, book, booked: () => booked });
  let sequence = 0;
  const publish = (event: Event): void => source.next({ sequence: (sequence += 1), event });
  return { source, streams, booked, book, publish };
}

describe('streams', () => {
  test('watch the source only once somebody asked for a stream', () => {
    const { source, streams } = world();
    expect(source.observed).toBe(false);
    streams.books$(one);
    expect(source.observed).toBe(true);
  });

  test('route by kind and instrument', () => {
    const { streams, publish, book } = world();
    const seen: string[] = [];
    streams.books$(one).subscribe((view) => seen.push(`book ${view === book(one)}`));
    streams.trades$(one).subscribe((event) => seen.push(`trades ${event.instrument}`));
    streams.trades$(two).subscribe((event) => seen.push(`trades ${event.instrument}`));
    publish(update(one));
    publish(update(two));
    publish(trades(two));
    publish(trades(one));
    expect(seen).toEqual(['book true', 'trades 2', 'trades 1']);
  });

  test('tell fills only as far as the state booked them', () => {
    const { streams, publish, booked } = world();
    const seen: string[] = [];
    streams.fills$(one).subscribe(({ tradeId }) => seen.push(tradeId));
    const report = { kind: 'orderReport', ...times } as OrderReport;
    booked.push(fill);
    publish(report);
    booked.length = 0;
    publish(report);
    expect(seen).toEqual(['1']);
  });

  test('complete when closed', () => {
    const { streams, source } = world();
    let completed = 0;
    streams.orders$().subscribe({ complete: () => (completed += 1) });
    streams.tickers$(two).subscribe({ complete: () => (completed += 1) });
    streams.close();
    expect(completed).toBe(2);
    expect(source.observed).toBe(false);
  });
});
