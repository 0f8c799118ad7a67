import { amountToNumber } from '../../../core/base/amount.ts';
import { timeText } from '../../../core/base/clock.ts';
import type { Amount } from '../../../core/base/amount.ts';
import type { FigureKey, ReportFigure, ReportSection, ReportTable } from '../document/index.ts';
import {
  absent,
  amountText,
  durationText,
  moneyText,
  numberText,
  percentText,
  ratioText,
  statistic,
  figureWith,
} from '../document/index.ts';
import type { CurrencyMeasures, RunStatistics, TrialCount } from '../figures/index.ts';
import { calendarOfRun } from '../figures/index.ts';
import type { RunDetails } from '../fold/index.ts';
import type { Figure } from '../../statistics/index.ts';

/** The money of one currency with its statistics; `group` where a report has several. */
export interface MoneyPart {
  readonly measures: CurrencyMeasures;
  readonly statistics: RunStatistics;
  readonly group: string | undefined;
  /** Why shares of equity are absent, when they are. */
  readonly noShares: string | undefined;
}

export function returnSection(parts: readonly MoneyPart[]): ReportSection {
  const figures = parts.flatMap(({ measures, statistics, group, noShares }) => {
    const { currency, start, profit } = measures;
    const money = moneyText(currency);
    const net = amountToNumber(profit);
    const ofStart = (key: FigureKey, value: number, print: (value: number) => string): ReportFigure =>
      noShares === undefined
        ? figureWith(key, print(value), { number: value, group })
        : absent(key, noShares, group);
    const exact = (key: FigureKey, amount: Amount): ReportFigure =>
      figureWith(key, amountText(amount, currency), { number: amountToNumber(amount), group });
    return [
      ofStart('return.start', start, money),
      ofStart('return.end', start + net, money),
      exact('return.profit', profit),
      ofStart('return.share', net / start, smallPercent),
      exact('return.fees', measures.feesPaid),
      exact('return.rebates', measures.rebates),
      exact('return.turnover', measures.turnover),
      statistic('return.annual', based(noShares, statistics.annualReturn), percentText, group),
      statistic('return.hold', statistics.holdReturn, smallPercent, group),
      statistic('return.exposure', statistics.exposure, percentText, group),
    ];
  });
  return { key: 'return', title: 'Return', figures, tables: [] };
}

export function riskSection(parts: readonly MoneyPart[], details: RunDetails): ReportSection {
  const figures = parts.flatMap(({ measures, statistics, group, noShares }) => {
    const { currency, drawdown, leverage } = measures;
    const shares = (key: FigureKey, figure: Figure): ReportFigure =>
      statistic(key, based(noShares, figure), smallPercent, group);
    const spans = (key: FigureKey, figure: Figure): ReportFigure =>
      statistic(key, figure, durationText, group);
    return [
      shares('risk.volatility', statistics.volatility),
      shares('risk.drawdown', statistics.drawdownMax),
      figureWith('risk.drawdownMoney', amountText(drawdown, currency), {
        number: amountToNumber(drawdown),
        group,
      }),
      shares('risk.drawdownAverage', statistics.drawdownAverage),
      spans('risk.drawdownLongest', statistics.drawdownSpanMax),
      shares('risk.worstDay', statistics.worstDay),
      shares('risk.cvar', statistics.conditionalValueAtRisk),
      noShares === undefined
        ? figureWith('risk.leverage', `${numberText(Number(leverage.toPrecision(3)))} ×`, {
            number: leverage,
            group,
          })
        : absent('risk.leverage', noShares, group),
    ];
  });
  return { key: 'risk', title: 'Risk', figures: [...figures, ...inventories(details)], tables: [] };
}

/** `trials`: how many were counted, or why none were. */
export function ratiosSection(parts: readonly MoneyPart[], trials: TrialCount | string): ReportSection {
  const figures = parts.flatMap(({ measures, statistics, group, noShares }) => {
    const { start, currency } = measures;
    const { trades } = statistics;
    const noRatios = Number.isNaN(start) ? noShares : undefined;
    const daily = (key: FigureKey, figure: Figure, print = ratioText): ReportFigure =>
      statistic(key, based(noRatios, figure), print, group);
    const ofTrades = (key: FigureKey, figure: Figure, print = ratioText): ReportFigure =>
      statistic(key, figure, print, group);
    return [
      daily('ratios.sharpe', statistics.sharpe),
      daily('ratios.sharpeLow', statistics.sharpeLow),
      daily('ratios.sharpeHigh', statistics.sharpeHigh),
      daily('ratios.sortino', statistics.sortino),
      daily('ratios.calmar', based(noShares, statistics.calmar)),
      daily('ratios.omega', statistics.omega),
      daily('ratios.alpha', statistics.alpha, percentText),
      daily('ratios.beta', statistics.beta),
      daysFigure(measures, group),
      ofTrades('ratios.profitFactor', trades.profitFactor),
      ofTrades('ratios.expectancy', trades.expectancy, moneyText(currency)),
      ofTrades('ratios.sqn', trades.sqn),
      daily('ratios.psr', statistics.probabilisticSharpe, percentText),
      daily('ratios.dsr', statistics.deflatedSharpe, percentText),
    ];
  });
  const counted =
    typeof trials === 'string'
      ? absent('ratios.trials', trials)
      : figureWith('ratios.trials', String(trials.count), { number: trials.count });
  return { key: 'ratios', title: 'Ratios', figures: [...figures, counted], tables: [] };
}

/** Returns of a year, by which ratios are scaled, and why. */
function daysFigure(measures: CurrencyMeasures, group: string | undefined): ReportFigure {
  const { daysPerYear, why } = calendarOfRun(measures);
  return figureWith('ratios.daysPerYear', `${daysPerYear}: ${why}`, { number: daysPerYear, group });
}

function inventories({ samples, held }: RunDetails): readonly ReportFigure[] {
  return held.flatMap(({ symbol, unit, id }) => {
    const { most, sum, count, position } = samples.held(id);
    if (most === 0) return [];
    const mean = sum / count;
    const print = moneyText(unit);
    return [
      figureWith('risk.inventoryMax', print(most), { number: most, group: symbol }),
      figureWith('risk.inventoryMean', print(mean), { number: mean, group: symbol }),
      figureWith('risk.inventoryEnd', print(position), { number: position, group: symbol }),
    ];
  });
}

/** A figure that needs to know something, or why that is not known. */
function based(reason: string | undefined, figure: Figure): Figure {
  return reason === undefined ? figure : { value: undefined, reason };
}

/** Per cent with as many digits as a small share needs. */
function smallPercent(fraction: number): string {
  return Math.abs(fraction) >= 0.001 || fraction === 0
    ? percentText(fraction)
    : `${numberText(Number((fraction * 100).toPrecision(3)))} %`;
}

interface FallenPart extends Pick<MoneyPart, 'noShares' | 'group'> {
  readonly measures: Pick<CurrencyMeasures, 'worstFalls' | 'start' | 'currency'> & {
    readonly drawn: Pick<CurrencyMeasures['drawn'], 'times'>;
  };
}

/** The deepest falls of equity; in money where shares of it say nothing. */
export function drawdownTable({ measures, noShares, group }: FallenPart): readonly ReportTable[] {
  const { worstFalls, start, currency, drawn } = measures;
  const lastTime = drawn.times.at(-1) ?? 0;
  if (worstFalls.length === 0) return [];
  const depth = (peak: number, trough: number): string[] => [
    ...(noShares === undefined ? [smallPercent((peak - trough) / (start + peak))] : []),
    numberText(peak - trough),
  ];
  return [
    {
      title: `Deepest drawdowns${group === undefined ? '' : `, ${group}`}`,
      definition:
        'Falls of equity from a peak until it was back: when they began, were deepest and were over, and how long each took.',
      columns: [
        'from',
        'deepest',
        'recovered',
        ...(noShares === undefined ? ['depth'] : []),
        `depth, ${currency}`,
        'length',
      ],
      words: 3,
      rows: worstFalls.map(({ peak, trough, from, deepestAt, to }) => [
        timeText(from),
        timeText(deepestAt),
        to === undefined ? 'not before the end' : timeText(to),
        ...depth(peak, trough),
        durationText((to ?? lastTime) - from),
      ]),
    },
  ];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Growth of equity by calendar month (UTC) and year; without a known start there is no table. */
export function monthTable(
  { days: { times, equity }, start }: Pick<CurrencyMeasures, 'days' | 'start'>,
  group: string | undefined,
): readonly ReportTable[] {
  if (Number.isNaN(start) || times.length === 0) return [];
  const rows: string[][] = [];
  let row: string[] | undefined;
  let yearStart = start;
  let monthStart = start;
  for (const [i, value] of equity.entries()) {
    const [year, month] = monthOf(times[i] as number);
    const next = i + 1 < times.length ? monthOf(times[i + 1] as number) : undefined;
    if (next?.[0] === year && next[1] === month) continue;
    if (row === undefined) {
      row = [String(year), ...months.map(() => ''), ''];
      rows.push(row);
    }
    row[month + 1] = percentText(value / monthStart - 1);
    row[13] = percentText(value / yearStart - 1);
    monthStart = value;
    if (next?.[0] === year) continue;
    yearStart = value;
    row = undefined;
  }
  return [
    {
      title: `Return by month${group === undefined ? '' : `, ${group}`}`,
      definition:
        'Growth of equity from the end of one calendar month (UTC) to that of the next; the first from the start.',
      columns: ['year', ...months, 'year'],
      heat: 'signed',
      rows,
    },
  ];
}

/** A sample at midnight belongs to the day before: the last bar of a month ends at the first of the next. */
function monthOf(time: number): readonly [year: number, month: number] {
  const date = new Date(Math.ceil(time / 1_000) - 1);
  return [date.getUTCFullYear(), date.getUTCMonth()];
}
