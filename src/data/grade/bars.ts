import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond } from '../../core/base/clock.ts';
import type { BarSpec, Candle } from '../../core/model/market.ts';
import { periodEnd } from '../../core/model/candle-period.ts';
import type { BarPeriod } from '../formats/tables/index.ts';
import { periodOfCandle, periodsBetween } from '../formats/tables/index.ts';

/** How whole a series of bars is. */
export interface BarsGrade {
  readonly symbol: string;
  readonly period: BarSpec;
  readonly bars: number;
  readonly first: Micros;
  readonly last: Micros;
  /** Bars from the first to the last, without hours in which the market is never open. */
  readonly expected: number;
  readonly missing: number;
  /** Runs of missing bars. */
  readonly gaps: number;
  /** The longest run, in bars, and where it begins. */
  readonly longestGap: number;
  readonly longestGapAt: Micros | undefined;
  /** Half hours of the week in which no bar was ever seen; 0 when the series is shorter than four weeks. */
  readonly closedHalfHours: number;
  readonly zeroVolume: number;
  /** Bars with a high of ten times their open and close, or a low of half of them; the first of them. */
  readonly spikes: number;
  readonly firstSpikeAt: Micros | undefined;
  /** Bars that repeat the time of the one before, or go back behind it. */
  readonly repeated: number;
}

interface Gap {
  /** The first missing bar. */
  readonly from: Micros;
  readonly bars: number;
}

const halfHour = 1_800 * microsPerSecond;
const slots = 336;
const dayMicros = 48 * halfHour;
const weeksToTellHours = 4;
const gapsMax = 200_000;
/** Bars of a gap that are checked one by one for hours without trading, at most. */
const lookedAtMax = 20_000_000;

/** Collects the bars of one instrument and period. Bars must come in the order of time. */
export class BarsCollector {
  readonly #symbol: string;
  readonly #candle: BarSpec;
  readonly #period: BarPeriod;
  readonly #seen = new Uint8Array(slots);
  readonly #gaps: Gap[] = [];
  #bars = 0;
  #missing = 0;
  #gapCount = 0;
  #zeroVolume = 0;
  readonly #hasSpikes: boolean;
  #spikes = 0;
  #firstSpikeAt: Micros | undefined;
  #repeated = 0;
  #first: Micros | undefined;
  #last: Micros | undefined;

  constructor(symbol: string, candle: BarSpec) {
    this.#symbol = symbol;
    this.#candle = candle;
    this.#period = periodOfCandle(candle);
    this.#hasSpikes = this.#period.micros > 0 && this.#period.micros <= dayMicros;
  }

  add(candle: Candle): void {
    const last = this.#last;
    if (last !== undefined && candle.time <= last) {
      this.#repeated += 1;
      return;
    }
    this.#bars += 1;
    this.#first ??= candle.time;
    this.#last = candle.time;
    this.#seen[slotOf(candle.time)] = 1;
    if (candle.volume === 0n) this.#zeroVolume += 1;
    // In a week or a month prices do go so far.
    if (this.#hasSpikes && isSpike(candle)) {
      this.#spikes += 1;
      this.#firstSpikeAt ??= candle.time;
    }
    if (last === undefined) return;
    const between = Math.round(periodsBetween(this.#period, last, candle.time)) - 1;
    if (between <= 0) return;
    this.#missing += between;
    this.#gapCount += 1;
    if (this.#gaps.length < gapsMax)
      this.#gaps.push({ from: periodEnd(this.#period.micros, last), bars: between });
  }

  result(): BarsGrade | undefined {
    if (this.#first === undefined || this.#last === undefined) return undefined;
    const open = this.#openOnly();
    return {
      symbol: this.#symbol,
      period: this.#candle,
      bars: this.#bars,
      first: this.#first,
      last: this.#last,
      expected: this.#bars + open.missing,
      missing: open.missing,
      gaps: open.gaps,
      longestGap: open.longest.bars,
      longestGapAt: open.longest.bars === 0 ? undefined : open.longest.from,
      closedHalfHours: open.closed,
      zeroVolume: this.#zeroVolume,
      spikes: this.#spikes,
      firstSpikeAt: this.#firstSpikeAt,
      repeated: this.#repeated,
    };
  }

  /** The gaps without hours in which the market is never open: those of a week in which four weeks show no bar. */
  #openOnly(): { missing: number; gaps: number; longest: Gap; closed: number } {
    const all = {
      missing: this.#missing,
      gaps: this.#gapCount,
      longest: longestOf(this.#gaps),
      closed: 0,
    };
    const { micros } = this.#period;
    const weeks = ((this.#last ?? 0) - (this.#first ?? 0)) / (slots * halfHour);
    const isSignificant = micros > 0 && micros < slots * halfHour && weeks >= weeksToTellHours;
    if (!isSignificant || this.#missing > lookedAtMax || this.#gaps.length === gapsMax) return all;
    // Where bars stand less often than every half hour, most slots never have one and are not asked for one.
    const open: Gap[] = [];
    for (const gap of this.#gaps) {
      let bars = 0;
      let from = gap.from;
      for (let i = 0; i < gap.bars; i++) {
        const time = (gap.from + i * micros) as Micros;
        if (this.#seen[slotOf(time)] !== 1) continue;
        if (bars === 0) from = time;
        bars += 1;
      }
      if (bars > 0) open.push({ from, bars });
    }
    const missing = open.reduce((sum, { bars }) => sum + bars, 0);
    if (missing === this.#missing) return all;
    const closed = slots - this.#seen.reduce((sum, one) => sum + one, 0);
    return { missing, gaps: open.length, longest: longestOf(open), closed };
  }
}

/** Whether a price of the bar is no price of its market: ten times what it opens and closes at, or half. */
function isSpike({ open, close, min, max }: Candle): boolean {
  const [low, high] = open < close ? [open, close] : [close, open];
  return max >= high * 10n || min * 2n <= low;
}

function slotOf(time: Micros): number {
  return Math.floor(time / halfHour) % slots;
}

function longestOf(gaps: readonly Gap[]): Gap {
  const none: Gap = { from: 0 as Micros, bars: 0 };
  return gaps.reduce((longest, gap) => (gap.bars > longest.bars ? gap : longest), none);
}
