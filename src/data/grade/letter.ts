import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { isOrphanNote } from '../binance/index.ts';
import { firstBooksNote } from '../formats/books/index.ts';
import { finerShare } from '../recording/index.ts';
import type { Anomaly, AnomalyName } from '../formats/index.ts';
import { counted, isPartialFinding } from '../formats/index.ts';
import type { BarsGrade } from './bars.ts';
import type { BooksGrade } from './books.ts';
import type { Measures } from './measures.ts';

/** A is best. */
export type GradeLetter = 'A' | 'B' | 'C' | 'D';

/** All that is known of the data of a recording. */
export interface Measured extends Measures {
  readonly format: string;
  /** Anomalies that the import found in the rows. */
  readonly anomalies: readonly Anomaly[];
  /** Findings that the recording itself reported of its last pass. */
  readonly findings: readonly string[];
}

/** Basis of a letter: the measures, and what the recording says of itself. */
export interface Judgement extends Measured {
  /** The recording's own grade: B when something was inferred. */
  readonly source: 'A' | 'B';
  readonly notes: readonly string[];
}

interface Reason {
  readonly letter: Exclude<GradeLetter, 'A'>;
  readonly words: string;
}

/** Shares of bars, of book time and of events from which a grade falls to C and to D. */
const missingC = 0.01;
const missingD = 0.1;
const missingOfSessionsC = 0.05;
const missingOfSessionsD = 0.2;
const crossedC = 0.001;
const crossedD = 0.05;
const finerC = 0.001;
const finerD = 0.05;
const rowsC = 0.01;
const rowsD = 0.1;
/** A smaller shift is no more than a delay. */
const shiftNanosMin = 250_000_000;
const driftPpm = 100;
const driftSpanMicros = 600_000_000;
const driftRangeMicros = 100_000;

/** The letter and the reasons, the worst first. */
export function gradeLetter(found: Judgement): {
  readonly letter: GradeLetter;
  readonly reasons: readonly string[];
} {
  const reasons = [
    ...emptiness(found),
    ...reasonsOfFindings(found.findings),
    ...found.bars.flatMap(reasonsOfBars),
    ...reasonsOfTime(found),
    ...reasonsOfBooks(found.books),
    ...found.anomalies.map((anomaly) => reasonOfAnomaly(anomaly, found.events)),
    ...reasonsOfOrder(found),
    ...reasonsOfClock(found),
    ...(found.source === 'B' ? [{ letter: 'B', words: inferredWords(found.notes) } as const] : []),
  ];
  reasons.sort((a, b) => (a.letter === b.letter ? 0 : a.letter > b.letter ? -1 : 1));
  return { letter: reasons[0]?.letter ?? 'A', reasons: reasons.map(({ words }) => words) };
}

function emptiness({ events }: Judgement): readonly Reason[] {
  return events === 0 ? [{ letter: 'D', words: 'there are no events' }] : [];
}

function reasonsOfBars(bars: BarsGrade): readonly Reason[] {
  const reasons: Reason[] = [];
  const of = `${bars.symbol} ${bars.period}`;
  if (bars.missing > 0) {
    const closed = bars.closedHalfHours > 0 ? ', hours without trading not counted' : '';
    reasons.push({
      // Markets that close have holidays, too.
      letter:
        closed === ''
          ? byShare(bars.missing / bars.expected, missingC, missingD)
          : byShare(bars.missing / bars.expected, missingOfSessionsC, missingOfSessionsD),
      words: `${bars.missing} of ${bars.expected} bars of ${of} missing in ${counted(bars.gaps, 'gap')}${closed}`,
    });
  }
  if (bars.zeroVolume > 0 && bars.zeroVolume < bars.bars) {
    reasons.push({
      letter: byShare(bars.zeroVolume / bars.bars, 0.05, 0.5),
      words: `${counted(bars.zeroVolume, 'bar')} of ${of} without volume`,
    });
  }
  if (bars.spikes > 0) {
    const at = timeText((bars.firstSpikeAt ?? 0) as Micros).slice(0, 16);
    const words = `${counted(bars.spikes, 'bar')} of ${of} with a spike to ten times or a wick to half of open and close, the first on ${at}`;
    reasons.push({ letter: 'C', words });
  }
  if (bars.zeroVolume === bars.bars) reasons.push({ letter: 'B', words: `no volumes in the bars of ${of}` });
  return reasons;
}

/** Bars show by themselves what is missing. */
function reasonsOfTime({ covered, bars, books, events, longestSilence }: Judgement): readonly Reason[] {
  if (bars.length > 0 || events === 0 || covered >= 1) return [];
  const missing = 1 - covered;
  const words = `${percent(missing)} of the time is silent; the longest silence lasts ${duration(longestSilence)}`;
  // A market may go without trades; a book that never changes is more likely a feed that stood still.
  return [{ letter: books.books === 0 ? 'B' : byShare(missing, missingC, missingD), words }];
}

function reasonsOfBooks(books: BooksGrade): readonly Reason[] {
  const reasons: Reason[] = [];
  if (books.sequenceGaps > 0) {
    reasons.push({ letter: 'C', words: counted(books.sequenceGaps, 'sequence gap') });
  }
  if (books.damaged > 0) {
    const words = `${counted(books.damaged, 'book')} found damaged: a wrong checksum, or a message that cannot be read`;
    reasons.push({ letter: 'C', words });
  }
  if (books.stale > 0)
    reasons.push({ letter: 'B', words: `${counted(books.stale, 'time')} a book was stale` });
  if (books.crossed > 0) {
    const share = books.bookMicros === 0 ? 1 : books.crossedMicros / books.bookMicros;
    const words = `books stand crossed ${counted(books.crossed, 'time')}, ${duration(books.crossedMicros)} in all (${percent(share)} of their time)`;
    reasons.push({ letter: byShare(share, crossedC, crossedD), words });
  }
  if (books.locked > 0) {
    const share = books.bookMicros === 0 ? 1 : books.lockedMicros / books.bookMicros;
    const words = `books stand locked ${counted(books.locked, 'time')}, ${duration(books.lockedMicros)} in all`;
    reasons.push({ letter: byShare(share, crossedD, 0.5), words });
  }
  return reasons;
}

/** Anomalies that were mended without loss: they are worth less of a fall. */
const mended: ReadonlySet<AnomalyName> = new Set([
  'rowsOutOfOrder',
  'duplicateRows',
  'binaryNoise',
  'unreadRecords',
  'roundedPrices',
  'emptyRows',
  'unfinishedBars',
]);

/** One is enough to make results doubtful: no market has such prices, or sizes count something else than coins. */
const impossible: ReadonlySet<AnomalyName> = new Set([
  'zeroPrices',
  'offTickPrices',
  'splitJumps',
  'oversizedPrices',
  'contractSizes',
]);

function reasonOfAnomaly({ name, count, words }: Anomaly, events: number): Reason {
  if (mended.has(name)) return { letter: 'B', words };
  const letter = byShare(count / Math.max(1, events), rowsC, rowsD);
  return { letter: letter === 'B' && impossible.has(name) ? 'C' : letter, words };
}

/** Findings without a measure of their own: of frames that were lost, and of lines that were put in order. */
function reasonsOfFindings(findings: readonly string[]): readonly Reason[] {
  return findings.flatMap((words): readonly Reason[] => {
    if (isOrphanNote(words)) return [{ letter: 'D', words }];
    const finer = finerShare(words);
    if (finer !== undefined) return [{ letter: byShare(finer, finerC, finerD), words }];
    if (words.includes(firstBooksNote)) return [{ letter: 'C', words }];
    if (isPartialFinding(words) || / malformed frames, the last: /.test(words))
      return [{ letter: 'C', words }];
    return / lines are older than the line before; |: not ended properly, /.test(words)
      ? [{ letter: 'B', words }]
      : [];
  });
}

function reasonsOfOrder({ outOfOrder, duplicates, events, stampedIds }: Judgement): readonly Reason[] {
  const reasons: Reason[] = [];
  if (stampedIds > 0) {
    const words = `the ids of all ${stampedIds} trades are their times in milliseconds: two trades of one millisecond look like a repeat`;
    reasons.push({ letter: 'B', words });
  }
  if (outOfOrder > 0) {
    const words = `${counted(outOfOrder, 'message')} older than the one before`;
    reasons.push({ letter: byShare(outOfOrder / events, rowsD, 0.5), words });
  }
  if (duplicates > 0) {
    const words = counted(duplicates, 'repeated trade or bar');
    reasons.push({ letter: byShare(duplicates / events, rowsC, rowsD), words });
  }
  return reasons;
}

function reasonsOfClock({ clock, notes }: Judgement): readonly Reason[] {
  const shifted = notes.map(shiftOf).filter((nanos) => Math.abs(nanos) >= shiftNanosMin);
  const reasons: Reason[] =
    shifted.length === 0
      ? []
      : [
          {
            letter: 'B',
            words: `the recorder’s clock was off by ${duration(Math.max(...shifted.map(Math.abs)) / 1_000)} and was shifted: delays are measured from the shortest on`,
          },
        ];
  if (clock === undefined) return reasons;
  if (clock.offsetMicros < 0) {
    const words = `messages arrive up to ${duration(-clock.offsetMicros)} before the exchange sent them: the clocks differ`;
    reasons.push({ letter: clock.offsetMicros < -1_000_000 ? 'C' : 'B', words });
  }
  // In a short time, or when it is small, a drift cannot be distinguished from delays.
  if (
    clock.spanMicros >= driftSpanMicros &&
    Math.abs(clock.slopePpm) > driftPpm &&
    clock.rangeMicros > driftRangeMicros
  ) {
    const words = `the clocks drift by ${clock.slopePpm.toFixed(0)} us a second`;
    reasons.push({ letter: 'B', words });
  }
  return reasons;
}

/** Shift of local times by which no message arrives early. */
function shiftOf(note: string): number {
  return Number(/local times shifted by (-?\d+) ns/.exec(note)?.[1] ?? 0);
}

function inferredWords(notes: readonly string[]): string {
  return notes.find((note) => note.includes('inferred')) ?? 'something of the recording was inferred';
}

function byShare(share: number, c: number, d: number): 'B' | 'C' | 'D' {
  return share > d ? 'D' : share > c ? 'C' : 'B';
}

function percent(share: number): string {
  return share >= 0.1 ? `${(share * 100).toFixed(0)} %` : `${(share * 100).toPrecision(2)} %`;
}

function duration(micros: number): string {
  if (micros < 1_000_000) return `${(micros / 1_000).toPrecision(3)} ms`;
  const seconds = micros / 1_000_000;
  if (seconds < 120) return `${seconds.toPrecision(3)} s`;
  return seconds < 7_200 ? `${(seconds / 60).toFixed(0)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
