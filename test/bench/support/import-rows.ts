import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';

/** A recording beside the repository, for comparisons that must run on the very same files. */
export function recorded(name: string): string {
  return fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
}

/** `godwit data import`, all of it; and how large its packs are, trades and book tickers included. */
export function imports(): readonly Row[] {
  const sets = [
    ['usdm_btcusdt_20240718.gz', 'usdm_btcusdt_20240719.gz'],
    ['usdm_btcusdt_20240808.gz'],
    ['spot_btcusdt_20240808.gz', 'spot_btcusdt_20240809.gz'],
    ['cm_btcusd_perp_20240808.gz', 'cm_btcusd_perp_20240809.gz'],
  ].map((files) => files.map((file) => recorded(`binance-raw/${file}`)));
  const args = sets.map((files) => files.join('+'));
  const ours = { name: 'godwit', file: 'import-ours.ts', args, files: sets.flat() };
  return [
    {
      name: 'import',
      work: 'import of raw Binance lines, whole command in process',
      unit: 'M level changes a core second',
      better: 'greater',
      ours,
      goal: { kind: 'least', value: 2.5 },
      cold: {
        ours: {
          name: 'godwit',
          file: 'command-cold.ts',
          args: ['godwit', 'data', 'import', ...(sets[0] ?? []), '--out', 'one.pack', '--force'],
          files: sets[0] ?? [],
        },
      },
    },
    {
      name: 'import-pack',
      work: 'the packs that come of it, trades and book tickers included',
      unit: 'bytes a level change',
      better: 'smaller',
      ours,
      figure: 'bytesALevelChange',
      goal: { kind: 'most', value: 4.5 },
    },
  ];
}
