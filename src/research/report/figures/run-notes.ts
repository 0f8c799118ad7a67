import { zero } from '../../../core/base/amount.ts';
import type { Summary } from '../fold/index.ts';

/** What a reader must know of the numbers of a run, one sentence each. */
export function notesOn(summary: Summary): readonly string[] {
  const notes: string[] = [...summary.remarks];
  if (summary.externalFills > 0) {
    notes.push(`fills of orders that are not ours, left out: ${summary.externalFills}`);
  }
  for (const [id, amount] of summary.opening.brought) {
    if (amount === zero) continue;
    const instrument = summary.instruments.at(id);
    const held = instrument.heldText(amount);
    notes.push(
      `${instrument.symbol}: ${held} ${instrument.unit} held from earlier sessions are in neither position nor profit`,
    );
  }
  for (const { instrument, position } of summary.holdings()) {
    if (instrument.feesInThird && position.fees !== zero) {
      notes.push(`fees of ${instrument.symbol} in ${instrument.spec.feeCurrency} are not part of the profit`);
    }
    const mark = summary.mark(instrument.id);
    if (mark !== undefined && (mark.source === 'trade' || mark.source === 'fill')) {
      notes.push(`${instrument.symbol} is valued at its last ${mark.source}, because there is no live book`);
    }
  }
  return notes;
}
