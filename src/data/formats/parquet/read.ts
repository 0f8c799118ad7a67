import { parseAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { mergeFiles, givenSpecs } from '../../recording/index.ts';
import type { Recording, RecordingOptions } from '../../recording/index.ts';
import { WideInstruments } from '../../../core/model/wide-instruments.ts';
import type { Event, StaleReason } from '../../../core/model/event.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { Instruments } from '../../../core/model/instrument.ts';
import { LevelBuffer } from '../../../core/model/level-buffer.ts';
import { endsWithTrade } from '../../../core/model/bar-spec.ts';
import type { Candle, MarketTrade } from '../../../core/model/market.ts';
import type { ParquetFile, ParquetRow } from './source.ts';
import type { ParquetHead } from './table.ts';

/** Tables we wrote, as the recording they were written from; several of the same instruments are merged. */
export function openOwnParquet(
  files: readonly ParquetFile[],
  heads: readonly ParquetHead[],
  options: Pick<RecordingOptions, 'instruments'>,
): Recording {
  const [head] = heads;
  const other = heads.findIndex(
    (one) => JSON.stringify(one.instruments) !== JSON.stringify(head?.instruments),
  );
  if (head === undefined || other > 0) {
    throw new BadInput(
      `${files[other]?.path}: expected the same instruments as in ${files[0]?.path}, found others`,
    );
  }
  const paths = files.map(({ path }) => path);
  const given = givenSpecs(head.instruments, options.instruments, paths.join(', '));
  if (given.refusal !== undefined && heads.some(({ table }) => table !== 'bars')) throw given.refusal;
  const instruments = new Instruments(given.specs);
  const wide = new WideInstruments(instruments);
  return {
    format: 'parquet',
    paths,
    instruments,
    grade: heads.some(({ grade }) => grade === 'B') ? 'B' : 'A',
    notes: [...new Set(heads.flatMap(({ notes }) => notes))],
    findings: [],
    counters: undefined,
    frames: undefined,
    events: async function* () {
      const streams = files.map((file, index) => readEvents(file, heads[index] ?? head, wide));
      yield* mergeFiles(streams, paths, instruments);
    },
  };
}

async function* readEvents(
  file: ParquetFile,
  head: ParquetHead,
  instruments: Instruments,
): AsyncGenerator<readonly Event[], void, undefined> {
  const messages = new Messages(head, instruments, file.path);
  for await (const rows of file.rows()) {
    for (const row of rows) messages.add(row);
    const events = messages.takeEvents();
    if (events.length > 0) yield events;
  }
  yield messages.endMessages();
}

/** Gathers the rows of one message and makes its event. */
class Messages {
  readonly #head: ParquetHead;
  readonly #instruments: Instruments;
  readonly #path: string;
  readonly #buffer = new LevelBuffer();
  #rows: ParquetRow[] = [];
  #message: unknown;
  #events: Event[] = [];
  #number = 0;

  constructor(head: ParquetHead, instruments: Instruments, path: string) {
    this.#head = head;
    this.#instruments = instruments;
    this.#path = path;
  }

  add(row: ParquetRow): void {
    this.#number += 1;
    if (this.#rows.length > 0 && row['message'] !== this.#message) this.#finish();
    this.#message = row['message'];
    this.#rows.push(row);
  }

  takeEvents(): readonly Event[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  endMessages(): readonly Event[] {
    if (this.#rows.length > 0) this.#finish();
    return this.takeEvents();
  }

  #finish(): void {
    const rows = this.#rows;
    this.#rows = [];
    const first = rows[0] as ParquetRow;
    const instrument = this.#instruments.get(textOf(first, 'symbol'));
    const times = {
      exchangeTime: numberOf(first, 'exchange_time') as Micros,
      receiveTime: numberOf(first, 'receive_time') as Micros,
    };
    switch (this.#head.table) {
      case 'books':
        this.#events.push(this.#book(rows, instrument, times));
        break;
      case 'trades':
        this.#events.push({
          kind: 'trades',
          instrument: instrument.id,
          snapshot: textOf(first, 'history') === 'yes',
          trades: rows.map((row) => this.#trade(row, instrument)),
          ...times,
        });
        break;
      case 'bars':
        this.#events.push({
          kind: 'candles',
          instrument: instrument.id,
          snapshot: textOf(first, 'history') === 'yes',
          candles: rows.map((row) => candleOf(row, instrument, times.exchangeTime)),
          ...times,
        });
        break;
    }
  }

  #book(
    rows: readonly ParquetRow[],
    instrument: Instrument,
    times: { readonly exchangeTime: Micros; readonly receiveTime: Micros },
  ): Event {
    const first = rows[0] as ParquetRow;
    const kind = textOf(first, 'kind');
    const sequence = numberOf(first, 'sequence');
    if (kind !== 'snapshot' && kind !== 'update') {
      const reason = kind as StaleReason;
      const found = Number(first['size']);
      return { kind: 'bookStale', instrument: instrument.id, reason, expected: sequence, found, ...times };
    }
    this.#buffer.beginMessage();
    for (const row of rows) {
      const side = textOf(row, 'side');
      if (side === '') continue;
      this.#buffer.push(
        side === 'bid' ? 0 : 1,
        this.#ticks(row, instrument),
        this.#lots(row, 'size', instrument),
      );
    }
    return {
      kind: kind === 'snapshot' ? 'bookSnapshot' : 'bookUpdate',
      instrument: instrument.id,
      sequence,
      levels: this.#buffer.chunk,
      start: this.#buffer.start,
      end: this.#buffer.end,
      ...times,
    };
  }

  #trade(row: ParquetRow, instrument: Instrument): MarketTrade {
    return {
      tradeId: textOf(row, 'id'),
      price: this.#ticks(row, instrument),
      quantity: this.#lots(row, 'quantity', instrument),
      side: textOf(row, 'side') === 'sell' ? 'sell' : 'buy',
      time: numberOf(row, 'time') as Micros,
    };
  }

  #ticks(row: ParquetRow, instrument: Instrument): Ticks {
    if (this.#head.numbers === 'integers') return numberOf(row, 'price') as Ticks;
    return this.#onGrid(instrument.readTicks(textOf(row, 'price')), row['price']);
  }

  #lots(row: ParquetRow, name: 'size' | 'quantity', instrument: Instrument): Lots {
    if (this.#head.numbers === 'integers') return numberOf(row, name) as Lots;
    return this.#onGrid(instrument.readLots(textOf(row, name)), row[name]);
  }

  #onGrid<Unit extends Ticks | Lots>(value: Unit, found: unknown): Unit {
    if (!Number.isNaN(value)) return value;
    throw new BadInput(
      `${this.#path}: row ${this.#number}: expected a number on the grid, found ${String(found)}`,
    );
  }
}

function candleOf(row: ParquetRow, instrument: Instrument, end: Micros): Candle {
  const period = textOf(row, 'period') as Candle['period'];
  return {
    instrument: instrument.id,
    period,
    time: numberOf(row, 'time') as Micros,
    open: parseAmount(textOf(row, 'open')),
    close: parseAmount(textOf(row, 'close')),
    min: parseAmount(textOf(row, 'low')),
    max: parseAmount(textOf(row, 'high')),
    volume: parseAmount(textOf(row, 'volume')),
    volumeQuote: parseAmount(textOf(row, 'volume_quote')),
    // A bar that ends with a trade is told of with it.
    ...(endsWithTrade(period) && { end }),
  };
}

function textOf(row: ParquetRow, name: string): string {
  const value = row[name];
  return typeof value === 'string' ? value : '';
}

function numberOf(row: ParquetRow, name: string): number {
  return Number(row[name]);
}
