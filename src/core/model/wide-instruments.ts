import { scanDecimal } from '../base/scan.ts';
import type { InstrumentId, InstrumentSpec, Lots, Ticks } from './instrument.ts';
import { Instrument, Instruments } from './instrument.ts';

const plain = /^(\d{1,30})(?:\.(\d{1,30}))?$/;
/** Beyond this, numbers print with an exponent. */
const unitsMax = 10n ** 20n;

/**
 * Instruments for decoding books: they also read numbers above 2^53 units whose double prints as the same digits.
 *
 * Recorded books carry such levels (asks of 9999999999999.000 and 99999999999999.000 on a tick of 0.001, one of
 * 100000.00000000000 on a tick of 10^-11), and a book is only equal to the venue's with them. Up to 15 significant digits
 * a double names its decimal without doubt, so text, order and identity are exact; only sums of such prices with
 * others are off by less than 10^-15 of them. What would print otherwise is not read here. Ids and specs are those of
 * the given instruments.
 */
export class WideInstruments extends Instruments {
  readonly #wide: readonly WideInstrument[];
  readonly #bySymbol: ReadonlyMap<string, WideInstrument>;

  constructor(instruments: Instruments) {
    super(instruments.all.map(({ spec }) => spec));
    this.#wide = instruments.all.map(({ id, spec }) => new WideInstrument(id, spec));
    this.#bySymbol = new Map(this.#wide.map((instrument) => [instrument.symbol, instrument]));
  }

  override find(symbol: string): Instrument | undefined {
    return this.#bySymbol.get(symbol);
  }

  override get(symbol: string): Instrument {
    return this.#bySymbol.get(symbol) ?? super.get(symbol);
  }

  override at(id: InstrumentId): Instrument {
    return this.#wide[id] ?? super.at(id);
  }
}

class WideInstrument extends Instrument {
  readonly #tickUnits: bigint;
  readonly #lotUnits: bigint;

  constructor(id: InstrumentId, spec: InstrumentSpec) {
    super(id, spec);
    this.#tickUnits = BigInt(scanDecimal(spec.tickSize, this.priceDecimals));
    this.#lotUnits = BigInt(scanDecimal(spec.quantityIncrement, this.quantityDecimals));
  }

  override readTicks(text: string): Ticks {
    const ticks = super.readTicks(text);
    return Number.isNaN(ticks) ? (readWide(text, this.priceDecimals, this.#tickUnits) as Ticks) : ticks;
  }

  override readLots(text: string): Lots {
    const lots = super.readLots(text);
    return Number.isNaN(lots) ? (readWide(text, this.quantityDecimals, this.#lotUnits) as Lots) : lots;
  }
}

/** The number of steps of `step` units in a text; NaN when it is off the grid or would not print as it came. */
function readWide(text: string, decimals: number, step: bigint): number {
  const match = plain.exec(text);
  if (match === null) return Number.NaN;
  const [, whole = '', fraction = ''] = match;
  if (/[1-9]/.test(fraction.slice(decimals))) return Number.NaN;
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (units % step !== 0n || units > unitsMax) return Number.NaN;
  const count = Number(units / step);
  return String(count * Number(step)) === String(units) ? count : Number.NaN;
}
