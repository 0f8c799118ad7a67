import type { Micros } from '../base/clock.ts';
import type { ClientOrderId } from '../model/order.ts';
import type { Findings } from './round.ts';

/** An order of which we do not know whether it lives. */
export interface Missing {
  readonly clientOrderId: ClientOrderId;
  /** No byte of it left after this, by `uptime`. For an order that was alive: when it was first missed. */
  readonly sentBefore: Micros;
  /** When a complete look first found nothing of it. */
  firstAbsence: Micros | undefined;
}

/**
 * Whether a complete look proves that an order does not live. Two agreeing looks are needed, the second begun at
 * least `absentAfter` after the send: silence, one empty list or one "not found" proves nothing.
 *
 * `'told'`: something was found. `'absent'`: the proof is complete. `'open'`: not yet, either way.
 * Source: faults, section 1 (1, 3).
 */
export function weigh(
  missing: Missing,
  findings: Findings,
  absentAfter: Micros,
  reservedUnexplained: boolean,
): 'told' | 'absent' | 'open' {
  const { clientOrderId } = missing;
  if (!findings.histories.has(clientOrderId)) return 'open';
  if (findings.told.has(clientOrderId)) {
    missing.firstAbsence = undefined;
    return 'told';
  }
  if (reservedUnexplained) {
    missing.firstAbsence = undefined;
    return 'open';
  }
  if (missing.firstAbsence === undefined) {
    missing.firstAbsence = findings.begunAt;
    return 'open';
  }
  return findings.begunAt > missing.firstAbsence && findings.begunAt >= missing.sentBefore + absentAfter
    ? 'absent'
    : 'open';
}
