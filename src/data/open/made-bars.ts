import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { barFault, barLengthOf, barNameOf, barSizeFault, endsWithTrade } from '../../core/model/bar-spec.ts';
import { joinsInto, periodEnd } from '../../core/model/candle-period.ts';
import type { CandlesChanged, Event } from '../../core/model/event.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { BarSpec, Candle } from '../../core/model/market.ts';
import { CandleBuilder, JoinedCandles } from '../../core/state/index.ts';
import { countsAnomalies } from '../formats/index.ts';
import type { ImportedRecording } from '../formats/index.ts';
import type { Recording } from '../recording/index.ts';

/**
 * A recording of the bars of one kind that the trades of another make, or its shorter bars, as a strategy on that other would hear
 * them. Each event is a closed bar, and both its times are its end. Throws `BadInput` where the text names no bars, and in `events`
 * where the data cannot make them.
 */
export function madeBars(source: Recording, text: string): ImportedRecording {
  const spec = specFor(source, text);
  return {
    format: source.format,
    paths: source.paths,
    instruments: source.instruments,
    grade: source.grade,
    printing: source.printing,
    notes: [...source.notes, `bars of ${spec} are made of the trades of the data, or of their shorter bars`],
    get findings() {
      return source.findings;
    },
    get anomalies() {
      return countsAnomalies(source) ? source.anomalies : [];
    },
    counters: undefined,
    frames: undefined,
    events: async function* (heard) {
      const makers = source.instruments.all.map((instrument) => new BarMaker(instrument, spec));
      const found = new Set<string>();
      let made = 0;
      for await (const batch of source.events(heard)) {
        const events = batch.flatMap((event) => barsOf(event, makers, found));
        made += events.length;
        if (events.length > 0) yield events;
      }
      const rest = inOrder(makers.flatMap((maker) => maker.endBars()));
      if (made + rest.length === 0) throw new BadInput(nothingText(source, spec, found));
      if (rest.length > 0) yield rest;
    },
  };
}

function specFor(source: Recording, text: string): BarSpec {
  const fault = barFault(text);
  if (fault !== undefined) throw new BadInput(`bars ${JSON.stringify(text)}: ${fault}`);
  const spec = barNameOf(text);
  for (const instrument of source.instruments.all) {
    const small = barSizeFault(spec, instrument);
    if (small !== undefined) throw new BadInput(`bars ${JSON.stringify(text)}: ${small}`);
  }
  return spec;
}

/** The bars that are over with an event, oldest first. */
function barsOf(event: Event, makers: readonly BarMaker[], found: Set<string>): readonly CandlesChanged[] {
  if (event.kind !== 'trades' && event.kind !== 'candles') return [];
  const maker = makers[event.instrument] as BarMaker;
  if (event.kind === 'trades') {
    found.add('trades');
    for (const trade of event.trades) maker.addTrade(trade);
  } else {
    for (const candle of event.candles) {
      found.add(`bars of ${candle.period}`);
      maker.addCandle(candle, event.exchangeTime);
    }
  }
  return inOrder(makers.flatMap((one) => one.takeBars(event.exchangeTime)));
}

function inOrder(events: readonly CandlesChanged[]): readonly CandlesChanged[] {
  return events.toSorted((a, b) => a.exchangeTime - b.exchangeTime || a.instrument - b.instrument);
}

function nothingText({ paths }: Recording, spec: BarSpec, found: ReadonlySet<string>): string {
  const wanted = endsWithTrade(spec) ? 'trades to make' : 'trades, or shorter bars, that make whole';
  const what = found.size === 0 ? 'none' : [...found].slice(0, 8).join(', ');
  return `${paths.join(', ').slice(0, 300)}: expected ${wanted} bars of ${spec}, found ${what}`;
}

/** Makes the bars of one instrument. */
class BarMaker {
  readonly #instrument: Instrument;
  readonly #spec: BarSpec;
  /** Length in microseconds; `undefined` of bars that end with a trade. */
  readonly #length: number | undefined;
  readonly #trades: CandleBuilder;
  #joined: JoinedCandles | undefined;
  /** The kind of the shorter bars that are joined. */
  #source: BarSpec | undefined;
  /** End of the last shorter bar; 0 while these may come again, as those of a venue do. */
  #joinedUntil = 0;
  #closed: Candle[] = [];
  /** Begin of the last bar by time that was passed on. */
  #told = -1;

  constructor(instrument: Instrument, spec: BarSpec) {
    this.#instrument = instrument;
    this.#spec = spec;
    this.#length = barLengthOf(spec);
    this.#trades = new CandleBuilder(instrument, spec);
  }

  addTrade(trade: Parameters<CandleBuilder['add']>[0]): void {
    if (this.#joined === undefined) this.#close(this.#trades.add(trade));
  }

  addCandle(candle: Candle, now: Micros): void {
    const { period } = candle;
    if (this.#source === undefined && (period === this.#spec || joinsInto(period, this.#spec))) {
      this.#source = period;
      if (!endsWithTrade(period)) this.#joined = new JoinedCandles(this.#spec);
    }
    if (period !== this.#source) return;
    if (this.#joined === undefined) {
      if (candle.end !== undefined) this.#closed.push(candle);
      return;
    }
    const end = periodEnd(barLengthOf(period) ?? 0, candle.time);
    this.#joinedUntil = now >= end ? end : 0;
    this.#close(this.#joined.add(candle));
  }

  /** Bars that are over at `now`: those by time that end before it, too, whatever comes next. */
  takeBars(now: Micros): readonly CandlesChanged[] {
    if (this.#length !== undefined && (this.#joined === undefined || this.#joinedUntil > 0)) {
      const running = this.#running();
      if (running !== undefined && this.#endOf(running) < now) this.#close(running);
    }
    const closed = this.#closed;
    if (closed.length === 0) return [];
    this.#closed = [];
    return closed.map((candle) => eventOf(candle, this.#endOf(candle)));
  }

  /** The last bar by time, as far as the data go; of the others an unfinished one is none. */
  endBars(): readonly CandlesChanged[] {
    const running = this.#length === undefined ? undefined : this.#running();
    if (running === undefined) return [];
    const end = this.#endOf(running);
    const whole = this.#joinedUntil === end ? running : { ...running, incomplete: true as const };
    return [eventOf(whole, end)];
  }

  #running(): Candle | undefined {
    const running = (this.#joined ?? this.#trades).running();
    return running === undefined || running.time <= this.#told ? undefined : running;
  }

  #close(candle: Candle | undefined): void {
    if (candle === undefined || (this.#length !== undefined && candle.time <= this.#told)) return;
    this.#told = candle.time;
    this.#closed.push(candle);
  }

  #endOf({ time, end }: Candle): Micros {
    if (end !== undefined) return end;
    if (this.#length !== undefined) return periodEnd(this.#length, time);
    throw new BadInput(
      `${this.#instrument.symbol}: expected the end of a bar of ${this.#spec} that began at ${timeText(time)}, found none`,
    );
  }
}

function eventOf(candle: Candle, end: Micros): CandlesChanged {
  const instrument: InstrumentId = candle.instrument;
  const times = { exchangeTime: end, receiveTime: end };
  return { kind: 'candles', instrument, snapshot: false, candles: [candle], ...times };
}
