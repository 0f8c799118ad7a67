import { BadInput } from '../../../core/base/errors.ts';
import type { Recording } from '../../recording/index.ts';
import type { Format, OpenOptions } from '../format.ts';
import { packingOfFile } from '../opened-file.ts';
import { openNamedColumns, tableKindOf } from '../tables/index.ts';
import type { ArrowFile } from './arrow-file.ts';
import { arrowMark, featherOneMark, openArrowFile } from './arrow-file.ts';

/** Feather of version 2, which is an Arrow IPC file: bars and trades of Freqtrade and of other people, by the names of their columns. */
export const feather: Format = {
  name: 'feather',
  columns: true,
  bars: true,
  trades: true,
  looksLike:
    'a feather or Arrow IPC file (BTC_USDT-5m.feather of Freqtrade), packed by lz4, zstd or not at all',
  carries: 'bars or trades',
  detects: ({ text }) => text.startsWith(arrowMark) || text.startsWith(featherOneMark),
  open: openFeather,
};

async function openFeather(paths: readonly string[], options: OpenOptions): Promise<Recording> {
  const files: ArrowFile[] = [];
  for (const path of paths) {
    await checkPlain(path);
    files.push(await openArrowFile(path));
  }
  const [first] = files;
  if (first === undefined) throw new BadInput('expected the path of a feather file, found none');
  const kind = tableKindOf(first.columns, options);
  if (kind === undefined)
    throw new BadInput(
      `${first.path}: expected columns of bars (date, open, high, low, close, volume) or of trades (timestamp, price, amount), found ${first.columns.join(', ').slice(0, 300)}; say which column is what with --columns`,
    );
  const named = files.map((file) => ({ columns: file.columns, source: file }));
  return await openNamedColumns('feather', kind, named, options);
}

/** Its places are looked up, so it is read where it lies. */
async function checkPlain(path: string): Promise<void> {
  const packing = await packingOfFile(path);
  if (packing !== 'plain')
    throw new BadInput(
      `${path}: expected a plain feather file, found one packed by ${packing}; unpack it first`,
    );
}
