/**
 * Halts that end by themselves when evidence has come. `unread`: a message about the own account could not be read, until the account was
 * read completely. `manyUnknown`: too many orders are unknown, until reads have shown what became of each. `unwritten`: the disk has no room
 * for the journal, until all that waited is on it. `forbidden`: the venue serves the key or the account no longer, until a look at the
 * account is answered, a while later. What only reduces stays at the venue meanwhile. Every other halt waits for an operator.
 */
export const evidenceHalts = ['unread', 'manyUnknown', 'unwritten', 'forbidden'] as const;

export type EvidenceHalt = (typeof evidenceHalts)[number];

/** Marks of a change of the mode: `true` begins such a halt, `false` ends it, and the mode before it holds beneath. */
export type EvidenceMarks = { readonly [halt in EvidenceHalt]?: boolean | undefined };

/** Which of these halts an event begins or ends; `undefined` of any other change of the mode. */
export function evidenceHaltOf(
  of: EvidenceMarks,
): { readonly halt: EvidenceHalt; readonly begins: boolean } | undefined {
  for (const halt of evidenceHalts) {
    const begins = of[halt];
    if (begins !== undefined) return { halt, begins };
  }
  return undefined;
}
