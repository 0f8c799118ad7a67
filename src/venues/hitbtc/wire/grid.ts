import { BadInput } from '../../../core/base/errors.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import { readPrice, readSize } from './plain.ts';

// Prices and quantities of account messages: on the grid, or refused with the member's name.

/** A quantity; throws `BadInput` naming `member` when it is off the increment. */
export function lotsOf(instrument: Instrument, text: string, member: string): Lots {
  const lots = readSize(instrument, text);
  if (lots >= 0) return lots;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a multiple of ${instrument.spec.quantityIncrement}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}

/** A price; throws `BadInput` naming `member` when it is off the tick or not above zero. */
export function ticksOf(instrument: Instrument, text: string, member: string): Ticks {
  const ticks = readPrice(instrument, text);
  if (ticks > 0) return ticks;
  throw new BadInput(
    `member ${member} of ${instrument.symbol}: expected a positive multiple of ${instrument.spec.tickSize}, found ${JSON.stringify(text.slice(0, 60))}`,
  );
}
