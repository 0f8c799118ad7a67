import { z } from 'zod';
import type { Micros } from '../core/base/clock.ts';
import { rowSchema } from './view-schemas.ts';
import type { FillRow } from './views/trades.ts';
import { fillFields } from './views/trades.ts';
import type { KeptHistory, KeptLines } from './history/index.ts';

/** Name of an execution. */
type FillName = Pick<FillRow, 'tradeId' | 'clientOrderId'>;

const fillsMax = 1_000;
const alertsMax = 200;
const fillSchema = rowSchema(fillFields);
const alertSchema = z.strictObject({
  time: z.int().transform((micros) => micros as Micros),
  text: z.string(),
});

/** The last own executions, over restarts. */
export class KeptFills {
  readonly #lines: KeptLines;
  readonly #rows: FillRow[] = [];

  constructor(kept: KeptHistory) {
    this.#lines = kept.open('fills', { linesMax: fillsMax, all: () => this.#rows });
    for (const line of this.#lines.earlier) this.#takeLine(line);
  }

  /** The oldest first. */
  get rows(): readonly FillRow[] {
    return this.#rows;
  }

  add(fill: FillRow): void {
    this.#putFill(fill);
    this.#lines.add(fill);
  }

  /** `holds`: the execution as it is; `undefined` of one that never was. */
  correct(was: FillName, holds: FillRow | undefined): void {
    const at = this.#placeOf(was);
    if (at < 0) return;
    this.#rows.splice(at, 1, ...(holds === undefined ? [] : [holds]));
    // A correction may name it anew, so that its place is known to the whole list alone.
    this.#lines.renew();
  }

  #takeLine(line: unknown): void {
    const read = fillSchema.safeParse(line);
    // The schema is made of the fields of such a row.
    if (read.success) this.#putFill(read.data as FillRow);
  }

  #putFill(fill: FillRow): void {
    this.#rows.push(fill);
    if (this.#rows.length > fillsMax) this.#rows.shift();
  }

  #placeOf({ tradeId, clientOrderId }: FillName): number {
    return this.#rows.findLastIndex((one) => one.tradeId === tradeId && one.clientOrderId === clientOrderId);
  }
}

/** The last alerts, over restarts. */
export class KeptAlerts {
  readonly #lines: KeptLines;
  readonly #rows: z.output<typeof alertSchema>[] = [];

  constructor(kept: KeptHistory) {
    this.#lines = kept.open('alerts', { linesMax: alertsMax, all: () => this.#rows });
    for (const line of this.#lines.earlier) {
      const read = alertSchema.safeParse(line);
      if (read.success) this.#putAlert(read.data);
    }
  }

  /** The oldest first. */
  get rows(): readonly { readonly time: Micros; readonly text: string }[] {
    return this.#rows;
  }

  add(alert: { readonly time: Micros; readonly text: string }): void {
    this.#putAlert(alert);
    this.#lines.add(alert);
  }

  #putAlert(alert: { readonly time: Micros; readonly text: string }): void {
    this.#rows.push(alert);
    if (this.#rows.length > alertsMax) this.#rows.shift();
  }
}
