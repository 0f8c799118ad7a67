import { withoutZeros } from '../../core/base/number-text.ts';
import type { Instrument, Lots, Ticks } from '../../core/model/instrument.ts';

/**
 * How a venue prints prices and sizes. `fixed`: always the decimals of the step. `trimmed`: without zeros at the end.
 * `shortest`: as Python prints a double, the fewest digits that name it ("5.0", "1e-05").
 */
export type Printing = 'fixed' | 'trimmed' | 'shortest';

/** A price as the venue printed it. */
export function printPrice(instrument: Instrument, price: Ticks, printing: Printing): string {
  return printAs(instrument.priceText(price), printing);
}

/** A quantity as the venue printed it. */
export function printQuantity(instrument: Instrument, quantity: Lots, printing: Printing): string {
  return printAs(instrument.quantityText(quantity), printing);
}

/** A plain decimal in the style of a venue. */
export function printAs(decimal: string, printing: Printing): string {
  if (printing === 'fixed') return decimal;
  if (printing === 'shortest') return shortest(Number(decimal));
  return withoutZeros(decimal);
}

function shortest(value: number): string {
  if (value !== 0 && (value < 1e-4 || value >= 1e16)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    const sign = exponent.startsWith('-') ? '-' : '+';
    return `${digits}e${sign}${exponent.slice(1).padStart(2, '0')}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
