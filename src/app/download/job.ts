import { BadInput } from '../../core/base/errors.ts';
import { PartialRecording, isPartialFinding } from '../../data/formats/index.ts';
import { openData, seriesIn } from '../../data/open/market-data.ts';
import type { DownloadKind, KeptAs } from './catalog.ts';
import type { DownloadFolder, TimeSpan } from './folder.ts';
import type { FolderPacks, Packed } from './pack.ts';
import { RowCount } from './pack.ts';
import type { DownloadProgress } from './progress.ts';

/** One download: what is wanted, and where it is kept. */
export interface DownloadJob {
  readonly symbol: string;
  readonly kind: DownloadKind;
  readonly keptAs: KeptAs;
  /** Period of candles, by its name here: `1m`. */
  readonly period: string | undefined;
  readonly span: TimeSpan;
  readonly folder: DownloadFolder;
  readonly packs: FolderPacks;
  readonly progress: DownloadProgress;
  readonly signal: AbortSignal;
}

/** Reason why a download ended early; `undefined` for one that came to its end. */
export type Ended = string | undefined;

/** Kinds whose files hold candles of prices, which are looked through before they are kept. */
const candleKinds: ReadonlySet<DownloadKind> = new Set(['klines', 'prices', 'markPrice', 'indexPrice']);

/**
 * Looks through a file of candles as `backtest` reads it, and says where it could not be read on. Of a series rows are counted. Rejects with
 * `BadInput` where nothing can be read.
 */
export async function checkedFile({ kind }: DownloadJob, path: string): Promise<Packed> {
  if (!candleKinds.has(kind)) return { rows: await seriesRows(path), partial: undefined };
  const recording = new PartialRecording(await openData([path], { partial: true }));
  const counted = new RowCount();
  for await (const batch of counted.watch(recording.events())) void batch;
  if (counted.rows === 0) throw new BadInput(`${path}: expected candles, found none`);
  return { rows: counted.rows, partial: recording.findings.find(isPartialFinding) };
}

/** Number of rows of a series, where the file is one. */
async function seriesRows(path: string): Promise<number> {
  const found = await seriesIn([path], {});
  let rows = 0;
  if (found !== undefined) for await (const batch of found.series.read(path, {})) rows += batch.length;
  return rows;
}
