import { bootstrapSum, changesOf } from './bootstrap.ts';
import type { BandResult } from './band.ts';
import { edgeLatency } from './band.ts';
import { amountToNumber } from '../base/amount.ts';
import {
  absent,
  basisPointText,
  durationText,
  moneyText,
  numberText,
  percentText,
  told,
} from './figure-text.ts';
import type { CurrencyMeasures } from './measures.ts';
import type { MoneyPart } from './money-sections.ts';
import type { ReportFigure, ReportSection, ReportTable } from './report-document.ts';

const changesNeeded = 30;

/** `notRun` says why there is no band, and how to get one. */
export function robustnessSection(
  parts: readonly MoneyPart[],
  band: BandResult | undefined,
  notRun: string,
): ReportSection {
  const figures = parts.flatMap(({ measures, group }) => [
    ...bootstrapFigures(measures, group),
    feeFigure(measures, group),
  ]);
  return {
    key: 'robustness',
    title: 'Robustness',
    figures: [
      ...figures,
      ...bandFigures(band, notRun),
      absent('robustness.walkForward', 'needs several windows: godwit walk-forward'),
    ],
    tables: band === undefined ? [] : [bandTable(band)],
  };
}

function bootstrapFigures(measures: CurrencyMeasures, group: string | undefined): readonly ReportFigure[] {
  const changes = changesOf(measures.times, measures.profits);
  const moved = changes.filter((change) => change !== 0).length;
  if (moved < changesNeeded) {
    const reason = `needs ${changesNeeded} changes of the profit, has ${moved}`;
    return (['robustness.low', 'robustness.high', 'robustness.positive'] as const).map((key) =>
      absent(key, reason, group),
    );
  }
  const { low, high, positive } = bootstrapSum(changes);
  const money = moneyText(measures.currency);
  return [
    told('robustness.low', money(low), { number: low, group }),
    told('robustness.high', money(high), { number: high, group }),
    told('robustness.positive', percentText(positive), { number: positive, group }),
  ];
}

function feeFigure({ profit, turnover }: CurrencyMeasures, group: string | undefined): ReportFigure {
  if (turnover === 0n) return absent('robustness.fee', 'nothing was traded', group);
  if (profit <= 0n) return absent('robustness.fee', 'there is no profit', group);
  const rate = amountToNumber(profit) / amountToNumber(turnover);
  return told('robustness.fee', basisPointText(rate * 10_000), { number: rate, group });
}

function bandFigures(band: BandResult | undefined, notRun: string): readonly ReportFigure[] {
  if (band === undefined) return [absent('robustness.band', notRun), absent('robustness.latency', notRun)];
  const money = moneyText(band.currency);
  const profits = band.runs.map(({ profit }) => profit);
  const low = Math.min(...profits);
  const high = Math.max(...profits);
  const edge = edgeLatency(band);
  return [
    told('robustness.band', `${money(low)} to ${money(high)}`, { number: low }),
    typeof edge === 'number'
      ? told('robustness.latency', durationText(edge), { number: edge })
      : absent('robustness.latency', edge),
  ];
}

function bandTable({ runs, currency }: BandResult): ReportTable {
  return {
    title: 'Band',
    definition:
      'The whole run again with other beliefs. Pessimistic: cancels come from behind us (conservative). Fitted: the configured queue model. Optimistic: cancels come from ahead of us as likely as the quantities there (proportional).',
    columns: ['belief', 'queue model', 'entry latency', `net profit, ${currency}`, 'fills'],
    words: 3,
    rows: runs.map(({ belief, queue, latencyText, profit, fills }) => [
      belief,
      queue,
      latencyText,
      numberText(profit),
      String(fills),
    ]),
  };
}
