import { endsWithTrade } from '../../core/model/bar-spec.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Recording } from '../recording/index.ts';
import type { BookSnapshot, BookUpdate, Event, TradesPrinted } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import { countsAnomalies } from '../formats/index.ts';
import type { BarsGrade } from './bars.ts';
import { BarsCollector } from './bars.ts';
import { BooksCollector } from './books.ts';
import type { GradeLetter, Measured } from './letter.ts';
import { gradeLetter } from './letter.ts';
import type { Measures } from './measures.ts';
import { OdditiesCollector } from './oddities.ts';
import { RecentIds } from './recent-ids.ts';
import { DelayCollector, LogHistogram } from './times.ts';

/** The grade of a recording: numbers, a letter and reasons. Times are in microseconds. */
export interface Grade extends Measured {
  /** A: whole and proved. B: small faults, or something inferred. C: results are doubtful. D: unusable. */
  readonly letter: GradeLetter;
  /** Why the letter is not better: one clause each, the worst first. */
  readonly reasons: readonly string[];
}

/** Whether results on such data need a warning. */
export function isPoor(grade: Grade): boolean {
  return grade.letter === 'C' || grade.letter === 'D';
}

/** Words for the title of a result on poor data, such as `poor data (C): 717 of 14398 bars missing`; otherwise empty. */
export function gradeTitle(grade: Grade): string {
  if (!isPoor(grade)) return '';
  const shown = grade.reasons.slice(0, 2).join('; ');
  return `poor data (${grade.letter}): ${shown}`;
}

/** A silence is a hole when it is this many times as long as half of all silences, and a minute at least. */
const holeFactor = 100;
const holeMicrosMin = 60_000_000;

/** The grade of a recording of which all events were measured, and of what it says of itself. */
export function gradeOf(measures: Measures, recording: Recording): Grade {
  const measured: Measured = {
    format: recording.format,
    ...measures,
    anomalies: countsAnomalies(recording) ? recording.anomalies : [],
    findings: [...recording.findings],
  };
  const { letter, reasons } = gradeLetter({ ...measured, source: recording.grade, notes: recording.notes });
  return { letter, reasons, ...measured };
}

/** Folds the events of a recording into its grade; for callers that read the events anyway. */
export class GradeCollector {
  readonly #instruments: Instruments;
  readonly #bars = new Map<string, BarsCollector>();
  readonly #books = new BooksCollector();
  readonly #oddities = new OdditiesCollector();
  readonly #delays = new DelayCollector();
  readonly #silences = new LogHistogram();
  readonly #recentIds: RecentIds[] = [];
  readonly #hasBook: boolean[] = [];
  #hasTrades = false;
  /** Last exchange time by instrument and kind. */
  readonly #exchangeTimes = new Map<string, number[]>();
  #events = 0;
  #first: Micros | undefined;
  #last: Micros | undefined;
  #longestSilence = 0;
  #longestSilenceAt: Micros | undefined;
  #outOfOrder = 0;
  #duplicates = 0;

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  add(event: Event): void {
    this.#events += 1;
    this.#time(event);
    switch (event.kind) {
      case 'bookSnapshot':
      case 'bookUpdate':
        this.#books.add(event);
        if (event.kind === 'bookUpdate') this.#oddities.update(event);
        // The first book of an instrument may be as old as the last change of a quiet market.
        if (event.kind === 'bookUpdate' || this.#hasBook[event.instrument] === true) this.#delay(event);
        this.#hasBook[event.instrument] = true;
        break;
      case 'bookStale':
        this.#books.add(event);
        break;
      case 'trades':
        if (event.snapshot) break;
        this.#hasTrades = true;
        this.#oddities.trades(event);
        this.#delay(event);
        this.#ids(event);
        break;
      case 'candles':
        if (event.snapshot) break;
        for (const candle of event.candles) {
          // Bars that end with a trade stand at no grid of times, in which one could be missing.
          if (endsWithTrade(candle.period)) continue;
          const symbol = this.#instruments.at(candle.instrument).symbol;
          const key = `${symbol} ${candle.period}`;
          let collector = this.#bars.get(key);
          if (collector === undefined) {
            collector = new BarsCollector(symbol, candle.period);
            this.#bars.set(key, collector);
          }
          collector.add(candle);
        }
        break;
      default:
        break;
    }
  }

  /** The grade of what was added, and of what the recording says of itself. */
  grade(recording: Recording): Grade {
    return gradeOf(this.measures(), recording);
  }

  /** Measures of what was added. */
  measures(): Measures {
    // Beside books and trades, candles are what a venue says on the side: sent again while they run, absent when quiet.
    const aside = this.#hasTrades || this.#hasBook.length > 0;
    const bars = aside ? [] : [...this.#bars.values()].flatMap((collector) => collector.result() ?? []);
    return {
      events: this.#events,
      firstTime: this.#first,
      lastTime: this.#last,
      covered: this.#covered(bars),
      bars,
      books: this.#books.result(this.#last ?? 0),
      ...this.#oddities.result(),
      longestSilence: this.#longestSilence,
      longestSilenceAt: this.#longestSilenceAt,
      outOfOrder: this.#outOfOrder,
      duplicates: this.#duplicates + bars.reduce((sum, { repeated }) => sum + repeated, 0),
      clock: this.#delays.clock,
      latency: this.#delays.latency,
    };
  }

  #time({ receiveTime }: Event): void {
    this.#first ??= receiveTime;
    const last = this.#last;
    if (last !== undefined) {
      const silence = receiveTime - last;
      if (silence < 0) {
        this.#outOfOrder += 1;
        return;
      }
      if (silence > 0) this.#silences.add(silence);
      if (silence > this.#longestSilence) {
        this.#longestSilence = silence;
        this.#longestSilenceAt = last;
      }
    }
    this.#last = receiveTime;
  }

  #delay(event: BookSnapshot | BookUpdate | TradesPrinted): void {
    const { instrument } = event;
    this.#delays.add(event.exchangeTime, event.receiveTime);
    const kind = event.kind === 'trades' ? 'trades' : 'books';
    let times = this.#exchangeTimes.get(kind);
    if (times === undefined) {
      times = [];
      this.#exchangeTimes.set(kind, times);
    }
    if (event.exchangeTime < (times[instrument] ?? 0)) this.#outOfOrder += 1;
    else times[instrument] = event.exchangeTime;
  }

  #ids({ instrument, trades }: TradesPrinted): void {
    const recent = (this.#recentIds[instrument] ??= new RecentIds());
    for (const { tradeId } of trades) if (recent.isRepeated(tradeId)) this.#duplicates += 1;
  }

  #covered(bars: readonly BarsGrade[]): number {
    if (this.#events === 0) return 0;
    if (bars.length > 0) {
      const expected = bars.reduce((sum, one) => sum + one.expected, 0);
      return bars.reduce((sum, one) => sum + one.bars, 0) / expected;
    }
    const span = (this.#last ?? 0) - (this.#first ?? 0);
    if (span <= 0) return 1;
    const hole = Math.max(holeMicrosMin, holeFactor * this.#silences.quantile(0.5));
    return Math.max(0, 1 - this.#silences.sumAbove(hole) / span);
  }
}
