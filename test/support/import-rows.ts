import type { Event } from '../../src/core/model/event.ts';
import { levelStride } from '../../src/core/model/level-buffer.ts';

/** How many rows a prepared data set of the field would have. */
export interface ImportRows {
  /** One per changed level, per trade, per snapshot level, and one per side before a snapshot. */
  readonly rows: number;
  /** The same with both orders of time kept: a row whose place differs between them counts for each. */
  readonly rowsByClock: number;
}

/** Counts what events amount to as rows: they come in the order they were received. Holds two numbers per event. */
export class RowCount {
  readonly #rows: number[] = [];
  readonly #times: number[] = [];

  take(event: Event): void {
    const rows = rowsOf(event);
    if (rows === 0) return;
    this.#rows.push(rows);
    this.#times.push(event.exchangeTime);
  }

  counts(): ImportRows {
    const times = this.#times;
    const rows = this.#rows;
    // Stable: events of one exchange time stay in the order they were received.
    const byExchange = times
      .map((_, index) => index)
      .toSorted((a, b) => (times[a] ?? 0) - (times[b] ?? 0) || a - b);
    let rowsByClock = 0;
    let local = 0;
    let exchange = 0;
    while (local < rows.length || exchange < rows.length) {
      const other = byExchange[exchange];
      if (other === local) {
        rowsByClock += rows[local] ?? 0;
        local += 1;
        exchange += 1;
      } else if (other !== undefined && isEarlier(times, other, local)) {
        rowsByClock += rows[other] ?? 0;
        exchange += 1;
      } else {
        rowsByClock += rows[local] ?? 0;
        local += 1;
      }
    }
    return { rows: rows.reduce((sum, count) => sum + count, 0), rowsByClock };
  }
}

/** By exchange time, then by receipt; nothing is left on the local side when `b` is beyond the end. */
function isEarlier(times: readonly number[], a: number, b: number): boolean {
  const time = times[b];
  if (time === undefined) return true;
  return (times[a] ?? 0) < time || (times[a] === time && a < b);
}

function rowsOf(event: Event): number {
  switch (event.kind) {
    case 'bookUpdate':
      return (event.end - event.start) / levelStride;
    case 'bookSnapshot':
      return (event.end - event.start) / levelStride + 2;
    case 'trades':
      return event.trades.length;
    default:
      return 0;
  }
}
