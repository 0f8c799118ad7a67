import { Book } from '../../../src/core/book/book.ts';
import { readLines } from '../../../src/data/recording/lines.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { InstrumentId } from '../../../src/core/model/instrument.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';
import type { ConformanceCase } from '../case.ts';
import { equal, readExpected, runNamed, scenarioNamed } from '../expected.ts';

const published = 'binance_snapshot_join_20240808.json';
const needs = [`conformance/${published}`, 'binance-raw/spot_btcusdt_20240808.gz'];

interface Expected {
  readonly naive_result: {
    readonly diffs_applied_after_snapshot: number;
    readonly 'states_with_bid>=ask': number;
    readonly final_best_bid: number;
    readonly final_best_ask: number;
  };
  readonly venue_rule_result: {
    readonly 'states_with_bid>=ask': number;
    readonly final_best_bid: number;
    readonly final_best_ask: number;
    readonly final_bid_levels: number;
    readonly final_ask_levels: number;
  };
  readonly cross_check: string;
}

/** Folds the events that a run received, and looks at the book after each difference that came behind a snapshot. */
class BookWatch {
  readonly book = new Book(0 as InstrumentId);
  /** Best prices and quantities after the difference of that number. */
  readonly tops = new Map<number, readonly number[]>();
  changes = 0;
  crossed = 0;
  #joined = false;

  take(event: Event): void {
    if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') return;
    const { book } = this;
    book.apply(event);
    if (event.kind === 'bookSnapshot') this.#joined = true;
    if (event.kind !== 'bookUpdate' || !this.#joined) return;
    this.changes += 1;
    if (book.crossed) this.crossed += 1;
    const { bestBid = 0, bestAsk = 0, bestBidQuantity, bestAskQuantity } = book;
    this.tops.set(event.sequence, [bestBid, bestBidQuantity, bestAsk, bestAskQuantity]);
  }
}

export const cases: readonly ConformanceCase[] = [
  {
    name: 'Binance spot: a snapshot behind the differences, joined by the rule of the venue',
    needs,
    run: async () => {
      const expected = readExpected(published) as Expected;
      const watch = new BookWatch();
      const { rows } = await runNamed('snapshot-join', (event) => watch.take(event));
      const result = expected.venue_rule_result;
      const [, bid, ask, bids, asks] = rows.at(-1) ?? [];
      equal('best bid at the end', bid, result.final_best_bid);
      equal('best ask at the end', ask, result.final_best_ask);
      equal('bid levels at the end', bids, result.final_bid_levels);
      equal('ask levels at the end', asks, result.final_ask_levels);
      equal('crossed books', watch.crossed, result['states_with_bid>=ask']);
      const agreed = /in (\d+) of (\d+) cases/.exec(expected.cross_check);
      const found = await compareWithTickers(watch);
      equal('books that equal the ticker of their number', found, [Number(agreed?.[1]), Number(agreed?.[2])]);
    },
  },
  {
    name: 'Binance spot: a snapshot behind the differences, joined by the naive rule, is as wrong as published',
    needs,
    run: async () => {
      const expected = (readExpected(published) as Expected).naive_result;
      const watch = new BookWatch();
      const { recording } = await openScenarioData(scenarioNamed('snapshot-naive'));
      for await (const batch of recording.events()) for (const event of batch) watch.take(event);
      const [instrument] = recording.instruments.all;
      equal('differences behind the snapshot', watch.changes, expected.diffs_applied_after_snapshot);
      equal('crossed books', watch.crossed, expected['states_with_bid>=ask']);
      const price = (ticks: typeof watch.book.bestBid) =>
        ticks === undefined ? undefined : Number(instrument?.priceText(ticks));
      equal('best bid at the end', price(watch.book.bestBid), expected.final_best_bid);
      equal('best ask at the end', price(watch.book.bestAsk), expected.final_best_ask);
    },
  },
];

/** How many differences have a book ticker of the same number, and in how many of them the book agrees with it. */
async function compareWithTickers({ tops }: BookWatch): Promise<readonly [agreed: number, all: number]> {
  const { recording } = await openScenarioData(scenarioNamed('snapshot-join'));
  const [instrument] = recording.instruments.all;
  if (instrument === undefined) throw new Error('expected an instrument, found none');
  let agreed = 0;
  let all = 0;
  for await (const { lines } of readLines(recording.paths[0] as string)) {
    for (const line of lines) {
      const text = Buffer.from(line).toString('latin1');
      if (!text.includes('@bookTicker')) continue;
      const { data } = JSON.parse(text.slice(text.indexOf(' ') + 1)) as {
        readonly data: { readonly u: number } & Readonly<Record<'b' | 'B' | 'a' | 'A', string>>;
      };
      const top = tops.get(data.u);
      if (top === undefined) continue;
      all += 1;
      const noted = [
        instrument.readTicks(data.b),
        instrument.readLots(data.B),
        instrument.readTicks(data.a),
        instrument.readLots(data.A),
      ];
      if (noted.every((value, index) => value === top[index])) agreed += 1;
    }
  }
  return [agreed, all];
}
