/** Writes the files of `backtest/feeds/apart` again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { apartFiles } from './apart-feeds.ts';
import { rawLines } from './source-files.ts';

const folder = new URL('../../backtest/feeds/apart/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, file] of Object.entries(apartFiles()))
  writeFileSync(new URL(name, folder), gzipSync(rawLines(file).join('\n'), { level: 9 }));
