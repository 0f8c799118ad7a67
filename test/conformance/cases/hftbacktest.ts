import type { ScenarioResult } from '../../../src/app/backtest/scenario-result.ts';
import { Book } from '../../../src/core/book/book.ts';
import { surveyBinance } from '../../../src/data/binance/survey.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { RowCount } from '../../support/import-rows.ts';
import type { SampledLevels } from '../../../src/research/scenario/sampler.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';
import { SnapshotRange } from '../../../src/research/scenario/snapshot-range.ts';
import type { ConformanceCase } from '../case.ts';
import { equal, readExpected, runNamed, scenarioNamed } from '../expected.ts';

const published = 'hftbacktest_btcusdt_20240718_19.json';
const importPublished = 'hftbacktest_import_20240808.json';
const days = ['binance-raw/usdm_btcusdt_20240718.gz', 'binance-raw/usdm_btcusdt_20240719.gz'];
const august = 'binance-raw/usdm_btcusdt_20240808.gz';

interface DayExpected {
  readonly rows_before_order_merge: number;
  readonly rows_after_order_merge: number;
  readonly local_shift_ns: number;
  readonly end_of_file_book_levels?: number;
  readonly end_best_bid?: readonly [number, number];
  readonly end_best_ask?: readonly [number, number];
}

interface OrderCase {
  readonly latency_ns: number;
  readonly case: string;
  readonly order_price?: number;
  readonly status_seen?: readonly (readonly [string, string])[];
  readonly response_at?: string;
  readonly filled_by?: string;
  readonly NEW_and_cancel_sent_at?: string;
  readonly CANCELED_seen_at?: string;
  readonly exec_price?: number;
  readonly position?: number;
  readonly balance?: number;
  readonly fee?: number;
  readonly status?: string;
}

interface Published {
  readonly data_preparation: Readonly<Record<string, DayExpected>>;
  readonly top3_every_60s: readonly { readonly t: string; readonly asks: unknown; readonly bids: unknown }[];
  readonly imbalance_every_10s: { readonly rows: readonly (readonly [string, ...number[]])[] };
  readonly vwap_every_10s: { readonly rows: readonly (readonly [string, ...(number | null)[]])[] };
  readonly single_order_cases: readonly OrderCase[];
  readonly market_making_run: {
    readonly final: Readonly<Record<'position' | 'balance' | 'fee' | 'num_trades' | 'trading_value', number>>;
    readonly rows: readonly (readonly unknown[])[];
  };
}

const numbers = (): Published => readExpected(published) as Published;

/** Each order case of the publication, by how its text begins and its latency, and the scenario that runs it. */
const orderCases: readonly (readonly [text: string, latencyMs: number, scenario: string])[] = [
  ['limit buy 1 at (best bid - 300', 100, 'btcusdt-order-far'],
  ['limit buy 1 at best bid submitted', 100, 'btcusdt-order-100ms'],
  ['limit buy 1 at best bid submitted', 10, 'btcusdt-order-10ms'],
  ['limit buy 1 at best bid after', 100, 'btcusdt-order-best'],
  ['limit buy at (best bid - 100', 100, 'btcusdt-order-cancel'],
  ['MARKET sell', 100, 'btcusdt-market-100ms'],
  ['MARKET sell', 10, 'btcusdt-market-10ms'],
  ['GTX sell', 100, 'btcusdt-post-only'],
];

export const cases: readonly ConformanceCase[] = [
  {
    name: 'hftbacktest BTCUSDT: rows, clock shift and final book of the import of 2024-07-18',
    needs: [`conformance/${published}`, ...days],
    run: () => importDay('usdm_btcusdt_20240718.gz', 0),
  },
  {
    name: 'hftbacktest BTCUSDT: rows and clock shift of the import of 2024-07-19',
    needs: [`conformance/${published}`, ...days],
    run: () => importDay('usdm_btcusdt_20240719.gz', 1),
  },
  {
    name: 'hftbacktest BTCUSDT: the book every 60 s',
    needs: [`conformance/${published}`, ...days],
    run: async () => {
      const { rows } = await runNamed('btcusdt-books');
      const expected = numbers().top3_every_60s;
      equal('rows', rows.length, expected.length);
      for (const [index, { t, asks, bids }] of expected.entries())
        equal(`row ${index}`, rows[index], [t, { bids, asks }]);
    },
  },
  {
    name: 'hftbacktest BTCUSDT: imbalance of the book every 10 s',
    needs: [`conformance/${published}`, ...days],
    run: async () => {
      const { rows } = await runNamed('btcusdt-imbalance');
      for (const expected of numbers().imbalance_every_10s.rows) {
        const [time, bid, ask, near, far] = rowAt(rows, expected[0]);
        const difference = Number((Number(bid) - Number(ask)).toFixed(3));
        equal(expected[0], [time, difference, near, far], expected);
      }
    },
  },
  {
    name: 'hftbacktest BTCUSDT: average traded prices every 10 s',
    needs: [`conformance/${published}`, ...days],
    run: async () => {
      const { rows } = await runNamed('btcusdt-vwap');
      for (const expected of numbers().vwap_every_10s.rows) {
        const found = rowAt(rows, expected[0]).map((value) =>
          typeof value === 'number' ? Number(value.toFixed(6)) : value,
        );
        equal(expected[0], found, expected);
      }
    },
  },
  ...orderCases.map(([text, latencyMs, scenario]): ConformanceCase => ({
    name: `hftbacktest BTCUSDT: order ${scenario.replace('btcusdt-', '')}`,
    needs: [`conformance/${published}`, ...days],
    run: () => orderCase(text, latencyMs, scenario),
  })),
  {
    name: 'hftbacktest BTCUSDT: 300 rows of the market maker',
    needs: [`conformance/${published}`, ...days],
    run: async () => {
      const { final, rows: expected } = numbers().market_making_run;
      const { rows, fills } = await runNamed('btcusdt-maker');
      equal('rows', rows.length, expected.length);
      for (const [index, row] of expected.entries()) equal(`row ${index}`, rows[index], row);
      const [, , position, balance, fee, trades, , value] = rows.at(-1) ?? [];
      equal('end', { position, balance, fee, num_trades: trades, trading_value: value }, final);
      equal('fills listed', fills.length >= Number(trades), true);
    },
  },
  {
    name: 'hftbacktest BTCUSDT: import of 2024-08-08 and its final book',
    needs: [`conformance/${importPublished}`, august],
    run: importAugust,
  },
];

function rowAt(rows: ScenarioResult['rows'], time: string): ScenarioResult['rows'][number] {
  const found = rows.find(([at]) => at === time);
  if (found === undefined) throw new Error(`expected a row at ${time}, found none`);
  return found;
}

async function importDay(file: string, index: number): Promise<void> {
  const expected = numbers().data_preparation[file] as DayExpected;
  const { recording } = await openScenarioData(scenarioNamed('btcusdt-books'));
  const path = recording.paths[index] as string;
  const single = { ...scenarioNamed('btcusdt-books') };
  const { recording: one } = await openScenarioData({
    ...single,
    scenario: { ...single.scenario, data: [{ path, role: 'run' }] },
  });
  const { count, book } = await fold(one.events());
  const { rows, rowsByClock } = count.counts();
  equal('rows before the merge', rows, expected.rows_before_order_merge);
  equal('rows after the merge', rowsByClock, expected.rows_after_order_merge);
  equal('clock shift in ns', (await surveyBinance([path])).files[0]?.shiftNanos, expected.local_shift_ns);
  if (expected.end_of_file_book_levels === undefined) return;
  equal('levels at the end', book.depth('buy') + book.depth('sell'), expected.end_of_file_book_levels);
  const top = (price = 0, lots = 0) => [price / 10, lots / 1_000];
  equal('best bid at the end', top(book.bestBid, book.bestBidQuantity), expected.end_best_bid);
  equal('best ask at the end', top(book.bestAsk, book.bestAskQuantity), expected.end_best_ask);
}

async function fold(events: AsyncIterable<readonly Event[]>): Promise<{ count: RowCount; book: Book }> {
  const count = new RowCount();
  const range = new SnapshotRange();
  const book = new Book(0 as InstrumentId);
  for await (const batch of events) {
    for (const event of batch) {
      count.take(event);
      const noted = range.take(event);
      if (noted.kind === 'bookUpdate' || noted.kind === 'bookSnapshot') book.apply(noted);
    }
  }
  return { count, book };
}

async function orderCase(text: string, latencyMs: number, scenario: string): Promise<void> {
  const expected = numbers().single_order_cases.find(
    (one) => one.case.startsWith(text) && one.latency_ns === latencyMs * 1_000_000,
  );
  if (expected === undefined)
    throw new Error(`expected a published case ${text} at ${latencyMs} ms, found none`);
  const { orders, fills, rows } = await runNamed(scenario);
  const [order] = orders;
  if (order === undefined) throw new Error('expected one order, found none');
  if (expected.order_price !== undefined) equal('order price', order.price, expected.order_price);
  const seen = (time: string) =>
    order.states
      .filter((one) => `${one.time}000` <= time)
      .at(-1)
      ?.state.toUpperCase();
  for (const [time, status] of expected.status_seen ?? []) equal(`state at ${time}`, seen(time), status);
  if (expected.response_at !== undefined)
    equal('response', `${order.states[0]?.time}000`, expected.response_at);
  if (expected.exec_price !== undefined) equal('execution price', fills[0]?.price, expected.exec_price);
  if (expected.status !== undefined)
    equal('final state', order.states.at(-1)?.state.toUpperCase(), expected.status);
  if (expected.position !== undefined) {
    const [, ...found] =
      expected.filled_by === undefined ? (rows.at(-1) ?? []) : rowAt(rows, expected.filled_by);
    equal('position, balance, fee', found, [expected.position, expected.balance, expected.fee]);
  }
  if (expected.NEW_and_cancel_sent_at === undefined || expected.CANCELED_seen_at === undefined) return;
  equal('state when the cancel is sent', seen(expected.NEW_and_cancel_sent_at), 'NEW');
  equal('state a step before it was seen', seen(expected.CANCELED_seen_at), 'CANCELED');
  // Sent a step after the answer, and answered 200 ms later: reported a step before it was seen.
  const [asked, noted] = order.states.map(({ time }) => time);
  equal('cancel sent at', `${(asked ?? 0) + 100_000}000`, expected.NEW_and_cancel_sent_at);
  equal('cancel told at', `${(noted ?? 0) + 100_000}000`, expected.CANCELED_seen_at);
}

async function importAugust(): Promise<void> {
  const { expected } = readExpected(importPublished) as {
    readonly expected: DayExpected & {
      readonly bid_levels: number;
      readonly ask_levels: number;
      readonly best5_bids: readonly unknown[];
      readonly worst5_asks: readonly unknown[];
    };
  };
  const loaded = scenarioNamed('btcusdt-import');
  const { recording } = await openScenarioData(loaded);
  const { count } = await fold(recording.events());
  const { rows, rowsByClock } = count.counts();
  equal('rows before the merge', rows, expected.rows_before_order_merge);
  equal('rows after the merge', rowsByClock, expected.rows_after_order_merge);
  const [file] = (await surveyBinance(recording.paths)).files;
  equal('clock shift in ns', file?.shiftNanos, expected.local_shift_ns);
  const [, bids, asks, levels] = (await runNamed('btcusdt-import')).rows.at(-1) ?? [];
  equal('levels at the end', Number(bids) + Number(asks), expected.end_of_file_book_levels);
  equal('bid levels', bids, expected.bid_levels);
  equal('ask levels', asks, expected.ask_levels);
  const book = levels as SampledLevels;
  equal('best bids', book.bids.slice(0, 5), expected.best5_bids);
  equal('worst asks', book.asks.slice(-5), expected.worst5_asks);
}
