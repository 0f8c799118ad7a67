import { listed } from '../../core/base/listed.ts';
import type { Micros } from '../../core/base/clock.ts';
import { isStillToCome, timeText } from '../../core/base/clock.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Grade } from '../../data/grade/grade.ts';
import { GradeCollector } from '../../data/grade/grade.ts';
import type { Measures } from '../../data/grade/measures.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentId, Instruments } from '../../core/model/instrument.ts';
import { isMarketData } from '../../core/model/market-data.ts';
import { levelStride } from '../../core/model/level-buffer.ts';

/** Counts of a recording while it passes: for `data inspect` and `data import`. */
export class EventCounts {
  readonly events = new Map<Event['kind'], number>();
  levelChanges = 0;
  trades = 0;
  from: Micros | undefined;
  till: Micros | undefined;
  readonly #grade: GradeCollector;
  readonly #instruments: Instruments;
  /** Instruments of which there is market data. */
  readonly #seen = new Set<InstrumentId>();

  constructor({ instruments }: Recording) {
    this.#instruments = instruments;
    this.#grade = new GradeCollector(instruments);
  }

  /** What the recording is worth, once it was read through. */
  gradeOf(recording: Recording): Grade {
    return this.#grade.grade(recording);
  }

  /** Measures of what has passed, for the grade. */
  measures(): Measures {
    return this.#grade.measures();
  }

  /** The symbols of which there is market data, in the order of the recording's list. */
  get symbols(): readonly string[] {
    return this.#instruments.all.filter(({ id }) => this.#seen.has(id)).map(({ symbol }) => symbol);
  }

  /** The same batches, counted. */
  async *watch(batches: AsyncIterable<readonly Event[]>): AsyncGenerator<readonly Event[], void, undefined> {
    for await (const batch of batches) {
      for (const event of batch) this.#count(event);
      yield batch;
    }
  }

  #count(event: Event): void {
    this.#grade.add(event);
    this.events.set(event.kind, (this.events.get(event.kind) ?? 0) + 1);
    this.from ??= event.receiveTime;
    this.till = event.receiveTime;
    if (isMarketData(event)) this.#seen.add(event.instrument);
    if (event.kind === 'trades') this.trades += event.trades.length;
    if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') {
      this.levelChanges += (event.end - event.start) / levelStride;
    }
  }

  /** For people: format, period, symbols, counts, proof, notes and findings. */
  lines(recording: Recording): readonly string[] {
    const { symbols } = this;
    const without = recording.instruments.all
      .map(({ symbol }) => symbol)
      .filter((one) => !symbols.includes(one));
    const { proof } = recording;
    const { letter, reasons, emptyUpdates } = this.gradeOf(recording);
    return [
      `format   ${recording.format}`,
      `grade    ${letter}`,
      ...reasons.map((reason) => `         ${reason}`),
      `period   ${isoOf(this.from) ?? '-'} to ${isoOf(this.till) ?? '-'}`,
      `symbols  ${symbols.length === 0 ? '-' : listed(symbols, 12)}`,
      ...(without.length === 0 ? [] : [`         without data: ${listed(without, 12)}`]),
      ...[...this.events].map(([kind, count]) => `${kind.padEnd(16)} ${count}`),
      `${'level changes'.padEnd(16)} ${this.levelChanges}`,
      `${'single trades'.padEnd(16)} ${this.trades}`,
      ...(emptyUpdates === 0 ? [] : [`${'empty updates'.padEnd(16)} ${emptyUpdates}`]),
      ...(proof === undefined
        ? []
        : [`proved   ${proof.correct} of ${proof.checked} checksums of the venue`]),
      ...recording.notes.map((note) => `note     ${note}`),
      ...recording.findings.map((finding) => `found    ${finding}`),
    ];
  }
}

/** A time for people and documents. */
export function isoOf(time: Micros | undefined): string | undefined {
  return time === undefined ? undefined : timeText(time);
}

/** What to say of data that end after `now`: their times may be of another unit. `undefined` when they do not. */
export function futureWords({ till }: EventCounts, now: number): string | undefined {
  if (till === undefined || !isStillToCome(till, now)) return undefined;
  return `the last event is of ${isoOf(till)}, which is still to come: are the times in the unit and the zone they are read in? (DATA_IN_FUTURE)`;
}

/** The `--json` summary of a recording that was read to its end. */
export function summaryJson(recording: Recording, counts: EventCounts): Readonly<Record<string, unknown>> {
  const { letter, reasons, books, bars, clock, latency, anomalies, covered } = counts.gradeOf(recording);
  return {
    format: recording.format,
    grade: letter,
    reasons,
    from: isoOf(counts.from),
    till: isoOf(counts.till),
    symbols: recording.instruments.all.map((instrument) => instrument.symbol),
    withData: counts.symbols,
    events: Object.fromEntries(counts.events),
    levelChanges: counts.levelChanges,
    trades: counts.trades,
    ...(recording.proof === undefined ? {} : { proof: recording.proof }),
    books,
    bars,
    clock,
    latency,
    covered,
    anomalies,
    notes: recording.notes,
    findings: recording.findings,
  };
}
