import { fail } from '../../core/base/assert.ts';
import { microsPerSecond, timeText } from '../../core/base/clock.ts';
import {
  accountSection,
  chartsOf,
  executionSection,
  markoutTable,
  identitySection,
  marginSection,
  ratiosSection,
  returnSection,
  riskSection,
  monthTable,
  drawdownTable,
  robustnessSection,
  settingSections,
  tradeTable,
  tradesSection,
  bootstrapFigures,
  walkForwardFigure,
} from './sections/index.ts';
import type { AccountState, MoneyPart, WalkForwardFigure, ReportedSetting } from './sections/index.ts';
import type { BandResult, TrialCount } from './figures/index.ts';
import { measuresOf, runStatistics, runDoubts, notesOn } from './figures/index.ts';
import type {
  ReportDocument,
  Doubt,
  FigureKey,
  ReportChart,
  ReportFigure,
  ReportTable,
} from './document/index.ts';
import { documentSchema, warningOf, durationText, numberText, figureWith } from './document/index.ts';
import { noStart, changesOf, downsampled } from './fold/index.ts';
import type { Summary } from './fold/index.ts';
import { deepestFall } from '../../core/ledger/index.ts';

export interface DocumentSetting {
  readonly title: string;
  /** Doubts about the data and the session, before those of the run. */
  readonly doubts?: readonly Doubt[] | undefined;
  /** Hashes, seed, models: shown as given, in this order. */
  readonly identity: Readonly<Record<string, string | number>>;
  /** Parameters of the strategies, and settings that are not the defaults. */
  readonly parameters?: readonly ReportedSetting[] | undefined;
  readonly settings?: readonly ReportedSetting[] | undefined;
  /** How the account stood at the end, of a session. */
  readonly account?: AccountState | undefined;
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
  /** Why shares of equity say nothing: what the account began with was only assumed. */
  readonly noShares?: string | undefined;
  readonly trials?: TrialCount | undefined;
  /** The band, or why there is none and how to get one. */
  readonly band: BandResult | string;
  /** What an earlier walk-forward on the same data found, or why there is none. */
  readonly walkForward?: WalkForwardFigure | undefined;
  /** Why the run is no trial, where it is none. */
  readonly noTrial?: string | undefined;
  /** Notes shown before those of the run. */
  readonly notes?: readonly string[] | undefined;
}

/** The full report of a run whose summary collected details. */
export function makeDocument(summary: Summary, setting: DocumentSetting): ReportDocument {
  const { details, span } = summary;
  if (details === undefined) fail('a full report was asked of a run without details');
  const { trials, band } = setting;
  const measures = measuresOf(summary);
  const parts = measures.map((one): MoneyPart => {
    const statistics = runStatistics(one, trials);
    const noShares = Number.isNaN(one.start) ? noStart : setting.noShares;
    return { measures: one, statistics, noShares, group: measures.length > 1 ? one.currency : undefined };
  });
  const returns = returnSection(parts);
  const trades = tradesSection(parts, details.trades);
  const doubts = [...(setting.doubts ?? []), ...runDoubts(summary)];
  const execution = executionSection(summary, details, parts);
  return {
    schema: documentSchema,
    title: setting.title,
    warning: warningOf(doubts),
    doubts,
    ...(setting.command === undefined ? {} : { command: setting.command }),
    span:
      span === undefined
        ? undefined
        : {
            start: timeText(span.start),
            end: timeText(span.end),
            seconds: (span.end - span.start) / microsPerSecond,
          },
    sections: [
      identitySection(setting.identity),
      ...(setting.account === undefined ? [] : [accountSection(setting.account)]),
      ...settingSections(setting.parameters ?? [], setting.settings ?? []),
      {
        ...returns,
        tables: parts.flatMap((part) =>
          part.noShares === undefined ? monthTable(part.measures, part.group) : [],
        ),
      },
      { ...riskSection(parts, details), tables: parts.flatMap(drawdownTable) },
      ...marginSection(summary),
      ratiosSection(parts, trials ?? setting.noTrial ?? 'this run was not written to a trial log'),
      { ...trades, tables: [...trades.tables, ...tradeTable(summary)] },
      { ...execution, tables: [...markoutTable(details), ...execution.tables] },
      robustnessSection(parts, {
        band,
        walkForward:
          setting.walkForward ?? 'none was run on this data with this strategy: godwit walk-forward',
      }),
    ],
    charts: chartsOf(parts, details),
    notes: [
      ...(setting.notes ?? []),
      ...(setting.account === undefined ? [] : [ofSession]),
      ...notesOn(summary),
      ...left(summary),
      ...details.notes.lines,
    ],
  };
}

const ofSession =
  'figures of return, risk and trades are of this session: those of the run stand in Account at the end';

/** Daily Sharpe ratio of the first currency for the trial log; `null` without enough days. */
export function dailySharpe(summary: Summary): number | null {
  const [first] = measuresOf(summary);
  if (first === undefined || Number.isNaN(first.start)) return null;
  return runStatistics(first, undefined).dailySharpe.value ?? null;
}

/** What was bounded. */
function left({ details }: Summary): readonly string[] {
  if (details === undefined) return [];
  const notes: string[] = [];
  const { trades, markouts, corrections, uncorrectedTrips } = details;
  if (corrections > 0)
    notes.push(
      `markouts, slippage, time to fill and rows of an export count ${corrections} fills as they were reported, which were withdrawn or corrected since`,
    );
  if (uncorrectedTrips > 0)
    notes.push(`closed trades count ${uncorrectedTrips} of them as they were reported, too`);
  if (trades.left > 0)
    notes.push(`fills after the first 200,000 closed trades are in no trade statistic: ${trades.left}`);
  if (markouts.missed > 0)
    notes.push(`markouts left out, because there was no live book at their time: ${markouts.missed}`);
  return notes;
}

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

/** Figures of these, or of these sections, need prices of the market, its books or its rates. */
const priced = [
  'return.start',
  'return.end',
  'return.profit',
  'return.share',
  'return.annual',
  'return.hold',
  'return.exposure',
  'risk.',
  'ratios.',
  'execution.queueAhead',
  'execution.markout',
  'execution.slippage',
  'execution.rounding',
  'robustness.',
] as const;

/** Of these what fills and orders alone determine. */
const filled: ReadonlySet<string> = new Set([
  'risk.inventoryMax',
  'risk.inventoryEnd',
  'ratios.profitFactor',
  'ratios.expectancy',
  'ratios.sqn',
  'ratios.trials',
  'robustness.band',
  'robustness.walkForward',
]);

const pricedCharts = ['price-', 'profit-', 'underwater-', 'markout'] as const;

/**
 * A report of a run of which only its own records are known: figures that need market data get the reason instead.
 * `flat`: nothing is held at the end, so the profit is what the fills brought.
 */
export function withoutPrices(document: ReportDocument, reason: string, flat: boolean): ReportDocument {
  const known = (figure: ReportFigure): ReportFigure => {
    const { key, label, definition, group } = figure;
    const isKnown = filled.has(key) || (flat && key === 'return.profit') || !startsWithAny(key, priced);
    if (isKnown || figure.reason !== undefined) return figure;
    return { key, label, definition, ...(group === undefined ? {} : { group }), reason };
  };
  return {
    ...document,
    sections: document.sections.map((section) => ({
      ...section,
      figures: section.figures.map(known),
      tables: section.key === 'return' ? [] : section.tables,
    })),
    charts: document.charts.filter(({ id }: ReportChart) => !startsWithAny(id, pricedCharts)),
  };
}

function startsWithAny(text: string, beginnings: readonly string[]): boolean {
  return beginnings.some((beginning) => text.startsWith(beginning));
}
