import type { Micros } from '../../../core/base/clock.ts';
import type { Level } from '../../../core/model/market.ts';

/** A book, or what changed in it (size 0: gone), as encoders take it. Asks ascend, bids descend. */
export interface BookLevels {
  readonly time: Micros;
  readonly sequence: number;
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}
