import type { Members } from '../../../core/base/members.ts';
import { rowsOf, textOf } from '../fields.ts';
import type { Tape } from '../tape.ts';

/**
 * Tells the levels of a message whose sides are lists of `[price, size, ...]` under these names. Throws `BadInput` when
 * they are something else.
 */
export function tellLevels(row: Members, bids: string, asks: string, tape: Tape): void {
  for (const level of rowsOf(row[bids], `"${bids}"`)) {
    tape.level(0, textOf(level[0], 'a price'), textOf(level[1], 'a size'));
  }
  for (const level of rowsOf(row[asks], `"${asks}"`)) {
    tape.level(1, textOf(level[0], 'a price'), textOf(level[1], 'a size'));
  }
}
