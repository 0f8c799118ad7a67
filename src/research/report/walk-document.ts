import type {
  Doubt,
  FigureKey,
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportTable,
} from './document/index.ts';
import { warningOf, durationText, numberText, figureWith, documentSchema } from './document/index.ts';
import { timeText } from '../../core/base/clock.ts';
import { changesOf, downsampled } from './fold/index.ts';
import { deepestFall } from '../../core/ledger/index.ts';
import { bootstrapFigures, walkForwardFigure, identitySection, settingSections } from './sections/index.ts';
import type { DocumentSetting } from './make-document.ts';

/** What a walk-forward came to: parameters chosen on one window, judged on the next, again and again. */
export interface WalkDocumentSetting extends Pick<DocumentSetting, 'parameters' | 'settings' | 'command'> {
  readonly title: string;
  /** Why results must be doubted; empty when nothing is wrong. */
  readonly doubts: readonly Doubt[];
  readonly identity: Readonly<Record<string, string | number>>;
  /** Of all profits; empty when it is not known. */
  readonly currency: string;
  readonly profit: number;
  readonly days: number;
  /** Test windows with a profit, and all. */
  readonly winning: number;
  readonly windows: number;
  /** Profit a day of the tests over that of the trainings, or why there is none. */
  readonly efficiency: number | string;
  /** Profit over all tests, one behind the other; times in microseconds, ascending. */
  readonly times: readonly number[];
  readonly profits: readonly number[];
  /** The largest fall of the profit inside of a test window. */
  readonly fall: number;
  /** One row a window. */
  readonly table: Pick<ReportTable, 'columns' | 'rows' | 'words'>;
  readonly notes: readonly string[];
}

/** The report of a walk-forward, as it is stored, printed, drawn and compared like that of a run. */
export function walkDocument(setting: WalkDocumentSetting): ReportDocument {
  const { title, identity, command, parameters, settings, currency, times, profits, table, notes } = setting;
  const money = (value: number): string => `${numberText(value)} ${currency}`.trimEnd();
  const one = (key: FigureKey, value: number, text: string): ReportFigure =>
    figureWith(key, text, { number: value });
  const { profit, days, winning, windows } = setting;
  // Of a window few samples are kept, its highest and its lowest among them: falls from one window to another are known.
  const fall = Math.max(setting.fall, deepestFall(profits));
  const first = times[0];
  const last = times.at(-1);
  return {
    schema: documentSchema,
    title,
    warning: warningOf(setting.doubts),
    doubts: setting.doubts,
    ...(command === undefined ? {} : { command }),
    span:
      first === undefined || last === undefined
        ? undefined
        : { start: timeText(first), end: timeText(last), seconds: (last - first) / 1_000_000 },
    sections: [
      identitySection(identity),
      ...settingSections(parameters ?? [], settings ?? []),
      {
        key: 'return',
        title: 'Out of sample',
        figures: [
          one('walk.profit', profit, money(profit)),
          one('walk.days', days, durationText(days * 86_400e6)),
          one('walk.profitPerDay', profit / days, money(profit / days)),
          one('walk.winning', winning, `${winning} of ${windows}`),
          one('walk.drawdown', fall, money(fall)),
        ],
        tables: [
          {
            title: 'Windows',
            definition:
              'Each window: where it was judged, what was chosen on the time before it, and the profit of both. Efficiency is profit a day of the test over that of the training.',
            ...table,
          },
        ],
      },
      {
        key: 'robustness',
        title: 'Robustness',
        figures: [
          ...bootstrapFigures(changesOf(times, profits), currency, undefined),
          walkForwardFigure(setting.efficiency),
        ],
        tables: [],
      },
    ],
    charts: profitChart(times, profits, currency),
    notes,
  };
}

function profitChart(
  times: readonly number[],
  profits: readonly number[],
  currency: string,
): readonly ReportChart[] {
  const rows = downsampled(profits);
  if (rows.length < 2) return [];
  return [
    {
      id: 'profit-walk',
      title: 'Net profit out of sample',
      definition: 'Profit of the test windows, one behind the other.',
      axis: 'time',
      xLabel: 'time (UTC)',
      yLabel: currency,
      x: rows.map((row) => (times[row] as number) / 1_000_000),
      series: [
        {
          label: 'net profit',
          tone: 'main',
          form: 'area',
          values: rows.map((row) => Number((profits[row] as number).toPrecision(12))),
        },
      ],
    },
  ];
}
