import { timeText } from '../../core/base/clock.ts';
import { Decimal } from '../../core/base/decimal.ts';
import { durationText, percentText } from './figure-text.ts';
import type { ReportTable } from './document.ts';
import type { Summary } from './summary.ts';
import type { BookedTrip } from './trade-book.ts';

/** So many closed trades stand in the document of a report. */
const listedMax = 1_000;

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
export function tradesCsv(summary: Summary): string {
  const trips = summary.details?.trades.trips ?? [];
  const lines = trips.map((trip) =>
    [...cells(trip, summary), plainText(trip.share), String((trip.to - trip.from) / 1_000_000)]
      .map(cellText)
      .join(','),
  );
  const head = [...columns, 'holding seconds'].map((name) => name.replaceAll(' ', '_')).join(',');
  return `${[head, ...lines].join('\n')}\n`;
}

/** The first closed trades, oldest first, and how many there are. */
export function tradeTable(summary: Summary): readonly ReportTable[] {
  const trips = summary.details?.trades.trips ?? [];
  if (trips.length === 0) return [];
  const left = trips.length - listedMax;
  const rest =
    left > 0 ? `, the first ${listedMax} of ${trips.length}; all are in trades.csv beside the report` : '';
  return [
    {
      title: `Closed trades${rest}`,
      definition: 'From the first fill of a position to the fill that closed it, with average prices.',
      columns: [...columns, 'holding time'],
      words: 6,
      rows: trips
        .slice(0, listedMax)
        .map((trip) => [...cells(trip, summary), percentText(trip.share), durationText(trip.to - trip.from)]),
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
