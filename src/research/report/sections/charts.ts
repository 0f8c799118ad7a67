import { numberText } from '../document/index.ts';
import { markoutSeconds, histogramOf, downsampled, pixelRanges, withMarks } from '../fold/index.ts';
import type { MarkoutKind, Reservoir, RunDetails, FillMark } from '../fold/index.ts';
import type { DrawnMoney, CurrencyMeasures } from '../figures/index.ts';
import type { MoneyPart } from './money.ts';
import type { ChartSeries, ReportChart } from '../document/index.ts';
import { calendarOfRun, dailyReturns } from '../figures/index.ts';
import { sharpeRatio, perDay } from '../../statistics/index.ts';

const symbolsMax = 4;

/** Every chart of a report, in reading order. What has nothing to show is left out. */
export function chartsOf(parts: readonly MoneyPart[], details: RunDetails): readonly ReportChart[] {
  const { orders } = details;
  return [
    ...priceCharts(details),
    ...parts.flatMap((part) => moneyCharts(part)),
    ...parts.flatMap((part) => rollingSharpeChart(part)),
    ...inventoryCharts(details),
    ...parts.flatMap((part) => tradeCharts(part)),
    ...markoutChart(details),
    ...(details.onBars && !varies(orders.timeToFill)
      ? []
      : histogram('time-to-fill', 'Time to fill', orders.timeToFill)),
    ...(details.onBars ? [] : histogram('acknowledgement', 'Acknowledgement latency', orders.acknowledged)),
  ];
}

/** On bars most orders meet the price they were decided at: that is no picture. */
function varies(of: Reservoir): boolean {
  const sorted = of.sorted();
  return sorted[0] !== sorted.at(-1);
}

function priceCharts({ timeline, followed, trades, onBars }: RunDetails): readonly ReportChart[] {
  const traded = followed.filter(({ symbol }) => trades.marks.some((mark) => mark.symbol === symbol));
  const shown = (traded.length > 0 ? traded : followed).slice(0, symbolsMax);
  return shown.flatMap(({ symbol, spec }) => {
    const prices = timeline.column(`price ${symbol}`);
    const rows = downsampled(prices, timeline.numbers);
    const marks = trades.marks.filter((mark) => mark.symbol === symbol);
    const { x, carried, marked } = withMarks(
      rows.map((row) => timeline.times[row] as number),
      marks,
    );
    if (x.length < 2) return [];
    const column = (name: string): (number | null)[] => {
      const values = timeline.column(`${name} ${symbol}`);
      return carried.map((row) => (row < 0 ? null : plain(values[rows[row] as number])));
    };
    const fills = (side: 'buy' | 'sell'): ChartSeries => {
      const of = (value: (mark: FillMark) => number): (number | null)[] =>
        marked.map((mark) => (mark?.side === side ? plain(value(mark)) : null));
      return {
        label: side === 'buy' ? 'bought' : 'sold',
        tone: side,
        form: 'points',
        values: of(({ price }) => price),
        counts: of(({ count }) => count),
        quantities: of(({ quantity }) => quantity),
      };
    };
    const series: readonly ChartSeries[] = [
      { label: 'price', tone: 'main', form: onBars ? 'line' : 'step', values: column('price') },
      { label: 'own bid', tone: 'buy', form: 'step', values: column('bid') },
      { label: 'own ask', tone: 'sell', form: 'step', values: column('ask') },
      fills('buy'),
      fills('sell'),
    ];
    const shown = series.filter(({ values }) => values.some((value) => value !== null));
    if (shown.length === 0) return [];
    const price = onBars ? 'The price at the end of each bar' : 'Mid price (else the last trade)';
    return [
      {
        id: `price-${symbol}`,
        title: `${symbol}: price, own quotes, own fills`,
        definition: `${price}, the best price of our resting orders on each side, and our fills. Fills of one side that fall on one pixel are one marker, at their average price.`,
        axis: 'time' as const,
        xLabel: 'time (UTC)',
        // The price of an inverse contract is in a currency it is not settled in.
        yLabel: spec.inverse === true ? '' : spec.quoteCurrency,
        x: x.map((time) => time / 1_000_000),
        series: shown,
      } satisfies ReportChart,
    ];
  });
}

function moneyCharts(part: MoneyPart): readonly ReportChart[] {
  const { measures, noShares } = part;
  const { currency, drawn, start } = measures;
  const { profits, peaks, numbers } = drawn;
  const rows = downsampled(profits, numbers);
  if (rows.length < 2) return [];
  const { common, picked } = drawing(drawn, rows);
  const below = profits.map((profit, i) => {
    const peak = peaks[i] as number;
    return noShares === undefined
      ? ((start + profit) / (start + peak) - 1) * 100
      : profit - Math.max(0, peak);
  });
  const deep = drawing(drawn, downsampled(below, numbers));
  return [
    {
      ...common,
      id: `profit-${currency}`,
      title: `Net profit in ${currency}`,
      definition: 'Net profit so far, fees taken off, positions at market value.',
      yLabel: currency,
      series: [{ label: 'net profit', tone: 'main', form: 'area', values: picked(profits) }],
    },
    { ...common, ...againstHold(part, picked) },
    {
      ...deep.common,
      id: `underwater-${currency}`,
      title: `Underwater, ${currency}`,
      definition: 'How far equity stands below its peak so far.',
      yLabel: noShares === undefined ? '%' : currency,
      series: [{ label: 'below the peak', tone: 'loss', form: 'area', values: deep.picked(below) }],
    },
  ];
}

/** Rows of columns on an axis of time. */
function drawing({ times }: DrawnMoney, rows: readonly number[]) {
  const x = rows.map((row) => (times[row] as number) / 1_000_000);
  const picked = (values: readonly number[]): (number | null)[] => rows.map((row) => plain(values[row]));
  return { common: { axis: 'time', xLabel: 'time (UTC)', x } as const, picked };
}

/** Growth against that of the price; in money where shares say nothing. */
function againstHold(
  { measures, noShares }: MoneyPart,
  picked: (values: readonly number[]) => (number | null)[],
): Pick<ReportChart, 'id' | 'title' | 'definition' | 'yLabel' | 'series'> {
  const { currency, start, hold: { symbol = '', first = Number.NaN } = {}, drawn } = measures;
  const { profits, hold, holdProfits, holdQuantity } = drawn;
  const lines = (label: string, own: readonly number[], held: readonly number[]): ChartSeries[] => [
    { label, tone: 'main', form: 'line', values: picked(own) },
    { label: `hold ${symbol}`.trim(), tone: 'second', form: 'line', values: picked(held), right: true },
  ];
  const id = `equity-${currency}`;
  if (noShares === undefined)
    return {
      id,
      title: `Equity against hold, ${currency}`,
      definition:
        'Growth of equity since the start (left), and of the price of what is held instead (right axis).',
      yLabel: '%',
      series: lines(
        'equity',
        profits.map((profit) => ((start + profit) / start - 1) * 100),
        hold.map((price) => (price / first - 1) * 100),
      ),
    };
  return {
    id,
    title: `Profit against hold, ${currency}`,
    definition: `Net profit, and what it had brought to hold the largest position (${numberText(holdQuantity)} of ${symbol}) from the first price on (right axis).`,
    yLabel: currency,
    series: lines('net profit', profits, holdProfits),
  };
}

function inventoryCharts({ timeline, followed }: RunDetails): readonly ReportChart[] {
  const charts = followed.map(({ symbol, unit }): ReportChart | undefined => {
    const held = timeline.column(`position ${symbol}`);
    if (held.every((one) => one === 0 || Number.isNaN(one))) return undefined;
    const ranges = pixelRanges(held, timeline.numbers);
    const rows = ranges?.map(({ row }) => row) ?? held.map((_, row) => row);
    const series: readonly ChartSeries[] =
      ranges === undefined
        ? [{ label: 'position', tone: 'second', form: 'step', values: held.map(plain) }]
        : [
            { label: 'highest', tone: 'second', form: 'high', values: ranges.map(({ high }) => plain(high)) },
            { label: 'lowest', tone: 'second', form: 'low', values: ranges.map(({ low }) => plain(low)) },
            { label: 'mean', tone: 'main', form: 'step', values: ranges.map(({ mean }) => plain(mean)) },
          ];
    return {
      id: `inventory-${symbol}`,
      title: `${symbol}: inventory`,
      definition:
        ranges === undefined
          ? 'Our position, positive when long.'
          : 'Our position, positive when long: the mean of every pixel, and between which sizes it went.',
      axis: 'time',
      xLabel: 'time (UTC)',
      yLabel: unit,
      x: rows.map((row) => (timeline.times[row] as number) / 1_000_000),
      series,
    };
  });
  return charts.filter((chart) => chart !== undefined).slice(0, symbolsMax);
}

function markoutChart({ markouts }: RunDetails): readonly ReportChart[] {
  const line = (kind: MarkoutKind, label: string, tone: ChartSeries['tone']): ChartSeries[] => {
    const results = markouts.result(kind).filter(({ seconds }) => seconds > 0);
    if (results.every(({ count }) => count === 0)) return [];
    return [{ label, tone, form: 'line', values: results.map(({ mean }) => plain(mean)) }];
  };
  const all = line('all', 'all fills', 'main');
  if (all.length === 0) return [];
  const makers = line('maker', 'maker', 'buy');
  const takers = line('taker', 'taker', 'sell');
  // Where all fills were of one kind, its curve is that of all.
  const kinds = makers.length > 0 && takers.length > 0 ? [...makers, ...takers] : [];
  return [
    {
      id: 'markout',
      title: 'Markout curve',
      definition:
        'How far the mid had moved our way so long after a fill, from the price of the fill: mean weighted by value. Falling is adverse selection.',
      axis: 'log',
      xLabel: 'seconds after the fill',
      yLabel: 'bp',
      x: markoutSeconds.filter((seconds) => seconds > 0),
      series: [...all, ...kinds],
    },
  ];
}

function histogram(id: string, title: string, of: Reservoir): readonly ReportChart[] {
  const bins = histogramOf(of.sorted());
  if (bins.length === 0) return [];
  return [
    {
      id,
      title,
      definition: `How many orders took how long; ${of.count} in all${of.count > 4_096 ? ', a sample of 4096 is drawn' : ''}. The last bar also holds what took longer.`,
      axis: 'number',
      xLabel: 'ms',
      yLabel: 'orders',
      x: bins.map(({ from, to }) => (from + to) / 2_000),
      series: [{ label: 'orders', tone: 'main', form: 'bars', values: bins.map(({ count }) => count) }],
    },
  ];
}

/** A number for JSON. */
function plain(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(12));
}

/** Fewer trades make no distribution. */
const tradesNeeded = 10;
const binsMax = 24;
/** Microseconds. */
const units = [
  [86_400e6, 'days'],
  [3_600e6, 'h'],
  [60e6, 'min'],
] as const;

/** How the results of closed trades, and their holding times, are spread. */
function tradeCharts({ measures, group }: MoneyPart): readonly ReportChart[] {
  const { trips, currency } = measures;
  if (trips.length < tradesNeeded) return [];
  const of = group === undefined ? '' : `, ${group}`;
  const results = resultBins(trips.map(({ net }) => net));
  const holding = histogramOf(trips.map(({ from, to }) => to - from).toSorted((a, b) => a - b));
  const longest = holding.at(-1)?.to ?? 0;
  const [size, unit] = units.find(([one]) => longest >= 2 * one) ?? [1e6, 's'];
  const common = { axis: 'number', yLabel: 'trades' } as const;
  return [
    {
      ...common,
      id: `results-${currency}`,
      title: `Distribution of trade results${of}`,
      definition: `Net profit of ${trips.length} closed trades, losses and gains apart.`,
      xLabel: currency,
      x: results.map(({ middle }) => middle),
      series: [
        { label: 'losses', tone: 'loss', form: 'bars', values: results.map((one) => one.losses) },
        { label: 'gains', tone: 'buy', form: 'bars', values: results.map((one) => one.gains) },
      ],
    },
    {
      ...common,
      id: `holding-${currency}`,
      title: `Holding times${of}`,
      definition: `From the first fill of a trade to its last, of ${trips.length} closed trades. The last bar also holds what took longer.`,
      xLabel: unit,
      x: holding.map(({ from, to }) => (from + to) / 2 / size),
      series: [{ label: 'trades', tone: 'main', form: 'bars', values: holding.map(({ count }) => count) }],
    },
  ];
}

/** Bars of one width with an edge at 0; a result of exactly 0 is a loss of nothing. */
export function resultBins(
  results: readonly number[],
): readonly { readonly middle: number; readonly losses: number; readonly gains: number }[] {
  const [low, high] = [Math.min(0, ...results), Math.max(0, ...results)];
  const width = (high - low) / binsMax || 1;
  const first = Math.floor(low / width);
  const bins = Array.from({ length: Math.max(1, Math.ceil(high / width) - first) }, (_, i) => ({
    middle: (first + i + 0.5) * width,
    losses: 0,
    gains: 0,
  }));
  for (const result of results) {
    // The edge of a bar belongs to the one that is nearer to 0.
    const at =
      result > 0 ? Math.ceil(result / width) - 1 - first : Math.min(-1, Math.floor(result / width)) - first;
    const bin = bins[Math.max(0, Math.min(bins.length - 1, at))];
    if (bin === undefined) continue;
    if (result > 0) bin.gains += 1;
    else bin.losses += 1;
  }
  return bins;
}

/** Daily returns of a window: a quarter of a year where the run has two of them, else `daysMin`. */
const windowDays = 63;

interface DailyPart extends Pick<MoneyPart, 'noShares' | 'group'> {
  readonly measures: Pick<CurrencyMeasures, 'days' | 'start' | 'options' | 'currency'>;
}

/** The Sharpe ratio of the latest days, day by day. */
export function rollingSharpeChart({ measures, noShares, group }: DailyPart): readonly ReportChart[] {
  const { days, options, currency } = measures;
  const returns = dailyReturns(measures);
  const window = returns.length >= 2 * windowDays ? windowDays : options.daysMin;
  if (noShares !== undefined || returns.length < window + 10) return [];
  const { daysPerYear } = calendarOfRun(measures);
  const riskFree = perDay(options.riskFree, daysPerYear);
  const ends = days.times.slice(-(returns.length - window + 1));
  const values = ends.map((_, i) => {
    const ratio = sharpeRatio(returns.slice(i, i + window), daysPerYear, riskFree);
    return Number.isFinite(ratio) ? Number(ratio.toPrecision(6)) : null;
  });
  return [
    {
      id: `sharpe-${currency}`,
      title: `Rolling Sharpe, ${window} days${group === undefined ? '' : `, ${group}`}`,
      definition: `Sharpe ratio of the latest ${window} daily returns at the end of each day, ${daysPerYear} of them a year.`,
      axis: 'time',
      xLabel: 'time (UTC)',
      yLabel: '',
      x: ends.map((end) => end / 1_000_000),
      series: [{ label: 'Sharpe', tone: 'main', form: 'line', values }],
    },
  ];
}
