import { formatAmount } from '../../../core/base/amount.ts';
import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import type {
  BookSnapshot,
  BookStale,
  BookUpdate,
  CandlesChanged,
  Event,
  TradesPrinted,
} from '../../../core/model/event.ts';
import type { Instrument, Instruments, Lots, Ticks } from '../../../core/model/instrument.ts';
import { levelStride } from '../../../core/model/level-buffer.ts';
import type { ParquetCell, ParquetHead, ParquetNumbers, ParquetTable } from './table.ts';
import { ParquetOutput, groupRows } from './row-groups.ts';
import { parquetKey, ParquetRows, schemaOf } from './table.ts';

export interface ParquetOptions {
  readonly table: ParquetTable;
  /** `integers` (default): ticks and lots, their steps in the metadata. `texts`: plain decimals. Bars are always texts. */
  readonly numbers?: ParquetNumbers;
}

/** Summary of what was written into a Parquet file. */
export interface ParquetWritten {
  readonly rows: number;
  readonly events: number;
}

/**
 * Writes the books, trades or bars of a recording as one Parquet table (zstd, row groups of 65536). Nothing is rounded:
 * no column is a float. The file appears under its name only when it is whole. Throws `BadInput` with the path when the
 * disk refuses, or the recording holds nothing of that kind.
 */
export async function writeParquet(
  recording: Recording,
  path: string,
  options: ParquetOptions,
): Promise<ParquetWritten> {
  const { table } = options;
  const numbers = options.numbers ?? 'integers';
  const head: ParquetHead = {
    version: 1,
    table,
    numbers,
    instruments: recording.instruments.all.map(({ spec }) => spec),
    notes: recording.notes,
    grade: recording.grade,
  };
  const file = new ParquetOutput(path, schemaOf(table, numbers), [
    { key: parquetKey, value: JSON.stringify(head) },
  ]);
  try {
    const rows = new EventRows(recording.instruments, table, numbers);
    let count = 0;
    for await (const batch of recording.events()) {
      for (const event of batch) {
        rows.add(event);
        if (rows.rows.length < groupRows) continue;
        count += rows.rows.length;
        await file.write(rows.rows.take());
      }
    }
    count += rows.rows.length;
    if (count === 0) {
      const way = table === 'bars' && rows.hasTrades ? ' but trades; --bars makes bars of them' : '';
      throw new BadInput(`${recording.paths.join(', ')}: expected ${table} to write, found none${way}`);
    }
    if (rows.rows.length > 0) await file.write(rows.rows.take());
    await file.finish();
    return { rows: count, events: rows.events };
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** Turns the events of one kind into rows. */
class EventRows {
  readonly rows: ParquetRows;
  readonly #instruments: Instruments;
  readonly #table: ParquetTable;
  readonly #numbers: ParquetNumbers;
  events = 0;
  /** Whether trades were among the events. */
  hasTrades = false;

  constructor(instruments: Instruments, table: ParquetTable, numbers: ParquetNumbers) {
    this.#instruments = instruments;
    this.#table = table;
    this.#numbers = numbers;
    this.rows = new ParquetRows(table);
  }

  add(event: Event): void {
    switch (event.kind) {
      case 'bookSnapshot':
      case 'bookUpdate':
      case 'bookStale':
        if (this.#table === 'books') this.#book(event);
        break;
      case 'trades':
        this.hasTrades = true;
        if (this.#table === 'trades') this.#trades(event);
        break;
      case 'candles':
        if (this.#table === 'bars') this.#bars(event);
        break;
      default:
        break;
    }
  }

  #book(event: BookSnapshot | BookUpdate | BookStale): void {
    const instrument = this.#instruments.at(event.instrument);
    const head = this.#head(event, instrument);
    if (event.kind === 'bookStale') {
      const { reason, expected, found } = event;
      this.rows.add([...head, reason, BigInt(expected), '', this.#none(), this.#whole(found)]);
      return;
    }
    const kind = event.kind === 'bookSnapshot' ? 'snapshot' : 'update';
    const sequence = BigInt(event.sequence);
    if (event.start === event.end) this.rows.add([...head, kind, sequence, '', this.#none(), this.#none()]);
    for (let at = event.start; at < event.end; at += levelStride) {
      const side = event.levels[at] === 0 ? 'bid' : 'ask';
      const price = this.#price(instrument, event.levels[at + 1] as Ticks);
      this.rows.add([
        ...head,
        kind,
        sequence,
        side,
        price,
        this.#size(instrument, event.levels[at + 2] as Lots),
      ]);
    }
  }

  #trades(event: TradesPrinted): void {
    const instrument = this.#instruments.at(event.instrument);
    const head = [...this.#head(event, instrument), event.snapshot ? 'yes' : 'no'];
    for (const { time, tradeId, side, price, quantity } of event.trades) {
      const numbers = [this.#price(instrument, price), this.#size(instrument, quantity)];
      this.rows.add([...head, BigInt(time), tradeId, side, ...numbers]);
    }
  }

  #bars(event: CandlesChanged): void {
    const instrument = this.#instruments.at(event.instrument);
    const head = [...this.#head(event, instrument), event.snapshot ? 'yes' : 'no'];
    for (const { period, time, open, max, min, close, volume, volumeQuote } of event.candles) {
      const amounts = [open, max, min, close, volume, volumeQuote].map(formatAmount);
      this.rows.add([...head, period, BigInt(time), ...amounts]);
    }
  }

  #head(event: Event, { symbol }: Instrument): readonly ParquetCell[] {
    this.events += 1;
    return [BigInt(this.events), symbol, BigInt(event.exchangeTime), BigInt(event.receiveTime)];
  }

  #price(instrument: Instrument, ticks: Ticks): ParquetCell {
    return this.#numbers === 'texts' ? instrument.priceText(ticks) : BigInt(ticks);
  }

  #size(instrument: Instrument, lots: Lots): ParquetCell {
    return this.#numbers === 'texts' ? instrument.quantityText(lots) : BigInt(lots);
  }

  #none(): ParquetCell {
    return this.#whole(0);
  }

  #whole(count: number): ParquetCell {
    return this.#numbers === 'texts' ? String(count) : BigInt(count);
  }
}
