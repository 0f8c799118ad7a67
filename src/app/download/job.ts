import { timeText } from '../../core/base/clock.ts';
import type { CandlesChanged } from '../../core/model/event.ts';
import { BadInput } from '../../core/base/errors.ts';
import { PartialRecording, isPartialFinding } from '../../data/formats/index.ts';
import { openData, seriesIn } from '../../data/open/market-data.ts';
import { endOfBar } from '../../sim/fill-models/bars/period.ts';
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
 * Looks through a file of candles as `backtest` reads it: whether all of it can be read, and no candle begins before the one ahead of it
 * has ended. Other files are not opened. Rejects with `BadInput` where nothing can be read.
 */
export async function checkedFile({ kind }: DownloadJob, path: string): Promise<Packed> {
  if (!candleKinds.has(kind)) return { rows: await seriesRows(path), partial: undefined };
  const recording = new PartialRecording(await openData([path], { partial: true }));
  const counted = new RowCount();
  const overlap = new Overlap();
  for await (const batch of counted.watch(recording.events()))
    for (const event of batch) if (event.kind === 'candles') overlap.take(event);
  if (counted.rows === 0) throw new BadInput(`${path}: expected candles, found none`);
  return { rows: counted.rows, partial: recording.findings.find(isPartialFinding) ?? overlap.found };
}

/** Number of rows of a series, where the file is one. */
async function seriesRows(path: string): Promise<number> {
  const found = await seriesIn([path], {});
  let rows = 0;
  if (found !== undefined) for await (const batch of found.series.read(path, {})) rows += batch.length;
  return rows;
}

/** Finds the first candle that begins before the one ahead of it has ended. */
class Overlap {
  #end = 0;
  #begin = 0;
  found: string | undefined;

  take({ candles }: CandlesChanged): void {
    for (const candle of candles) {
      const { time } = candle;
      if (time < this.#end && time !== this.#begin)
        this.found ??= `candles overlap: that of ${timeText(time)} begins before that of ${timeText(this.#begin)} has ended`;
      this.#begin = time;
      this.#end = endOfBar(candle);
    }
  }
}
