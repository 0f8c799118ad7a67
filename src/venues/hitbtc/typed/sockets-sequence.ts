import type { V3ChannelBook, V3ChannelNotice } from '../wire/v3/resources-channels.ts';

/**
 * Lets books pass as long as nothing is missing: every update is the last plus one, and the first message is a
 * snapshot. After a gap nothing of that symbol passes until a snapshot. Source: v3-gaps, section 1.4.
 */
export class SequenceGuard {
  readonly #onGap: (symbol: string) => void;
  /** The last sequence by symbol; undefined while a snapshot is awaited. */
  readonly #last = new Map<string, number | undefined>();

  constructor(onGap: (symbol: string) => void) {
    this.#onGap = onGap;
  }

  /** Every book is to begin anew. */
  reset(): void {
    this.#last.clear();
  }

  /** Whether the message may pass. Books come one a frame. */
  admits(notice: V3ChannelNotice<unknown>): boolean {
    for (const [symbol, payload] of notice.payloads) {
      const { sequence } = payload as V3ChannelBook;
      const last = this.#last.get(symbol);
      if (notice.kind !== 'snapshot' && last !== sequence - 1) {
        const waits = this.#last.has(symbol) && last === undefined;
        this.#last.set(symbol, undefined);
        if (!waits) this.#onGap(symbol);
        return false;
      }
      this.#last.set(symbol, sequence);
    }
    return true;
  }
}
