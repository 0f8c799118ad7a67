import type { ModeChanged } from './event.ts';

/**
 * Halts that end by themselves when evidence has come: a message about the own account could not be read, or too many orders are
 * unknown. What only reduces stays at the venue meanwhile. Every other halt waits for an operator.
 */
export type EvidenceHalt = 'unread' | 'manyUnknown';

/** Which of these halts an event begins or ends; `undefined` of any other change of the mode. */
export function evidenceHaltOf({
  unread,
  manyUnknown,
}: Pick<ModeChanged, EvidenceHalt>): { readonly halt: EvidenceHalt; readonly begins: boolean } | undefined {
  if (unread !== undefined) return { halt: 'unread', begins: unread };
  return manyUnknown === undefined ? undefined : { halt: 'manyUnknown', begins: manyUnknown };
}
