import { mean } from 'simple-statistics';
import { timeText } from '../../../core/base/clock.ts';
import type { FigureKey, ReportFigure, ReportSection, ReportTable } from '../document/index.ts';
import { durationText, moneyText, percentText, ratioText, statistic, figureWith } from '../document/index.ts';
import type { MoneyPart } from './money.ts';
import type { Figure } from '../../statistics/index.ts';
import type { BookedTrip, TradeBook, Summary } from '../fold/index.ts';
import { Decimal } from '../../../core/base/decimal.ts';

/** A slice of fewer trades shows its count and its profit, and no share. */
const sliceMin = 30;

export function tradesSection(parts: readonly MoneyPart[], book: TradeBook): ReportSection {
  const figures = parts.flatMap(({ measures, statistics, group }) => {
    const { trades } = statistics;
    const money = moneyText(measures.currency);
    const one = (key: FigureKey, figure: Figure, print: (value: number) => string): ReportFigure =>
      statistic(key, figure, print, group);
    const count = (key: FigureKey, value: number): ReportFigure =>
      figureWith(key, String(value), { number: value, group });
    return [
      count('trades.count', trades.count),
      one('trades.winRate', trades.winRate, percentText),
      one('trades.winAverage', trades.winAverage, money),
      one('trades.winMedian', trades.winMedian, money),
      one('trades.lossAverage', trades.lossAverage, money),
      one('trades.lossMedian', trades.lossMedian, money),
      one('trades.payoff', trades.payoff, ratioText),
      count('trades.winsInARow', trades.winsInARowMax),
      count('trades.lossesInARow', trades.lossesInARowMax),
      one('trades.holding', trades.spanAverage, durationText),
      one('trades.holdingMax', trades.spanMax, durationText),
    ];
  });
  const open = figureWith('trades.open', String(book.openCount), { number: book.openCount });
  const tables = parts.flatMap(({ measures, group }) =>
    slices.flatMap(([title, of]) =>
      sliceTable(title, measures.trips, { of, currency: measures.currency, group }),
    ),
  );
  return { key: 'trades', title: 'Trades', figures: [...figures, open], tables };
}

const slices: readonly (readonly [string, (trip: BookedTrip) => string])[] = [
  ['side', ({ side }) => side],
  ['symbol', ({ symbol }) => symbol],
  ['strategy', ({ strategy }) => strategy],
  ['exit', ({ exitReason }) => exitReason],
  ['hour (UTC)', ({ to }) => timeText(to).slice(11, 13)],
];

function sliceTable(
  title: string,
  trips: readonly BookedTrip[],
  how: {
    readonly of: (trip: BookedTrip) => string;
    readonly currency: string;
    readonly group: string | undefined;
  },
): ReportTable[] {
  const { of, currency, group } = how;
  const sliced = new Map<string, BookedTrip[]>();
  for (const trip of trips) {
    const key = of(trip);
    const slice = sliced.get(key);
    if (slice === undefined) sliced.set(key, [trip]);
    else slice.push(trip);
  }
  if (sliced.size === 0) return [];
  const money = moneyText(currency);
  const names = [...sliced.keys()].toSorted();
  return [
    {
      title: `By ${title}${group === undefined ? '' : `, ${group}`}`,
      definition: `Closed trades by ${title}. The win rate needs ${sliceMin} trades.`,
      columns: [title, 'trades', 'win rate', 'net profit', 'average', 'holding time'],
      rows: names.map((name) => sliceRow(name, sliced.get(name) ?? [], money)),
    },
  ];
}

function sliceRow(name: string, trips: readonly BookedTrip[], money: (value: number) => string): string[] {
  const nets = trips.map(({ net }) => net);
  const wins = nets.filter((net) => net > 0).length;
  const total = nets.reduce((sum, net) => sum + net, 0);
  return [
    name,
    String(trips.length),
    trips.length < sliceMin ? `N/A (${trips.length} of ${sliceMin})` : percentText(wins / trips.length),
    money(total),
    money(total / trips.length),
    durationText(mean(trips.map(({ from, to }) => to - from))),
  ];
}

/** A list of more closed trades is no part of a report: all are in the CSV. */
const listedMax = 3_000;

const columns = [
  'opened',
  'closed',
  'symbol',
  'strategy',
  'side',
  'exit',
  'quantity',
  'entry price',
  'exit price',
  'gross',
  'fees',
  'net profit',
  'currency',
  'return',
] as const;

/** Every closed trade that is known, one a line, oldest first; times in UTC, holding time in seconds. */
export function closedTradesCsv(summary: Summary): string {
  const trips = summary.details?.trades.trips ?? [];
  const lines = trips.map((trip) =>
    [...cells(trip, summary), plainText(trip.share), String((trip.to - trip.from) / 1_000_000)]
      .map(cellText)
      .join(','),
  );
  const head = [...columns, 'holding seconds'].map((name) => name.replaceAll(' ', '_')).join(',');
  return `${[head, ...lines].join('\n')}\n`;
}

/** All closed trades, oldest first; where they are too many, none, and a title that says where they are. */
export function tradeTable(summary: Summary): readonly ReportTable[] {
  const trips = summary.details?.trades.trips ?? [];
  if (trips.length === 0) return [];
  const isListed = trips.length <= listedMax;
  return [
    {
      title: isListed
        ? 'Closed trades'
        : `Closed trades: all ${trips.length} are in trades.csv beside the report`,
      definition: 'From the first fill of a position to the fill that closed it, with average prices.',
      columns: [...columns, 'holding time'],
      words: 6,
      rows: (isListed ? trips : []).map((trip) => [
        ...cells(trip, summary),
        percentText(trip.share),
        durationText(trip.to - trip.from),
      ]),
    },
  ];
}

function cells(trip: BookedTrip, summary: Summary): readonly string[] {
  const { symbol, strategy, side, exitReason, quantity, entry, exit, gross, fees, net } = trip;
  const { quoteCurrency } = summary.instruments.get(symbol).spec;
  const money = [quantity, entry, exit, gross, fees, net].map(plainText);
  const [opened, closed] = [trip.from, trip.to].map((time) => timeText(time));
  return [opened ?? '', closed ?? '', symbol, strategy, side, exitReason, ...money, quoteCurrency];
}

/** Twelve digits that mean something, without an exponent. */
function plainText(value: number): string {
  return Number.isFinite(value) ? new Decimal(value.toPrecision(12)).toFixed() : '';
}

function cellText(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
