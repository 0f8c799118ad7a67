import { numberText } from '../document/index.ts';
import { markoutSeconds, histogramOf, downsampled, pixelRanges, withMarks } from '../fold/index.ts';
import type { MarkoutKind, Reservoir, RunDetails, FillMark } from '../fold/index.ts';
import type { DrawnMoney } from '../figures/index.ts';
import type { MoneyPart } from './money.ts';
import type { ChartSeries, ReportChart } from '../document/index.ts';
import { rollingSharpeChart, tradeCharts } from './result-charts.ts';

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
