import { parseAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { mergeFiles, thrownBy } from '../../recording/index.ts';
import type { TickerChanged } from '../../../core/model/event.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import {
  plainDecimal,
  withoutBinaryNoise,
  quoteNote,
  symbolOfText,
  BarReader,
  GridSurvey,
  gridLots,
  gridTicks,
} from '../tables/index.ts';
import { periodEnd } from '../../../core/model/candle-period.ts';
import type { Row } from '../bars-rows.ts';
import { placeOf } from '../bars-rows.ts';
import type { OpenOptions } from '../format.ts';
import type { ImportedRecording } from '../grade-anomaly.ts';
import { AnomalyCounts, counted } from '../grade-anomaly.ts';
import { untilDamage } from '../partial-recording.ts';
import { stepsNote } from '../symbol-survey.ts';
import type { BarPeriod, BarTable } from '../tables/index.ts';

/** The last prices and sizes of a quote bar, or a funding rate; what is empty is absent. */
interface Quote {
  readonly number: number;
  readonly time: Micros;
  readonly bid: string | undefined;
  readonly bidQuantity: string | undefined;
  readonly ask: string | undefined;
  readonly askQuantity: string | undefined;
  readonly rate: string | undefined;
}

/**
 * Quote bars and funding rates of LEAN as tickers. A quote bar is delivered at its end with its closing bid and ask; a rate at
 * the time it is dated. Throws `BadInput` with file and line for a row that is none, or that goes back in time.
 */
export async function openQuotes(
  format: string,
  tables: readonly LeanTable[],
  options: OpenOptions,
): Promise<ImportedRecording> {
  if (options.round !== undefined)
    throw new BadInput('expected no round with quotes of LEAN: it is for tables of bars and trades');
  const grids = new Map<string, GridSurvey>();
  const counts = new AnomalyCounts();
  for (const table of tables) await survey(table, { grids, counts, isPartial: options.partial });
  const specs = [...grids].map(([symbol, grid]) => {
    const guess = tables.find((table) => table.symbol.symbol === symbol)?.symbol ?? symbolOfText(symbol);
    return grid.spec(guess, options);
  });
  const coarse = options.instruments === undefined && [...grids.values()].some((grid) => grid.isCoarse);
  const instruments = new Instruments(options.instruments ?? specs);
  const anomalies = counts.all();
  const paths = tables.map(({ source }) => source.path);
  return {
    format,
    paths,
    instruments,
    grade: 'B',
    notes: [
      'quote bars become tickers at the end of their period',
      ...(options.instruments === undefined ? [stepsNote(options)] : []),
      ...quoteNote(instruments, options),
    ],
    findings: anomalies.map(({ words }) => words),
    anomalies,
    counters: undefined,
    frames: undefined,
    events: () =>
      mergeFiles(
        tables.map((table) => tickers(table, instruments.get(table.symbol.symbol), coarse)),
        paths,
        instruments,
      ),
  };
}

interface QuoteSurvey {
  readonly grids: Map<string, GridSurvey>;
  readonly counts: AnomalyCounts;
  readonly isPartial: boolean | undefined;
}

async function survey(table: LeanTable, { grids, counts, isPartial }: QuoteSurvey): Promise<void> {
  const grid = grids.get(table.symbol.symbol) ?? new GridSurvey();
  grids.set(table.symbol.symbol, grid);
  const reader = new QuoteReader(table);
  for await (const quotes of untilDamage(reader.read(), isPartial)) {
    for (const { number, bid, bidQuantity, ask, askQuantity } of quotes) {
      for (const price of [bid, ask]) if (price !== undefined) grid.price(price, table.source, number);
      for (const size of [bidQuantity, askQuantity]) if (size !== undefined) grid.size(size);
    }
  }
  counts.add(
    'binaryNoise',
    reader.noise,
    (count) =>
      `${counted(count, 'number')} printed from binary fractions, read as the decimals they stand for`,
  );
}

async function* tickers(
  table: LeanTable,
  instrument: Instrument,
  coarse: boolean,
): AsyncGenerator<readonly TickerChanged[], void, undefined> {
  for await (const quotes of new QuoteReader(table).read()) {
    const events: TickerChanged[] = [];
    const refusal = thrownBy(() => {
      for (const quote of quotes) events.push(tickerOf(table, instrument, quote, coarse));
    });
    if (events.length > 0) yield events;
    if (refusal !== undefined) throw refusal.error;
  }
}

function tickerOf(table: LeanTable, instrument: Instrument, quote: Quote, coarse: boolean): TickerChanged {
  const time = table.kind === 'rate' ? quote.time : periodEnd(table.period.micros, quote.time);
  const { bid, bidQuantity, ask, askQuantity, rate } = quote;
  const place = placeOf(table.source, quote.number);
  return {
    kind: 'ticker',
    instrument: instrument.id,
    ticker: {
      instrument: instrument.id,
      time,
      bid: bid === undefined ? undefined : gridTicks(instrument, bid, place),
      bidQuantity:
        bidQuantity === undefined ? undefined : gridLots(instrument, bidQuantity, place, { coarse }),
      ask: ask === undefined ? undefined : gridTicks(instrument, ask, place),
      askQuantity:
        askQuantity === undefined ? undefined : gridLots(instrument, askQuantity, place, { coarse }),
      last: rate === undefined ? undefined : parseAmount(rate),
      open: undefined,
      high: undefined,
      low: undefined,
      volume: undefined,
      volumeQuote: undefined,
    },
    exchangeTime: time,
    receiveTime: time,
  };
}

class QuoteReader {
  readonly #table: LeanTable;
  readonly #times: BarReader;
  #last = Number.NEGATIVE_INFINITY;
  noise = 0;

  constructor(table: LeanTable) {
    this.#table = table;
    this.#times = new BarReader(table);
  }

  async *read(): AsyncGenerator<readonly Quote[], void, undefined> {
    let count = 0;
    for await (const rows of this.#table.source.rows()) {
      count += rows.length;
      const quotes: Quote[] = [];
      const refusal = thrownBy(() => {
        for (const row of rows) quotes.push(this.#quote(row));
      });
      if (quotes.length > 0) yield quotes;
      if (refusal !== undefined) throw refusal.error;
    }
    if (count === 0) throw new BadInput(`${this.#table.source.path}: expected rows with quotes, found none`);
  }

  #quote(row: Row): Quote {
    const time = this.#times.time(row);
    if (time < this.#last) {
      throw new BadInput(
        `${placeOf(this.#table.source, row.number)}: expected quotes in the order of time, found one ${this.#last - time} us before the one above it`,
      );
    }
    this.#last = time;
    const isRate = this.#table.kind === 'rate';
    const scale = this.#table.scale ?? 0;
    const at = (column: number, shift: number): string | undefined => this.#decimal(row, column, shift);
    // A price of 0 is how some write that there is none.
    const price = (column: number): string | undefined => {
      const text = isRate ? undefined : at(column, scale);
      return Number(text) === 0 ? undefined : text;
    };
    return {
      number: row.number,
      time,
      bid: price(4),
      bidQuantity: isRate ? undefined : at(5, 0),
      ask: price(9),
      askQuantity: isRate ? undefined : at(10, 0),
      rate: isRate ? at(1, 0) : undefined,
    };
  }

  #decimal(row: Row, column: number, scale: number): string | undefined {
    const cell = row.cells[column];
    if (cell === '') return undefined;
    const decimal = cell === undefined ? undefined : plainDecimal(scale === 0 ? cell : `${cell}e-${scale}`);
    if (decimal === undefined || (decimal.startsWith('-') && this.#table.kind !== 'rate')) {
      throw new BadInput(
        `${placeOf(this.#table.source, row.number)}: expected a number not below 0 in column ${column} (counted from 0), found ${JSON.stringify(cell ?? 'no such column')}`,
      );
    }
    const clean = withoutBinaryNoise(decimal);
    if (clean !== decimal) this.noise += 1;
    return clean;
  }
}

/** Content of a file of LEAN's data folder. */
export type LeanKind = 'trade' | 'quote' | 'rate';

/** One file of LEAN's data folder. */
export interface LeanTable extends BarTable {
  readonly kind: LeanKind;
  readonly period: BarPeriod;
}
