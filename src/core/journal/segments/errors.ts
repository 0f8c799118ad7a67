import { GodwitError } from '../../base/errors.ts';

/** The journal on disk contradicts itself before its tail. Nothing may start on it. */
export class JournalDamaged extends GodwitError {
  override readonly code = 'GW_JOURNAL_DAMAGED';
}

/** Another process writes this journal. */
export class JournalLocked extends GodwitError {
  override readonly code = 'GW_JOURNAL_LOCKED';
}

/** The journal is of another version, or of another run than the one that opens it. */
export class JournalForeign extends GodwitError {
  override readonly code = 'GW_JOURNAL_FOREIGN';
}

/** The journal can no longer promise that anything is durable. */
export class JournalFailed extends GodwitError {
  override readonly code = 'GW_JOURNAL_FAILED';
}
