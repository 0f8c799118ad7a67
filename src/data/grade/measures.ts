import type { Micros } from '../../core/base/clock.ts';
import type { Members } from '../../core/base/members.ts';
import { isMembers } from '../../core/base/members.ts';
import type { BarsGrade } from './bars.ts';
import type { BooksGrade } from './books.ts';
import type { Oddities } from './oddities.ts';
import type { ClockGrade, LatencyGrade } from './times.ts';

/** Measures of the events of a recording, without what it says of itself. Times are in micros. */
export interface Measures extends Oddities {
  readonly events: number;
  readonly firstTime: Micros | undefined;
  readonly lastTime: Micros | undefined;
  /** Share of the bars expected, or of the time without long silences: 0 to 1. */
  readonly covered: number;
  /** Grades of recordings made of bars; candles beside books and trades are not graded. */
  readonly bars: readonly BarsGrade[];
  readonly books: BooksGrade;
  /** The longest time without a message, and when it began. */
  readonly longestSilence: number;
  readonly longestSilenceAt: Micros | undefined;
  /** Messages received before the one ahead of them, or older by the exchange than the last of their kind. */
  readonly outOfOrder: number;
  /** Trades whose id came before, bars whose time came before. */
  readonly duplicates: number;
  /** `undefined` where arrivals were not recorded. */
  readonly clock: ClockGrade | undefined;
  readonly latency: LatencyGrade | undefined;
}

/** Version of what is measured and how: raised with each change of it, so that measures of another version are not used. */
const measuresVersion = 1;

/** Measures as they are kept in the head of a pack, as JSON. */
export function keptMeasures(measures: Measures): object {
  return { version: measuresVersion, ...measures };
}

/** Measures that were kept; `undefined` for anything else, and for those of another version. */
export function measuresIn(kept: unknown): Measures | undefined {
  if (!isMembers(kept) || kept['version'] !== measuresVersion) return undefined;
  const { version: _version, ...found } = kept;
  const { bars, books, clock, latency } = found;
  const isWhole =
    hasNumbers(found, ['events', 'covered', 'longestSilence', 'outOfOrder', 'duplicates']) &&
    hasNumbers(found, ['emptyUpdates', 'stampedIds']) &&
    hasNumbers(found, ['firstTime', 'lastTime', 'longestSilenceAt'], true) &&
    isMembers(books) &&
    hasNumbers(books, ofBooks) &&
    Array.isArray(bars) &&
    bars.every(isOfBars) &&
    (clock === undefined || (isMembers(clock) && hasNumbers(clock, ofClock))) &&
    (latency === undefined || (isMembers(latency) && hasNumbers(latency, ['p50', 'p90', 'p99', 'max'])));
  return isWhole ? ({ ...absent, ...found } as unknown as Measures) : undefined;
}

/** Fields that JSON leaves out where there is nothing in them. */
const absent = {
  firstTime: undefined,
  lastTime: undefined,
  longestSilenceAt: undefined,
  clock: undefined,
  latency: undefined,
};

const ofBooks: readonly (keyof BooksGrade)[] = [
  'books',
  'crossed',
  'crossedMicros',
  'locked',
  'lockedMicros',
  'bookMicros',
  'sequenceGaps',
  'damaged',
  'stale',
];
const ofClock: readonly (keyof ClockGrade)[] = ['offsetMicros', 'rangeMicros', 'slopePpm', 'spanMicros'];
const ofBars: readonly (keyof BarsGrade)[] = [
  'bars',
  'first',
  'last',
  'expected',
  'missing',
  'gaps',
  'longestGap',
  'closedHalfHours',
  'zeroVolume',
  'spikes',
  'repeated',
];

function isOfBars(bars: unknown): boolean {
  return (
    isMembers(bars) &&
    typeof bars['symbol'] === 'string' &&
    typeof bars['period'] === 'string' &&
    hasNumbers(bars, ofBars) &&
    hasNumbers(bars, ['longestGapAt', 'firstSpikeAt'], true)
  );
}

function hasNumbers(found: Members, names: readonly string[], mayLack = false): boolean {
  return names.every((name) => typeof found[name] === 'number' || (mayLack && found[name] === undefined));
}
