import { isMembers } from '../../core/base/members.ts';
import type { Micros } from '../../core/base/clock.ts';
import type {
  BinanceDepth,
  BinanceLevels,
  BinanceSnapshot,
  BinanceTrade,
  LocalTime,
} from '../../data/binance/index.ts';
import {
  badLine,
  jsonOf,
  latencyNanos,
  readLocalTime,
  isOfBook,
  LeftOut,
  messageOf,
  surveyBinance,
  withOthers,
  inverseNotes,
} from '../../data/binance/index.ts';
import { FinerSizes, readLines, thrownBy } from '../../data/recording/index.ts';
import type { Recording, RecordingOptions } from '../../data/recording/index.ts';
import type { MarketEvent } from '../../core/model/event.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { LevelBuffer } from '../../core/model/level-buffer.ts';

/**
 * Binance raw files in which every change counts whatever its number: nothing waits for a snapshot, nothing is a gap.
 * So prepared data sets are made that know times and levels only. Book tickers and trades that did not execute against
 * the book are left out. Events are in the order they were received.
 */
export async function openIgnoringSequence(
  paths: readonly string[],
  options: RecordingOptions,
): Promise<Recording> {
  const survey = await surveyBinance(paths, {
    isPartial: options.partial === true,
    instruments: options.instruments,
    quote: options.quote,
  });
  const instruments = new Instruments(withOthers(paths, options.instruments, survey.specs));
  const isShifted = options.clockShift !== 'none';
  const files = survey.files.map(({ path, shiftNanos }) => ({
    path,
    shiftNanos: isShifted ? shiftNanos : 0,
  }));
  let findings: readonly string[] = [];
  return {
    format: 'binance-raw',
    paths,
    instruments,
    grade: 'B',
    notes: [
      ...inverseNotes('binance-raw', instruments),
      'sequence numbers are ignored: every change is applied as it comes',
      ...files.map(({ path, shiftNanos }) => `${path}: local times shifted by ${shiftNanos} ns`),
    ],
    get findings() {
      return findings;
    },
    counters: undefined,
    frames: undefined,
    async *events() {
      const seen = { leftOut: new LeftOut(), finer: new FinerSizes() };
      try {
        for (const file of files) yield* readFile(file, instruments, seen);
      } finally {
        findings = [...seen.leftOut.sentences(), ...seen.finer.sentences()];
      }
    },
  };
}

interface ShiftedFile {
  readonly path: string;
  readonly shiftNanos: number;
}

/** Counts made on the way. */
interface Seen {
  readonly leftOut: LeftOut;
  readonly finer: FinerSizes;
}

async function* readFile(
  { path, shiftNanos }: ShiftedFile,
  instruments: Instruments,
  seen: Seen,
): AsyncGenerator<readonly MarketEvent[], void, undefined> {
  const reader = new ChangeReader({ path, shiftNanos }, instruments, seen);
  for await (const { number, lines } of readLines(path)) {
    const batch: MarketEvent[] = [];
    const refusal = thrownBy(() => {
      for (const [index, line] of lines.entries()) {
        const event = line.length === 0 ? undefined : reader.read(line, number + index);
        if (event !== undefined) batch.push(event);
      }
    });
    // Events before a refused line are delivered before the refusal.
    if (batch.length > 0) yield batch;
    if (refusal !== undefined) throw refusal.error;
  }
}

class ChangeReader {
  readonly #path: string;
  readonly #shiftNanos: number;
  readonly #instruments: Instruments;
  readonly #seen: Seen;
  readonly #buffer = new LevelBuffer();
  readonly #time: LocalTime = { micros: 0, nanos: 0 };
  #number = 0;
  #lastMillis = 0;

  constructor({ path, shiftNanos }: ShiftedFile, instruments: Instruments, seen: Seen) {
    this.#path = path;
    this.#shiftNanos = shiftNanos;
    this.#instruments = instruments;
    this.#seen = seen;
  }

  /** The event of a line, or `undefined` for one that does not count. Throws `BadInput` with file and line. */
  read(line: Uint8Array, number: number): MarketEvent | undefined {
    this.#number = number;
    const from = readLocalTime(line, this.#time);
    if (from === 0) throw this.#bad('expected a local time of 16 or 19 digits', jsonOf(line, 0));
    const text = jsonOf(line, from);
    if (text.slice(0, 64).includes('@bookTicker')) return undefined;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      throw this.#bad('expected JSON behind the local time', text);
    }
    if (!isMembers(message)) throw this.#bad('expected a JSON object behind the local time', text);
    const read = messageOf(message);
    if (read.kind === 'depth') return this.#depth(read.body as unknown as BinanceDepth);
    if (read.kind === 'trade') return this.#trade(read.body as unknown as BinanceTrade);
    if (read.kind === 'snapshot') return this.#snapshot(read.body as unknown as BinanceSnapshot);
    if (read.kind === 'other') this.#seen.leftOut.message(read.name);
    return undefined;
  }

  #depth({ s, T, E, u, b, a }: BinanceDepth): MarketEvent {
    return this.#book('bookUpdate', { symbol: s, millis: T ?? E, sequence: u, bids: b, asks: a });
  }

  #snapshot({ symbol, T, lastUpdateId, bids, asks }: BinanceSnapshot): MarketEvent {
    const only = this.#instruments.all[0] as Instrument;
    // A reply that carries no time of the exchange repeats the last one seen.
    const seen = this.#lastMillis > 0 ? this.#lastMillis : Math.floor(this.#time.micros / 1_000);
    const millis = T ?? seen;
    const sequence = lastUpdateId;
    return this.#book('bookSnapshot', { symbol: symbol ?? only.symbol, millis, sequence, bids, asks });
  }

  #book(
    kind: 'bookUpdate' | 'bookSnapshot',
    update: {
      readonly symbol: string;
      readonly millis: number;
      readonly sequence: number;
      readonly bids: BinanceLevels;
      readonly asks: BinanceLevels;
    },
  ): MarketEvent {
    const instrument = this.#instrumentOf(update.symbol);
    const buffer = this.#buffer;
    buffer.beginMessage();
    this.#fill(instrument, 0, update.bids);
    this.#fill(instrument, 1, update.asks);
    return {
      kind,
      instrument: instrument.id,
      sequence: update.sequence,
      levels: buffer.chunk,
      start: buffer.start,
      end: buffer.end,
      ...this.#times(update.millis),
    };
  }

  #fill(instrument: Instrument, side: 0 | 1, levels: BinanceLevels): void {
    for (const [price, size] of levels) {
      const ticks = instrument.readTicks(price);
      const lots = this.#lots(instrument, size);
      if (!(ticks > 0) || !(lots >= 0)) throw this.#offGrid(instrument, `${price} ${size}`);
      this.#buffer.push(side, ticks, lots);
    }
  }

  #lots(instrument: Instrument, text: string): Lots {
    const { finer } = this.#seen;
    finer.sizes += 1;
    const lots = instrument.readLots(text);
    return Number.isNaN(lots) ? finer.roundedDown(instrument, text) : lots;
  }

  #trade({ s, T, t, p, q, m, X }: BinanceTrade): MarketEvent | undefined {
    if (!isOfBook({ X })) {
      this.#seen.leftOut.trade(X);
      return undefined;
    }
    const instrument = this.#instrumentOf(s);
    const price = instrument.readTicks(p);
    const quantity = this.#lots(instrument, q);
    if (quantity === 0 && price > 0) return undefined;
    if (!(price > 0) || !(quantity > 0)) throw this.#offGrid(instrument, `${p} ${q}`);
    const times = this.#times(T);
    const side = m ? 'sell' : 'buy';
    const trade = { tradeId: String(t), price, quantity, side, time: times.exchangeTime } as const;
    return { kind: 'trades', instrument: instrument.id, snapshot: false, trades: [trade], ...times };
  }

  /** Local time, shifted, rounded up to microseconds and never before the exchange time. */
  #times(millis: number): { readonly exchangeTime: Micros; readonly receiveTime: Micros } {
    if (millis > this.#lastMillis) this.#lastMillis = millis;
    const exchangeTime = (millis * 1_000) as Micros;
    const nanos = latencyNanos(this.#time, millis) + this.#shiftNanos;
    return { exchangeTime, receiveTime: (exchangeTime + Math.max(0, Math.ceil(nanos / 1_000))) as Micros };
  }

  #instrumentOf(symbol: string): Instrument {
    const instrument = this.#instruments.find(symbol);
    if (instrument === undefined) throw this.#bad('expected one of the known symbols', symbol);
    return instrument;
  }

  #offGrid({ symbol, spec }: Instrument, found: string): Error {
    return this.#bad(
      `expected ${symbol} on tick ${spec.tickSize} and increment ${spec.quantityIncrement}`,
      found,
    );
  }

  #bad(expectation: string, found: string): Error {
    return badLine(this.#path, this.#number, expectation, found);
  }
}
