import { BadInput } from '../../../core/base/errors.ts';
import { mergeOrdered, OneFileAFeed, thrownBy } from '../../recording/index.ts';
import type { Event, TradesPrinted } from '../../../core/model/event.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { MarketTrade } from '../../../core/model/market.ts';
import type { Side } from '../../../core/model/order.ts';
import { placeOf } from '../bars-rows.ts';
import { quoteNote } from './bars-symbol.ts';
import type { OpenOptions } from '../format.ts';
import type { ImportedRecording } from '../grade-anomaly.ts';
import { AnomalyCounts, counted, LastCounts } from '../grade-anomaly.ts';
import { stepsNote } from '../symbol-survey.ts';
import { otherSymbolsNote, sortedRecords } from '../table-records.ts';
import type { FinerSizes } from '../../recording/index.ts';
import type { OffGrid } from './grid-survey.ts';
import { finerOf, gridLots, gridTicks } from './grid-survey.ts';
import { countRounded, roundingNote } from './price-rounding.ts';
import { inverseNotes } from '../../binance/index.ts';
import { countUnits, unitsNote } from './units.ts';
import { surveyTrades } from './trades-survey.ts';
import type { SurveyedTrades } from './trades-survey.ts';
import type { RawTrade, TradeTable } from './trades.ts';
import { readTrades } from './trades.ts';

/** Trades of files that are not in the order of time are sorted in memory, up to this number. */
const sortedTradesMax = 3_000_000;
const batchTrades = 4_096;
const eventTradesMax = 1_000;
/** Ids remembered to find repeated trades. */
const idsMax = 4_096;

/** A trade, and the instrument and table it is of. */
interface PlacedTrade {
  readonly trade: RawTrade;
  readonly table: TradeTable;
}

/** Tables of trades as one recording: in the order of time, repeated ids left out, gaps between ids counted. */
export async function openTrades(
  format: string,
  tables: readonly TradeTable[],
  options: OpenOptions,
): Promise<ImportedRecording> {
  const surveyed = await surveyTrades(tables, options);
  const last = new LastCounts();
  last.take(anomaliesOf(surveyed));
  return {
    format,
    paths: tables.map(({ source }) => source.path),
    instruments: surveyed.instruments,
    grade: 'B',
    notes: [
      ...(options.instruments === undefined ? [stepsNote(options)] : []),
      ...roundingNote(options),
      ...unitsNote(surveyed.units),
      ...inverseNotes(format, surveyed.instruments),
      ...quoteNote(surveyed.instruments, options),
      ...(surveyed.hasSide ? [] : ['the source has no sides; they are inferred from the moves of the price']),
      ...otherSymbolsNote(surveyed.others, options.symbol),
    ],
    findings: last.findings,
    counters: undefined,
    frames: undefined,
    get anomalies() {
      return last.anomalies;
    },
    events: async function* () {
      const counts = anomaliesOf(surveyed);
      const finer = finerOf(options);
      try {
        yield* new TradePass(surveyed, counts, finer).events();
      } finally {
        last.take(counts);
        last.findings.push(...(finer?.sentences() ?? []));
      }
    },
  };
}

/** One pass over all tables: sorted, merged, without repeats. */
class TradePass {
  readonly #surveyed: SurveyedTrades;
  readonly #counts: AnomalyCounts;
  readonly #ids: Set<string>[] = [];
  readonly #lastId: number[] = [];
  readonly #lastPrice: number[] = [];
  readonly #lastSide: Side[] = [];
  readonly #feeds: OneFileAFeed;
  readonly #offGrid: OffGrid;
  /** Whether every file has ids, by which repeats are known. */
  readonly #knowsAll: boolean;
  #counter = 0;

  constructor(surveyed: SurveyedTrades, counts: AnomalyCounts, finer: FinerSizes | undefined) {
    this.#surveyed = surveyed;
    this.#offGrid = { coarse: surveyed.coarse, finer };
    this.#counts = counts;
    const paths = surveyed.tables.map(({ source }) => source.path);
    this.#knowsAll = surveyed.tables.every(({ columns }) => columns.index.has('id'));
    this.#feeds = new OneFileAFeed(paths, surveyed.instruments);
  }

  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    const streams = this.#surveyed.tables.map((_, index) => this.#table(index));
    const received = ({ trade }: PlacedTrade): number => trade.received;
    for await (const placed of streams.length === 1 ? (streams[0] ?? []) : mergeOrdered(streams, received)) {
      const events: TradesPrinted[] = [];
      const refusal = thrownBy(() => {
        for (const one of placed) this.#put(one, events);
      });
      if (events.length > 0) yield events;
      if (refusal !== undefined) throw refusal.error;
    }
  }

  /** Adds a trade to the last event when it is of the same instrument and times, otherwise a new event. */
  #put({ trade, table }: PlacedTrade, events: TradesPrinted[]): void {
    const instrument = this.#instrument(table, trade);
    const place = placeOf(table.source, trade.number);
    const price = gridTicks(instrument, trade.price, place);
    const quantity = gridLots(instrument, trade.quantity, place, this.#offGrid);
    const id = this.#idOf({ trade, table }, instrument.id);
    if (id === undefined || this.#isEmpty(quantity)) return;
    const one: MarketTrade = {
      tradeId: id,
      price,
      quantity,
      side: this.#sideOf(instrument.id, price, trade.side),
      time: trade.time,
    };
    const last = events.at(-1);
    if (
      last?.instrument === instrument.id &&
      last.exchangeTime === trade.time &&
      last.receiveTime === trade.received &&
      last.trades.length < eventTradesMax
    ) {
      (last.trades as MarketTrade[]).push(one);
      return;
    }
    events.push({
      kind: 'trades',
      instrument: instrument.id,
      snapshot: false,
      trades: [one],
      exchangeTime: trade.time,
      receiveTime: trade.received,
    });
  }

  async *#table(index: number): AsyncGenerator<readonly PlacedTrade[], void, undefined> {
    const table = this.#surveyed.tables[index] as TradeTable;
    if (this.#surveyed.inOrder[index] === true) {
      for await (const trades of readTrades(table)) yield trades.map((trade) => ({ trade, table }));
      return;
    }
    yield* sortedRecords(readTrades(table), {
      path: table.source.path,
      noun: 'trades',
      max: sortedTradesMax,
      batch: batchTrades,
      of: (trade) => ({ trade, table }),
      time: ({ trade }) => trade.received,
    });
  }

  /** Its own id, or its number; `undefined` for one that was delivered before. No file without ids may overlap with another. */
  #idOf({ trade, table }: PlacedTrade, instrument: number): string | undefined {
    const hasId = trade.id !== '';
    if (!hasId || !this.#knowsAll)
      this.#feeds.note(this.#surveyed.tables.indexOf(table), { noun: 'trades', instrument }, trade.received);
    if (hasId) return this.#isRepeated(instrument, trade.id) ? undefined : trade.id;
    return String((this.#counter += 1));
  }

  #isEmpty(quantity: number): boolean {
    if (quantity > 0) return false;
    this.#counts.add('emptyTrades', 1, (count) => `${counted(count, 'trade')} of no quantity, left out`);
    return true;
  }

  #isRepeated(instrument: number, id: string): boolean {
    const ids = (this.#ids[instrument] ??= new Set());
    if (ids.has(id)) {
      this.#counts.add('duplicateRows', 1, (count) => `${counted(count, 'trade')} repeated, left out`);
      return true;
    }
    ids.add(id);
    if (ids.size > idsMax) ids.delete(ids.values().next().value as string);
    const number = /^\d{1,15}$/.test(id) ? Number(id) : Number.NaN;
    if (number > (this.#lastId[instrument] ?? Number.POSITIVE_INFINITY) + 1) {
      this.#counts.add('tradeIdGaps', 1, (count) => `${counted(count, 'gap')} between trade ids`);
    }
    if (!Number.isNaN(number)) this.#lastId[instrument] = number;
    return false;
  }

  /** Without a side, a price above the last one was a buyer's, below it a seller's; an equal one repeats. */
  #sideOf(instrument: number, price: number, given: Side | undefined): Side {
    const last = this.#lastPrice[instrument];
    const moved =
      last === undefined || price === last
        ? (this.#lastSide[instrument] ?? 'buy')
        : price > last
          ? 'buy'
          : 'sell';
    const side = given ?? moved;
    this.#lastPrice[instrument] = price;
    this.#lastSide[instrument] = side;
    return side;
  }

  #instrument(table: TradeTable, trade: RawTrade): Instrument {
    const { instruments } = this.#surveyed;
    const [only] = instruments.all;
    if (only !== undefined && instruments.all.length === 1) return only;
    const symbol = trade.symbol === '' ? table.symbol.symbol : trade.symbol;
    const found = instruments.find(symbol);
    if (found !== undefined) return found;
    throw new BadInput(
      `${placeOf(table.source, trade.number)}: expected one of the symbols ${instruments.all.map((one) => one.symbol).join(', ')}, found ${symbol}`,
    );
  }
}

function anomaliesOf(surveyed: SurveyedTrades): AnomalyCounts {
  const counts = new AnomalyCounts();
  counts.add(
    'rowsOutOfOrder',
    surveyed.rowsBack,
    (count) => `${counted(count, 'trade')} before the one above it, sorted`,
  );
  counts.add(
    'binaryNoise',
    surveyed.noise,
    (count) =>
      `${counted(count, 'number')} printed from binary fractions, read as the decimals they stand for`,
  );
  countRounded(counts, surveyed.rounded);
  countUnits(counts, surveyed.units);
  return counts;
}
