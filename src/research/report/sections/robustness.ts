import { bootstrapSum } from '../fold/index.ts';
import type { BandResult, BandRun, CurrencyMeasures } from '../figures/index.ts';
import { edgeOf, partsOfBand } from '../figures/index.ts';
import { amountToNumber } from '../../../core/base/amount.ts';
import {
  absent,
  basisPointText,
  durationText,
  moneyText,
  numberText,
  percentText,
  figureWith,
} from '../document/index.ts';
import type { MoneyPart } from './money.ts';
import type { ReportFigure, ReportSection, ReportTable } from '../document/index.ts';

const changesNeeded = 30;

/** Profit a day out of sample over profit a day in sample; or, in one clause, why it is absent. */
export type WalkForwardFigure = number | string;

/** What a run does not know by itself: a value, or why there is none and how to get one. */
export interface RobustnessSetting {
  readonly band: BandResult | string;
  readonly walkForward: WalkForwardFigure;
}

export function robustnessSection(
  parts: readonly MoneyPart[],
  { band, walkForward }: RobustnessSetting,
): ReportSection {
  const figures = parts.flatMap(({ measures, group }) => [
    ...bootstrapFigures(measures.changes, measures.currency, group, tooShort(measures)),
    feeFigure(measures, group),
  ]);
  return {
    key: 'robustness',
    title: 'Robustness',
    figures: [...figures, ...bandFigures(band), walkForwardFigure(walkForward)],
    tables: typeof band === 'string' ? [] : bandTables(band),
  };
}

export function walkForwardFigure(efficiency: WalkForwardFigure): ReportFigure {
  return typeof efficiency === 'string'
    ? absent('robustness.walkForward', efficiency)
    : figureWith('robustness.walkForward', percentText(efficiency), { number: efficiency });
}

/**
 * Why a run says too little for an interval: changes of one position from second to second are one draw, not many. Closed trades
 * are separate results, and so are days.
 */
export function tooShort({
  trips,
  days,
  options,
}: Pick<CurrencyMeasures, 'trips' | 'days' | 'options'>): string | undefined {
  const { tradesMin, daysMin } = options;
  const [trades, dayCount] = [trips.length, days.times.length];
  if (trades >= tradesMin || dayCount >= daysMin) return undefined;
  return `needs ${tradesMin} closed trades or ${daysMin} days, has ${trades} and ${dayCount}`;
}

/** The interval of a net profit, from its changes over equal times. */
export function bootstrapFigures(
  changes: readonly number[],
  currency: string,
  group: string | undefined,
  tooShort?: string,
): readonly ReportFigure[] {
  const moved = changes.filter((change) => change !== 0).length;
  if (moved < changesNeeded || tooShort !== undefined) {
    const reason = tooShort ?? `needs ${changesNeeded} changes of the profit, has ${moved}`;
    return (['robustness.low', 'robustness.high', 'robustness.positive'] as const).map((key) =>
      absent(key, reason, group),
    );
  }
  const { low, high, positive } = bootstrapSum(changes);
  const money = moneyText(currency);
  return [
    figureWith('robustness.low', money(low), { number: low, group }),
    figureWith('robustness.high', money(high), { number: high, group }),
    figureWith('robustness.positive', percentText(positive), { number: positive, group }),
  ];
}

function feeFigure({ profit, turnover }: CurrencyMeasures, group: string | undefined): ReportFigure {
  if (turnover === 0n) return absent('robustness.fee', 'nothing was traded', group);
  if (profit <= 0n) return absent('robustness.fee', 'there is no profit', group);
  const rate = amountToNumber(profit) / amountToNumber(turnover);
  return figureWith('robustness.fee', basisPointText(rate * 10_000), { number: rate, group });
}

function bandFigures(band: BandResult | string): readonly ReportFigure[] {
  if (typeof band === 'string') return [absent('robustness.band', band), absent('robustness.latency', band)];
  const money = moneyText(band.currency);
  const runs = partsOfBand(band).band;
  const profits = runs.map(({ profit }) => profit);
  const low = Math.min(...profits);
  const high = Math.max(...profits);
  const edge = edgeOf(band);
  const isLatency = band.axis === 'latency';
  const alone = isOfLevelAlone(runs) ? `, of ${band.axis} alone: no fill assumption changed the profit` : '';
  const key = isLatency ? 'robustness.latency' : 'robustness.slippage';
  return [
    low === high
      ? absent(
          'robustness.band',
          `no fill assumption changed the profit: ${money(low)} in all ${profits.length} runs`,
        )
      : figureWith('robustness.band', `${money(low)} to ${money(high)}${alone}`, { number: low }),
    typeof edge === 'number'
      ? figureWith(key, isLatency ? durationText(edge) : basisPointText(edge * 10_000), { number: edge })
      : absent(key, edge),
  ];
}

/** Whether at every level all assumptions, two at least, came to the same profit. */
function isOfLevelAlone(runs: readonly BandRun[]): boolean {
  const levels = Map.groupBy(runs, ({ level }) => level);
  return levels.values().every((same) => {
    const assumptions = new Set(same.map(({ assumption }) => assumption));
    return assumptions.size > 1 && same.every(({ profit }) => profit === same[0]?.profit);
  });
}

function bandTables(result: BandResult): readonly ReportTable[] {
  const { band, search } = partsOfBand(result);
  const level = result.axis === 'latency' ? 'latency' : 'slippage';
  const edge = `Fitted fills at ever worse ${level}, for where the edge is gone; not part of the band.`;
  return [
    bandTable(result, 'Band', `The whole run again with other fill assumptions. ${result.assumptions}`, band),
    ...(search.length === 0
      ? []
      : [bandTable(result, `Search for the ${level} without an edge`, edge, search)]),
  ];
}

function bandTable(
  { currency, axis }: BandResult,
  title: string,
  definition: string,
  runs: readonly BandRun[],
): ReportTable {
  const level = axis === 'latency' ? 'entry latency' : 'slippage';
  return {
    title,
    definition,
    columns: ['assumption', 'fill model', level, `net profit, ${currency}`, 'fills'],
    words: 3,
    rows: runs.map(({ assumption, model, levelText, profit, fills }) => [
      assumption,
      model,
      levelText,
      numberText(profit),
      String(fills),
    ]),
  };
}
