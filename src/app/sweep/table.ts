import { columnWidths, displayWidth, padLeft } from '../../core/base/display-width.ts';
import { colorOf, headLines } from '../../research/report/index.ts';
import type { HeatMap, Space } from '../../research/search/index.ts';
import { secondsPerDay } from './figures.ts';
import type { SweepResult, SweepRow } from './result.ts';

/** Figures that are money. */
const moneyFigures: ReadonlySet<string> = new Set(['profit', 'fees', 'turnover', 'drawdown', 'profitPerDay']);
const figuresShown = ['profit', 'sharpe', 'drawdown', 'fills'] as const;
const steps: Readonly<Record<number, string>> = { 1: 'a second', 60: 'a minute', 3_600: 'an hour' };

/** The best points as a table, what failed, and the map of the first two parameters. */
export function renderSweep(result: SweepResult, space: Space, colours: boolean): string {
  const color = colorOf(colours);
  const { columns, rows } = bestTable(result, space);
  const { tried, stored, failed, withoutValue } = result.trials;
  const lines = [
    color(`${result.name}: ${tried} trials, best ${result.best.length} by ${result.objective}`, 'strong'),
    ...headLines(result, color),
    ...table([columns, ...rows]).map((line, index) => (index === 0 ? color(line, 'dim') : line)),
    ...(stored > 0
      ? [`${stored === 1 ? '1 result' : `${stored} results`} stood in ${result.store} already`]
      : []),
    ...(failed > 0
      ? [color(`${failed} trials failed, the first: ${result.failures[0]?.why ?? ''}`, 'bad')]
      : []),
    ...(withoutValue > 0 ? [`${withoutValue} trials have no ${result.objective}: too little behind it`] : []),
    ...remarksOf(result).map((remark) => `note: ${remark}`),
    ...result.notes.map((note) => `note: ${note}`),
  ];
  const map = result.heatMaps.find(({ cells }) => cells.flat().some((value) => value !== null));
  return [...lines, ...(map === undefined ? [] : ['', ...renderMap(map, result.objective)])].join('\n');
}

/** The best points: rank, parameters, objective, and what else people look at first. */
export function bestTable(
  result: SweepResult,
  space: Space,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const names = space.dimensions.map(({ name }) => name);
  const headOf = (figure: string): string =>
    moneyFigures.has(figure) ? inCurrency(figure, result.currency) : figure;
  const isSplit = result.split !== undefined;
  const short = shortSharpe(result);
  const shown = figuresShown.filter(
    (name) => name !== result.objective && (name !== 'sharpe' || short === undefined),
  );
  const columns = [
    '',
    ...names,
    headOf(result.objective),
    ...(isSplit ? ['on the rest'] : []),
    ...shown.map(headOf),
  ];
  const rows = result.best.map((row, index) => [
    String(index + 1),
    ...names.map((name) => String(row.point[name])),
    sixDigits(row.value),
    ...(isSplit ? [sixDigits(row.test?.value)] : []),
    ...shown.map((name) => sixDigits(row.figures[name])),
  ]);
  return { columns, rows };
}

/** Remarks for a reader of the figures. */
export function remarksOf(result: SweepResult): readonly string[] {
  const short = shortSharpe(result);
  return short === undefined ? [] : [short];
}

/** Remark on Sharpe ratios that come of less than days: scaled to a year they are in the hundreds. */
function shortSharpe({ best, objective }: SweepResult): string | undefined {
  const step = best.find(({ figures }) => figures.sharpe !== undefined)?.figures.sharpeStep;
  if (step === undefined || step >= secondsPerDay) return undefined;
  const of = `comes of changes of ${steps[step] ?? `${step} s`}, scaled to a year, because the data is short`;
  return /\bsharpe\b/.test(objective)
    ? `sharpe ${of}: it ranks points on the same data and is no forecast`
    : `sharpe is left out: it ${of} (--json and --csv have it)`;
}

/** The head of a column of money. */
export function inCurrency(head: string, currency: string | undefined): string {
  return currency === undefined ? head : `${head}, ${currency}`;
}

/** All rows as CSV: parameters, objective, figures, failure, currency. */
export function sweepCsv(rows: readonly SweepRow[], space: Space, figures: readonly string[]): string {
  const names = space.dimensions.map(({ name }) => name);
  const head = ['trial', 'share', ...names, 'objective', ...figures, 'failure', 'currency'];
  const lines = rows.map(({ trial, share, point, value, figures: own, failure, currency }) =>
    [
      trial,
      share,
      ...names.map((name) => point[name]),
      value,
      ...figures.map((name) => own[name]),
      failure,
      currency,
    ]
      .map((cell) => csvCell(cell))
      .join(','),
  );
  return `${[head.map(csvCell).join(','), ...lines].join('\n')}\n`;
}

/** Columns of equal width, numbers to the right. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columnWidths(rows);
  return rows.map((row) => row.map((cell, column) => padLeft(cell, widths[column] ?? 0)).join('  '));
}

/** A number for people: six digits. */
export function sixDigits(value: number | undefined): string {
  return value === undefined ? '-' : String(Number(value.toPrecision(6)));
}

const shades = [' ', '░', '▒', '▓', '█'];

/** The map with a shade for each cell: the fuller, the better; a dot where nothing has a value. */
function renderMap({ x, y, columns, rows, cells }: HeatMap, objective: string): readonly string[] {
  const values = cells.flat().filter((value) => value !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const shadeOf = (value: number | null): string => {
    if (value === null) return '·';
    const part = high === low ? 1 : (value - low) / (high - low);
    return shades[Math.min(shades.length - 1, Math.floor(part * shades.length))] ?? ' ';
  };
  const width = Math.max(...rows.map(displayWidth), displayWidth(y));
  return [
    `best ${objective} by ${y} (down) and ${x} (across: ${columns[0] ?? ''} to ${columns.at(-1) ?? ''}), ${sixDigits(low)} to ${sixDigits(high)}`,
    ...rows.map(
      (row, index) =>
        `${padLeft(row, width)} │${(cells[index] ?? []).map((cell) => shadeOf(cell).repeat(3)).join('')}│`,
    ),
  ];
}

function csvCell(cell: string | number | boolean | undefined): string {
  const text = cell === undefined ? '' : String(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
