import type { InstrumentSpec } from '../../../core/model/instrument.ts';
import type { AnomalyCounts } from '../grade-anomaly.ts';
import { counted } from '../grade-anomaly.ts';
import { countSkipped } from '../table-records.ts';
import type { GridSurvey } from './grid-survey.ts';

/** Units of numbers that the first pass over tables learnt. */
export interface TableUnits {
  /** Prices were counts of 10^-9, and are read as decimals. */
  isFixed: boolean;
  /** Trades whose quantity counts contracts. */
  contracts: number;
  /** Rows without numbers that were left out. */
  skipped: number;
  /** Least price by symbol, where all are too large for their currency. */
  readonly oversized: Map<string, number>;
}

export function newTableUnits(): TableUnits {
  return { isFixed: false, contracts: 0, skipped: 0, oversized: new Map() };
}

/** Notes which symbols have prices that nothing costs in their currency. */
export function lookAtPrices(
  units: TableUnits,
  specs: readonly InstrumentSpec[],
  gridOf: (symbol: string) => GridSurvey | undefined,
): void {
  for (const { symbol, quoteCurrency } of specs) {
    const least = gridOf(symbol)?.oversizedIn(quoteCurrency);
    if (least !== undefined) units.oversized.set(symbol, least);
  }
}

/** Note for readers of results on units that were converted. */
export function unitsNote({ isFixed }: TableUnits): readonly string[] {
  return isFixed
    ? ['prices are in fixed point (10^-9), as Databento writes them: they are read as decimals']
    : [];
}

/** Counts what is likely in another unit than its header tells. */
export function countUnits(
  counts: AnomalyCounts,
  { contracts, skipped, oversized }: Readonly<TableUnits>,
): void {
  countSkipped(counts, skipped);
  counts.add(
    'contractSizes',
    contracts,
    (count) =>
      `${counted(count, 'trade')} whose size counts contracts and not coins, as another column tells: say instrument: { kind: inverse or perpetual, contract: ... } in a scenario`,
  );
  const [first] = oversized;
  if (first === undefined) return;
  counts.add(
    'oversizedPrices',
    oversized.size,
    () =>
      `prices of ${first[0]} are whole numbers of ${first[1]} and more: they are likely counts of a part of the currency, such as 10^-9; scale them before the import`,
  );
}
