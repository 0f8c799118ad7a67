import { timeText } from '../../core/base/clock.ts';
import type {
  ChartSeries,
  ReportChart,
  ReportDocument,
  ReportFigure,
  ReportTable,
} from '../../research/report/index.ts';
import { documentSchema, numberText as plainText, identitySection } from '../../research/report/index.ts';
import type { SweepResult } from './result.ts';
import { ranked } from './result.ts';
import type { Tried } from './search.ts';
import type { SweepSetup } from './setup.ts';
import { bestTable, inCurrency, remarksOf } from './table.ts';

/** More trials than these are no table of a page: `--csv` and `--export` have them all. */
const listedMax = 3_000;

/** A sweep as a page: the best points, the objective over pairs of parameters, trial by trial, and every trial. */
export function sweepDocument(
  result: SweepResult,
  setup: SweepSetup,
  tried: readonly Tried[],
): ReportDocument {
  const { span } = setup;
  const { columns, rows } = bestTable(result, setup.space);
  return {
    schema: documentSchema,
    title: `${result.name}: sweep by ${result.objective}`,
    warning: result.warning,
    doubts: result.doubts,
    ...(result.command === undefined ? {} : { command: result.command }),
    span: {
      start: timeText(span.from),
      end: timeText(span.to),
      seconds: (span.to - span.from) / 1_000_000,
    },
    sections: [
      {
        key: 'sweep',
        title: 'Trials',
        figures: figuresOf(result, tried),
        tables: [
          {
            title: 'Best points',
            definition: `The best ${result.best.length} by ${result.objective}${result.split === undefined ? '' : ', chosen on the first part of the data and run again on the rest'}.`,
            columns,
            rows: rows.map((row) => row.map(withoutExponent)),
          },
        ],
      },
      {
        key: 'maps',
        title: 'Objective by parameters',
        figures: [],
        tables: mapTables(result),
      },
      { key: 'all', title: 'All trials', figures: [], tables: [trialTable(result, setup, tried)] },
      ...result.sections,
      identitySection(result.identity),
    ],
    charts: objectiveChart(result, tried),
    notes: [
      ...remarksOf(result),
      ...result.failures.map(({ point, why }) => `failed at ${JSON.stringify(point)}: ${why}`),
      ...result.notes,
    ],
  };
}

function numberText(value: number | undefined): string {
  return value === undefined ? '-' : plainText(value);
}

/** The terminal shows very small numbers with one. */
function withoutExponent(cell: string): string {
  return /^-?[\d.]+e-?\d+$/.test(cell) ? plainText(Number(cell)) : cell;
}

function figuresOf(
  { trials, best, objective, currency }: SweepResult,
  tried: readonly Tried[],
): readonly ReportFigure[] {
  const values = ranked(tried).map(({ value = 0 }) => value);
  const median = values[Math.floor((values.length - 1) / 2)];
  const positive = values.filter((value) => value > 0).length;
  const one = (key: string, label: string, definition: string, value: string | undefined): ReportFigure => ({
    key: `sweep.${key}`,
    label,
    definition,
    ...(value === undefined ? { reason: 'no trial has a value' } : { value }),
  });
  const of = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : numberText(value);
  return [
    one(
      'best',
      `Best ${inCurrency(objective, currency)}`,
      'The objective of the best trial on all of the data it was chosen on.',
      of(best[0]?.value),
    ),
    one(
      'median',
      'Median trial',
      'The objective of the trial in the middle: a best one far above it may be chance.',
      of(median),
    ),
    one(
      'positive',
      'Trials above 0',
      'Trials whose objective is above 0, of those that have one.',
      values.length === 0 ? undefined : `${positive} of ${values.length}`,
    ),
    one('tried', 'Trials', 'How many points were tried.', String(trials.tried)),
    one('failed', 'Failed', 'Trials that ended with an error.', String(trials.failed)),
    one(
      'valueless',
      'Without a value',
      'Trials whose objective has no value: too little behind it.',
      String(trials.withoutValue),
    ),
  ];
}

/** One map for each pair of parameters: the best value met there. */
function mapTables({ heatMaps, objective }: SweepResult): readonly ReportTable[] {
  return heatMaps.map(({ x, y, columns, rows, cells }) => ({
    title: `${y} (down) and ${x} (across)`,
    definition: `The best ${objective} that was met at each pair of values; empty where nothing has a value.`,
    columns: [y, ...columns],
    heat: 'scale',
    rows: rows.map((row, at) => [
      row,
      ...(cells[at] ?? []).map((value) => (value === null ? '' : numberText(value))),
    ]),
  }));
}

function trialTable(
  { objective, currency }: SweepResult,
  { space }: SweepSetup,
  tried: readonly Tried[],
): ReportTable {
  const names = space.dimensions.map(({ name }) => name);
  const isListed = tried.length <= listedMax;
  return {
    title: isListed ? '' : `All ${tried.length} trials are in --csv and --export`,
    definition:
      'Every trial in the order in which it was proposed; share is how much of the data it has seen.',
    columns: [
      'trial',
      ...names,
      'share',
      inCurrency(objective, currency),
      'profit',
      'drawdown',
      'fills',
      'failure',
    ],
    words: 1 + names.length,
    rows: (isListed ? tried : []).map(({ trial, point, share, value, outcome: { figures, failure } }) => [
      String(trial),
      ...names.map((name) => String(point[name])),
      numberText(share),
      numberText(value),
      ...['profit', 'drawdown', 'fills'].map((name) =>
        failure === undefined ? numberText(figures[name]) : '-',
      ),
      failure ?? '',
    ]),
  };
}

/** The objective of each trial, and the best up to it. */
function objectiveChart(
  { objective, currency }: SweepResult,
  tried: readonly Tried[],
): readonly ReportChart[] {
  const shown = tried.filter(({ share, value }) => share >= 1 && value !== undefined);
  if (shown.length < 2) return [];
  let most = Number.NEGATIVE_INFINITY;
  const best = shown.map(({ value = 0 }) => (most = Math.max(most, value)));
  const points: ChartSeries = {
    label: objective,
    tone: 'main',
    form: 'points',
    values: shown.map(({ value = 0 }) => value),
  };
  return [
    {
      id: 'objective',
      title: 'Objective by trial',
      definition: `${objective} of each trial in the order in which it was proposed, and the best up to it.`,
      axis: 'number',
      xLabel: 'trial',
      yLabel: currency ?? '',
      x: shown.map((_, at) => at),
      series: [{ label: 'best so far', tone: 'second', form: 'step', values: best }, points],
    },
  ];
}
