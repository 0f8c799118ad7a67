import type { Micros } from '../../../../core/base/clock.ts';
import { printTime, bounds } from '../../wire/index.ts';
import type { CallFailed } from './failure.ts';
import { unsent } from './failure.ts';

/** One page to be read. `from` or `till` moves on where offsets end. */
export interface PageAsked {
  readonly sort: 'ASC' | 'DESC';
  readonly limit: number;
  readonly offset: number;
  readonly from?: string;
  readonly till?: string;
}

/** How the rows of one history are walked. */
export interface PagePlan<Row> {
  /** Reads a page. */
  fetch(page: PageAsked): Promise<readonly Row[]>;
  /** Where a row stands in the order of the history: its id, or its time as text. */
  position(row: Row): string;
  /** Distinguishes rows that stand in the same place. */
  identity(row: Row): string;
  /** ASC unless asked otherwise: new rows come at the end, so pages do not shift while they are read. */
  readonly sort?: 'ASC' | 'DESC' | undefined;
  /** Rows a page, at most 1000, which is also the default. */
  readonly limit?: number | undefined;
}

/**
 * Every row of a history, page by page: by offset as far as the documents allow (100000), and beyond that from the
 * position of the last row on. A row is given once. Rejects with `CallFailed` when a page does.
 * Source: API v3, "Pagination parameters"; API v2, "Conventions", 5.
 */
export async function* historyRows<Row>(plan: PagePlan<Row>): AsyncGenerator<Row, void, undefined> {
  const { sort = 'ASC' } = plan;
  const limit = Math.max(1, Math.min(plan.limit ?? bounds.pageLimitMax, bounds.pageLimitMax));
  let start: string | undefined;
  let offset = 0;
  /** Rows already given that may come again: of the last page, and of the place where the walk went on. */
  let given = new Set<string>();
  for (;;) {
    const edge = start === undefined ? {} : sort === 'ASC' ? { from: start } : { till: start };
    const rows = await plan.fetch({ sort, limit, offset, ...edge });
    for (const row of rows) if (!given.has(plan.identity(row))) yield row;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    given = new Set(rows.map((row) => plan.identity(row)));
    offset += rows.length;
    if (offset <= bounds.pageOffsetMax) continue;
    const next = plan.position(last);
    if (next === start) throw tooMany(next);
    start = next;
    offset = 0;
  }
}

/** A time as a position. */
export function timePosition(time: Micros): string {
  return printTime(time);
}

function tooMany(position: string): CallFailed {
  const why = `more than ${bounds.pageOffsetMax} rows stand at ${position}, and the documents offer no way past them`;
  return unsent('paging', why);
}
