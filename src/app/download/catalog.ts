import { nearest } from '../../core/base/nearest.ts';
import { presets } from '../../venues/hitbtc/addresses.ts';

/** A kind of data, as `--kind` names it. */
export const downloadKinds = [
  'klines',
  'trades',
  'aggTrades',
  'bookTicker',
  'funding',
  'prices',
  'markPrice',
  'indexPrice',
  'premiumIndex',
  'openInterest',
] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** Form in which data are kept: the file of candles or values as it is, or a pack. */
export type KeptAs = 'file' | 'pack';

/** A kind of a public archive: where its files lie, and how they are named. */
export interface ArchiveKind {
  readonly kind: DownloadKind;
  /** Folder of the archive; in names of files too, where there is no period. */
  readonly folder: string;
  readonly hasPeriod: boolean;
  /** Spans that the archive has files of. */
  readonly spans: 'days and months' | 'months';
  readonly keptAs: KeptAs;
}

/** A kind of data that an API has the history of. */
export interface ApiKind {
  readonly kind: DownloadKind;
  readonly hasPeriod: boolean;
  readonly keptAs: KeptAs;
}

/** A place that history is downloaded from. */
export type DownloadSource =
  | {
      readonly type: 'archive';
      readonly name: string;
      readonly address: string;
      /** Path below the address. */
      readonly root: string;
      readonly kinds: readonly ArchiveKind[];
      readonly periods: readonly string[];
    }
  | {
      readonly type: 'api';
      readonly name: string;
      /** `undefined`: it must be said. */
      readonly address: string | undefined;
      readonly kinds: readonly ApiKind[];
      readonly periods: readonly string[];
    };

const candleFile = { hasPeriod: true, spans: 'days and months', keptAs: 'file' } as const;
const tradeFile = { hasPeriod: false, spans: 'days and months', keptAs: 'pack' } as const;

const spotKinds: readonly ArchiveKind[] = [
  { kind: 'klines', folder: 'klines', ...candleFile },
  { kind: 'trades', folder: 'trades', ...tradeFile },
  { kind: 'aggTrades', folder: 'aggTrades', ...tradeFile },
];
const futuresKinds: readonly ArchiveKind[] = [
  ...spotKinds,
  { kind: 'bookTicker', folder: 'bookTicker', ...tradeFile },
  { kind: 'funding', folder: 'fundingRate', hasPeriod: false, spans: 'months', keptAs: 'file' },
  { kind: 'markPrice', folder: 'markPriceKlines', ...candleFile },
  { kind: 'indexPrice', folder: 'indexPriceKlines', ...candleFile },
];

const apiKinds: readonly ApiKind[] = [
  { kind: 'klines', hasPeriod: true, keptAs: 'file' },
  { kind: 'trades', hasPeriod: false, keptAs: 'pack' },
  { kind: 'funding', hasPeriod: false, keptAs: 'file' },
  { kind: 'prices', hasPeriod: true, keptAs: 'file' },
  { kind: 'markPrice', hasPeriod: true, keptAs: 'file' },
  { kind: 'indexPrice', hasPeriod: true, keptAs: 'file' },
  { kind: 'premiumIndex', hasPeriod: true, keptAs: 'file' },
  { kind: 'openInterest', hasPeriod: true, keptAs: 'file' },
];

const futuresPeriods = '1m 3m 5m 15m 30m 1h 2h 4h 6h 8h 12h 1d 3d 1w 1M'.split(' ');

/** Periods of the API by the names that they have here. Source: API v3, "Candles". */
export const apiPeriods = {
  '1m': 'M1',
  '3m': 'M3',
  '5m': 'M5',
  '15m': 'M15',
  '30m': 'M30',
  '1h': 'H1',
  '4h': 'H4',
  '1d': 'D1',
  '1w': 'D7',
  '1M': '1M',
} as const;
export type ApiPeriodName = keyof typeof apiPeriods;

/** Source: github.com/binance/binance-public-data, "Where do I access it". */
const archiveAddress = 'https://data.binance.vision';

/** Every place by its name; the last one has no address of its own. */
export const downloadSources: readonly DownloadSource[] = [
  {
    type: 'archive',
    name: 'binance',
    address: archiveAddress,
    root: 'data/spot',
    kinds: spotKinds,
    periods: ['1s', ...futuresPeriods],
  },
  {
    type: 'archive',
    name: 'binance-um',
    address: archiveAddress,
    root: 'data/futures/um',
    kinds: futuresKinds,
    periods: futuresPeriods,
  },
  {
    type: 'archive',
    name: 'binance-cm',
    address: archiveAddress,
    root: 'data/futures/cm',
    kinds: futuresKinds,
    periods: futuresPeriods,
  },
  ...[...Object.entries(presets), ['custom', undefined] as const].map(([name, preset]): DownloadSource => ({
    type: 'api',
    name,
    address: preset?.base_url,
    kinds: apiKinds,
    periods: Object.keys(apiPeriods),
  })),
];

/** One sentence on the name of a place that is none; `undefined` for the name of one. */
export function sourceFault(name: string): string | undefined {
  const names = downloadSources.map((one) => one.name);
  return names.includes(name) ? undefined : expected('a venue', name, names);
}

/** One sentence on a kind of data that a place does not have; `undefined` for one that it has. */
export function kindFault({ name, kinds }: DownloadSource, kind: string): string | undefined {
  const names = kinds.map((one) => one.kind);
  if (names.some((one) => one === kind)) return undefined;
  return expected(`a kind of data that ${name} has`, kind, names);
}

/** One sentence on a period that a place does not have; `undefined` for one that it has. */
export function periodFault({ name, periods }: DownloadSource, period: string): string | undefined {
  return periods.includes(period) ? undefined : expected(`a period that ${name} has`, period, periods);
}

/** The name that a period has here: `M1` of the API is `1m`. */
export function periodName(text: string): string {
  return Object.entries(apiPeriods).find(([, own]) => own === text)?.[0] ?? text;
}

function expected(what: string, found: string, names: readonly string[]): string {
  const near = nearest(found, names);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `expected ${what} (${names.join(', ')}), found ${found}${hint}`;
}
