import type { BarPeriod } from '../tables/bars-period.ts';
import type { BarTable } from '../tables/bars.ts';

/** What a file of LEAN's data folder holds. */
export type LeanKind = 'trade' | 'quote' | 'rate';

/** One file of LEAN's data folder. */
export interface LeanTable extends BarTable {
  readonly kind: LeanKind;
  readonly period: BarPeriod;
}
