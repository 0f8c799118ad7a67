import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../../../src/core/base/amount.ts';
import { seconds } from '../../../../src/core/base/clock.ts';
import type { InstrumentId } from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import { chartsOf } from '../../../../src/research/report/sections/charts.ts';
import { figureOf } from '../../../../src/research/report/document/document.ts';
import { makeDocument } from '../../../../src/research/report/make-documents.ts';
import type { DocumentSetting } from '../../../../src/research/report/make-documents.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { ClientOrderId, Fill, Side } from '../../../../src/core/model/order.ts';
import { OrderStatistics } from '../../../../src/research/report/fold/order-statistics.ts';
import type { GateWaits } from '../../../../src/research/report/fold/run-details.ts';
import { RunDetails } from '../../../../src/research/report/fold/run-details.ts';
import { summed } from '../support/summed.ts';
import { defineStrategy, z } from '../../../../src/core/strategy/index.ts';
import { Scene, specs } from '../../../core/strategy/scene.ts';

const symbol = 'ETHBTC';
const opening = new Map([
  ['ETH', parseAmount('2')],
  ['BTC', parseAmount('0.0001')],
]);
const setting: DocumentSetting = {
  title: 'hand on ETHBTC',
  identity: { mode: 'backtest', seed: 7 },
  band: 'not run: --band',
};

/** A strategy that does as it is asked, and a summary with details that sees every event when it happens. */
function watched(held: ReadonlyMap<string, Amount> | undefined = opening) {
  const scene = new Scene();
  let waited: GateWaits = { count: 0, total: 0, longest: 0 };
  const { summary, observe } = summed({
    instruments: scene.instruments,
    book: (instrument) => scene.state.book(instrument),
    details: true,
    opening: held,
    waited: () => waited,
  });
  let place: (side: Side, price: number, quantity: number) => void = () => {};
  let placeStop: (stopPrice: number, price: number, quantity: number) => void = () => {};
  const definition = defineStrategy({
    name: 'hand',
    params: z.strictObject({}),
    feeds: () => [{ symbol, book: true }],
    create: ({ orders }) => {
      place = (side, price, quantity) => void orders.place({ symbol, side, price, quantity });
      placeStop = (stopPrice, price, quantity) =>
        void orders.place({ symbol, side: 'sell', type: 'stopLimit', stopPrice, price, quantity });
      return {};
    },
  });
  scene.add(definition).start();
  let seen = 0;
  const step = (act: () => void): void => {
    act();
    for (const event of scene.events.slice(seen)) observe(event);
    seen = scene.events.length;
  };
  const fillLast = (lots: number): void =>
    step(() => scene.fill((scene.open().at(-1) ?? fail()).clientOrderId, lots));
  return {
    scene,
    summary,
    step,
    fillLast,
    wait: (waits: GateWaits) => (waited = waits),
    order: (side: Side, price: number, quantity: number) => step(() => place(side, price, quantity)),
    stop: (stopPrice: number, price: number, quantity: number) =>
      step(() => placeStop(stopPrice, price, quantity)),
  };
}

function fail(): never {
  throw new Error('there is no open order');
}

describe('execution', () => {
  test('times run from the decision, the queue is what stood at the price, in multiples of the order', () => {
    const { scene, summary, step, order, fillLast } = watched();
    step(() => scene.book([[100, 50]], [[104, 50]]));
    order('buy', 100, 20);
    step(() => scene.wait(250));
    fillLast(5);
    step(() => scene.wait(250));
    fillLast(15);
    const { timeToFill, queueAhead, acknowledged, makerSlippage } = summary.details?.orders ?? fail();
    expect(timeToFill.sorted()).toEqual([250_000]);
    expect(queueAhead.sorted()).toEqual([2.5]);
    expect(acknowledged.sorted()).toEqual([0]);
    // Bought at 100 with the mid at 102: two ticks better than the mid.
    expect(makerSlippage.count).toBe(2);
    expect(makerSlippage.mean).toBeCloseTo((-2 / 102) * 10_000, 9);
  });

  test.each([true, false])(
    'a stop order is measured from its activation, reported by itself: %s',
    (isReported) => {
      const { scene, summary, step, stop, fillLast } = watched();
      step(() => scene.book([[100, 50]], [[104, 50]]));
      stop(90, 86, 20);
      step(() => scene.wait(60_000));
      step(() => scene.book([[86, 50]], [[90, 50]]));
      if (isReported) step(() => scene.report(scene.open().at(-1) ?? fail(), 'new'));
      step(() => scene.wait(250));
      step(() => scene.book([[84, 50]], [[88, 50]]));
      fillLast(20);
      const { timeToFill, makerSlippage, acknowledged } = summary.details?.orders ?? fail();
      expect(acknowledged.sorted()).toEqual([0]);
      expect(timeToFill.sorted()).toEqual([isReported ? 250_000 : 0]);
      // Sold at 86: with the mid at 88 when it was activated, or at 86 when the fill was the first to say so.
      expect(makerSlippage.mean).toBeCloseTo(isReported ? (2 / 88) * 10_000 : 0, 9);
    },
  );

  test('a stop order whose first report brings its fill is measured from then, not from its placing', () => {
    const orders = new OrderStatistics({
      book: undefined,
      mid: () => 86,
      tally: { isOpen: () => true },
    });
    const [id, instrument] = ['stop' as ClientOrderId, 0 as InstrumentId];
    const request = {
      clientOrderId: id,
      instrument,
      side: 'sell',
      type: 'stopMarket',
      quantity: 20,
      price: undefined,
    };
    const at = (time: number) => ({ exchangeTime: time, receiveTime: time });
    orders.observe({
      kind: 'orderPending',
      command: { strategy: 'hand', request },
      ...at(0),
    } as unknown as Event);
    orders.filled(id, { price: 86, quantity: 20, taker: true } as Fill, 60_000_000);
    expect(orders.timeToFill.sorted()).toEqual([0]);
    expect(orders.takerSlippage.mean).toBe(0);
  });

  test('waits at the gate are reported as number, sum and longest', () => {
    const { summary, wait, order } = watched();
    const received = () =>
      makeDocument(summary, setting)
        .sections.flatMap(({ figures }) => figures)
        .filter(({ key }) => key.startsWith('execution.wait'))
        .map(({ key, value }) => [key, value]);
    order('buy', 100, 20);
    order('buy', 99, 20);
    expect(received()).toEqual([['execution.waits', '0 of 2 commands']]);
    wait({ count: 1, total: 2_500_000, longest: 1_500_000 });
    expect(received()).toEqual([
      ['execution.waits', '1 of 2 commands'],
      ['execution.waitTotal', '2.50 s'],
      ['execution.waitLongest', '1.50 s'],
    ]);
  });

  test('own quotes are the best prices of orders the venue has answered', () => {
    const { summary, order } = watched();
    order('buy', 98, 20);
    order('buy', 99, 20);
    order('sell', 105, 20);
    order('sell', 103, 20);
    expect([...(summary.details?.orders.quotes() ?? [])]).toEqual([[0, { bid: 99, ask: 103 }]]);
  });

  test('an order whose end only a read reports, of itself or of its trades, is open no more', () => {
    const { scene, summary, step, order } = watched();
    order('buy', 99, 20);
    order('sell', 103, 20);
    const [bid = fail(), ask = fail()] = scene.open();
    expect(summary.tally.open).toBe(2);
    const read = { kind: 'readAnswered' as const, ...scene.times, commandId: 1, askedAt: scene.clock.now() };
    const at = { venueOrderId: 'v', orderListId: undefined };
    const ended = { ...bid, ...at, state: 'canceled' as const };
    const { clientOrderId, instrument, side, price = fail(), quantity } = ask;
    const of = { instrument, clientOrderId, venueOrderId: 'w', side };
    const fill = { ...of, tradeId: 'lost', price, quantity, fee: zero, taker: false, time: read.askedAt };
    step(() => {
      const what = { of: 'orderHistory' as const, clientOrderId: bid.clientOrderId };
      scene.publish({ ...read, what, orders: [ended], fills: [], balances: [] });
      const trades = { of: 'tradeHistory' as const, since: read.askedAt };
      scene.publish({ ...read, what: trades, orders: [], fills: [fill], balances: [] });
    });
    expect(scene.open()).toEqual([]);
    expect(summary.tally.counts()).toMatchObject({ open: 0, canceled: 1, filled: 1, endedWithFill: 1 });
    expect([...(summary.details?.orders.quotes() ?? [])]).toEqual([]);
  });
});

describe('markouts', () => {
  test('look at the mid as it stood then, and weigh by value', () => {
    const { scene, summary, step, order, fillLast } = watched();
    step(() => scene.book([[99, 50]], [[101, 50]]));
    order('buy', 100, 10);
    fillLast(10);
    step(() => scene.wait(900));
    step(() => scene.book([[103, 50]], [[105, 50]]));
    step(() => scene.wait(200));
    // Comes after the look at 1 s: that one still saw 104.
    step(() => scene.book([[149, 50]], [[151, 50]]));
    order('sell', 200, 30);
    fillLast(30);
    step(() => scene.wait(1_000));
    step(() => scene.book([[159, 50]], [[161, 50]]));
    const look = (seconds: number) =>
      summary.details?.markouts.result('all').find((one) => one.seconds === seconds);
    // The buy: 100 to 104 is +400 bp. The sell at 200 with the mid at 150 is +2500 bp; worth six times as much.
    expect(look(1)).toMatchObject({ count: 2 });
    expect(look(1)?.mean).toBeCloseTo((400 * 1_000 + 2_500 * 6_000) / 7_000, 9);
    expect(look(0)?.mean).toBeCloseTo((0 * 1_000 + 2_500 * 6_000) / 7_000, 9);
    expect(look(60)?.count).toBe(0);
  });

  test('a book that is not live leaves the fill out, and is counted', () => {
    const { scene, summary, step, order, fillLast } = watched();
    step(() => scene.book([[99, 50]], [[101, 50]]));
    order('buy', 100, 10);
    fillLast(10);
    const { times } = scene;
    const id = scene.instruments.get(symbol).id;
    step(() =>
      scene.publish({ kind: 'bookStale', ...times, instrument: id, reason: 'silent', expected: 0, found: 0 }),
    );
    step(() => scene.wait(150));
    step(() => scene.trade(100, 1));
    expect(summary.details?.markouts.missed).toBe(1);
    expect(summary.details?.markouts.result('maker').map(({ count }) => count)).toEqual([
      1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
  });
});

describe('the document', () => {
  /** Buys 10 at 100, sells 10 at 110, buys 10 at 120: one trade, one open position, worth 10 x 130 at the end. */
  function played(more: Partial<DocumentSetting> = {}) {
    const { scene, summary, step, order, fillLast } = watched();
    step(() => scene.book([[99, 50]], [[101, 50]]));
    step(() => scene.wait(1_000));
    step(() => scene.book([[99, 50]], [[101, 50]]));
    const trade = (side: Side, price: number): void => {
      order(side, price, 10);
      fillLast(10);
      step(() => scene.wait(2_000));
      step(() => scene.book([[price, 50]], [[price + 2, 50]]));
    };
    trade('buy', 100);
    trade('sell', 110);
    trade('buy', 120);
    step(() => scene.wait(2_000));
    step(() => scene.book([[129, 50]], [[131, 50]]));
    summary.finish();
    return makeDocument(summary, { ...setting, ...more });
  }

  test('shows money as it adds up by hand', () => {
    const document = played();
    const received = (key: string) => figureOf(document, key)?.number;
    // A tick times a lot is 10^-10 BTC. Cash: -1000 + 1100 - 1200, position 1300: 200; rebates 0.01 % of 3300.
    expect(figureOf(document, 'return.profit')?.value).toBe('0.000000020033 BTC');
    expect(received('return.rebates')).toBeCloseTo(0.33e-10, 24);
    expect(received('return.fees')).toBe(0);
    expect(received('return.turnover')).toBeCloseTo(3_300e-10, 20);
    // 2 ETH at the first mid (100 ticks of 10^-6), and 0.0001 BTC.
    expect(received('return.start')).toBeCloseTo(0.0003, 15);
    expect(received('return.end')).toBeCloseTo(0.000300020033, 15);
    expect(received('return.share')).toBeCloseTo(0.000000020033 / 0.0003, 12);
    expect(received('return.hold')).toBeCloseTo(0.3, 12);
    expect(received('risk.inventoryEnd')).toBeCloseTo(0.001, 12);
    expect(received('risk.leverage')).toBeCloseTo((0.001 * 0.00013) / 0.000300020033, 12);
    expect(received('robustness.fee')).toBeCloseTo(200.33 / 3_300, 9);
  });

  test('counts trades and slices them, and says N/A with the reason where there are too few', () => {
    const document = played();
    expect(figureOf(document, 'trades.count')?.number).toBe(1);
    expect(figureOf(document, 'trades.open')?.number).toBe(1);
    expect(figureOf(document, 'trades.winsInARow')?.number).toBe(1);
    for (const [key, reason] of [
      ['trades.winRate', 'needs 30 closed trades, has 1'],
      ['ratios.sharpe', 'needs 30 daily returns, has 1'],
      ['ratios.dsr', 'the number of trials is unknown'],
      ['ratios.trials', 'this run was not written to a trial log'],
      ['execution.fillRatio', 'needs 30 ended orders, has 3'],
      ['execution.markout1', 'needs 30 fills with a mid price so long after, has 3'],
      ['robustness.band', 'not run: --band'],
    ] as const) {
      expect(figureOf(document, key)).toMatchObject({ reason });
      expect(figureOf(document, key)?.value).toBeUndefined();
    }
    const trades = document.sections.find(({ key }) => key === 'trades');
    expect(trades?.tables.map(({ title, rows }) => [title, rows[0]?.slice(0, 3)])).toEqual([
      ['By side', ['long', '1', 'N/A (1 of 30)']],
      ['By symbol', ['ETHBTC', '1', 'N/A (1 of 30)']],
      ['By strategy', ['hand', '1', 'N/A (1 of 30)']],
      ['By exit', ['limit, maker', '1', 'N/A (1 of 30)']],
      ['By hour (UTC)', ['22', '1', 'N/A (1 of 30)']],
      ['Closed trades', ['2023-11-14T22:13:21.000Z', '2023-11-14T22:13:23.000Z', 'ETHBTC']],
    ]);
  });

  test('has every section in order, every chart that has something to show, and a definition for every number', () => {
    const document = played();
    expect(document.sections.map(({ title }) => title)).toEqual([
      'Identity',
      'Return',
      'Risk',
      'Ratios',
      'Trades',
      'Execution',
      'Robustness',
    ]);
    expect(document.charts.map(({ id }) => id)).toEqual([
      'price-ETHBTC',
      'profit-BTC',
      'equity-BTC',
      'underwater-BTC',
      'inventory-ETHBTC',
      'markout',
      'time-to-fill',
      'acknowledgement',
    ]);
    for (const { x, series } of document.charts) {
      expect(x).toEqual(x.toSorted((a, b) => a - b));
      expect(new Set(x).size).toBe(x.length);
      for (const { values } of series) expect(values).toHaveLength(x.length);
    }
    const bare = document.sections.flatMap(({ figures }) => figures).filter((one) => one.definition === '');
    expect(bare).toEqual([]);
  });

  test('stands against hold in money where shares of equity say nothing', () => {
    const chart = played({ noShares: 'it was assumed' }).charts.find(({ id }) => id === 'equity-BTC');
    expect([chart?.title, chart?.yLabel]).toEqual(['Profit against hold, BTC', 'BTC']);
    const [own, held] = (chart?.series ?? []).map(({ values }) => values.at(-1));
    expect(own).toBeCloseTo(0.000000020033, 15);
    // Ten lots, the largest position, from the first price of 100 to the last of 130.
    expect(held).toBeCloseTo(300e-10, 15);
  });

  test('shows the return by month', () => {
    const returns = played().sections.find(({ key }) => key === 'return');
    expect(returns?.tables[0]?.rows).toEqual([
      ['2023', '', '', '', '', '', '', '', '', '', '', '0.01 %', '', '0.01 %'],
    ]);
  });

  test('without a known start there are no shares of equity, and why is said', () => {
    const document = makeDocument(watched(new Map()).summary, setting);
    expect(figureOf(document, 'return.share')).toMatchObject({
      reason: 'it is not known what the account started with',
    });
  });
});

test('a symbol without any event has no chart', () => {
  const instruments = new Instruments(specs);
  const tally = { isOpen: () => false };
  const details = new RunDetails({ instruments, book: undefined, tally, startOf: () => Number.NaN });
  const silent = (price: number) => (id: InstrumentId) => ({
    instrument: instruments.at(id),
    price,
    position: 0,
  });
  const chartsAt = (price: number): readonly string[] => {
    for (const second of [1, 2]) details.sample(seconds(second), [], silent(price));
    return chartsOf([], details).map(({ id }) => id);
  };
  expect(chartsAt(Number.NaN)).toEqual([]);
  expect(chartsAt(7)).toContain(`price-${symbol}`);
});
