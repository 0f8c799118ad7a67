import type { Instrument, Lots } from '../../core/model/instrument.ts';

const plain = /^\d{1,30}(?:\.\d{1,30})?$/;

/**
 * Sizes between the steps of an increment that was given, such as the venue's own: rounded down, because no order could take
 * more, and counted. What is less than one step is nothing: a level of it is none, a trade of it is left out.
 */
export class FinerSizes {
  /** Rounded so far. */
  count = 0;
  /** Sizes read, by the caller. */
  sizes = 0;

  /** A text off the increment in whole lots; NaN where it is no plain decimal, or too large. */
  roundedDown(instrument: Instrument, text: string): Lots {
    if (!plain.test(text) || !(Number(text) / Number(instrument.spec.quantityIncrement) < maxLots))
      return Number.NaN as Lots;
    this.count += 1;
    return instrument.lots(text, 'down');
  }

  /** One sentence, when there were any. */
  sentences(): readonly string[] {
    return this.count === 0 ? [] : [`${this.count} of ${this.sizes} ${finerWords}`];
  }
}

const maxLots = Number.MAX_SAFE_INTEGER;
const finerWords = 'sizes are finer than the increment, and were rounded down';

/** The share of sizes that were rounded, by the finding that says so; `undefined` for any other finding. */
export function finerShare(finding: string): number | undefined {
  if (!finding.endsWith(finerWords)) return undefined;
  const [count, , sizes] = finding.split(' ');
  return Number(count) / Number(sizes);
}
