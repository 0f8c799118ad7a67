import { amountDecimals, parseAmount } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { DecodeResult } from './market-sink.ts';
import { malformed } from './market-sink.ts';

const zero = 48;
const nine = 57;

/** A price above zero on the tick grid, written as digits with at most one point between them; NaN otherwise. */
export function readPrice(instrument: Instrument, text: string): Ticks {
  if (!isFramed(text)) return Number.NaN as Ticks;
  const ticks = instrument.readTicks(text);
  return ticks > 0 ? ticks : (Number.NaN as Ticks);
}

/** A size on the increment grid, zero allowed; NaN otherwise. */
export function readSize(instrument: Instrument, text: string): Lots {
  return isFramed(text) ? instrument.readLots(text) : (Number.NaN as Lots);
}

/**
 * Whether a price is on the grid but too large to be ticks. Such asks rest in real books (9999999999999.000 at a
 * tick of 0.001 was recorded); they are left out of a book, because one absurd order must not blind us to it.
 */
export function isBeyondTicks(instrument: Instrument, text: string): boolean {
  if (!/^\d{1,30}(?:\.\d{1,24})?$/.test(text)) return false;
  const amount = parseAmount(text) as bigint;
  if (amount % instrument.priceAmount(1 as Ticks) !== 0n) return false;
  return amount / 10n ** BigInt(amountDecimals - instrument.priceDecimals) > BigInt(Number.MAX_SAFE_INTEGER);
}

/** Whether a text begins and ends with a digit: `scanDecimal` alone would read "5." and ".5". */
function isFramed(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first >= zero && first <= nine && last >= zero && last <= nine;
}

/** The refusal of a frame whose prices or sizes are not on the grid of the instrument. */
export function offGrid(name: string, instrument: Instrument, found: string): DecodeResult {
  const { tickSize, quantityIncrement } = instrument.spec;
  return malformed(
    `${name} of ${instrument.symbol}: expected plain decimals on tick ${tickSize} and increment ${quantityIncrement}, found ${JSON.stringify(found.slice(0, 80))}`,
    instrument.symbol,
  );
}

/** A size as books print it: plain `"0"` when zero. Source: v3-gaps, section 11. */
export function sizeText(instrument: Instrument, size: Lots): string {
  return size === 0 ? '0' : instrument.quantityText(size);
}
