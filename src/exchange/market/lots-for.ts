import { parseAmount, zero } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Instrument, Lots } from '../../core/model/instrument.ts';
import type { Refusal } from '../refusal.ts';
import { badParameter } from '../refusal.ts';

/** A volume text as lots, rounded up so that it is reached; off-grid volumes are fine here. */
export function lotsFor(instrument: Instrument, text: string): number | Refusal {
  try {
    const step = instrument.quantityAmount(1 as Lots);
    const volume = parseAmount(text);
    if (volume < zero) return badParameter('volume', 'Parameter must not be negative');
    return Number((volume + step - 1n) / step);
  } catch (error) {
    if (error instanceof BadInput) {
      return badParameter('volume', `Can't parse value from string: ${text.slice(0, 40)}`);
    }
    throw error;
  }
}
