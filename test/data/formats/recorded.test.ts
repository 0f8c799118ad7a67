import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { eventsOf, levelsOf } from './support/files.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));
const present = existsSync(shared);
if (!present)
  process.stderr.write('the shared recordings are absent: formats are read from made files only\n');

describe.skipIf(!present)('recordings of venues', () => {
  test.each([
    ['books-checksum/okx-v5-20220513.txt.gz', 'okx-v5', 290],
    ['books-checksum/okex-v5-20210722.txt.gz', 'okx-v5', 1_504],
    ['books-checksum/ftx-20210722.txt.gz', 'ftx', 971],
    ['books-checksum/bitget-20220407.futures.txt.gz', 'bitget-v1', 194],
    ['books-checksum/kraken-v1-20210417.txt.gz', 'kraken-v1', 4_269],
  ])('%s is %s, and all its %i checksums are right', async (file, format, checksums) => {
    const recording = await openData(shared + file);
    await eventsOf(recording);
    expect(recording.format).toBe(format);
    expect(recording.proof).toEqual({ checked: checksums, correct: checksums });
    expect(recording.findings).toEqual([]);
  });

  test('a book of 25 levels of Tardis begins as another reader reads it', async () => {
    const file = `${shared}formats/tardis/binance-futures_book_snapshot_25_BTCUSDT.csv`;
    const recording = await openData(file);
    const events = await eventsOf(recording);
    expect(events).toHaveLength(10);
    expect(events[0]).toMatchObject({
      exchangeTime: 1_598_918_403_696_000,
      receiveTime: 1_598_918_403_810_979,
    });
    const levels = levelsOf(events[0], recording);
    expect(levels).toContain('b 11657.07 x 10.896');
    expect(levels).toContain('a 11657.08 x 1.714');
  });

  test('incremental rows and quotes of Tardis begin as another reader reads them', async () => {
    const book = await openData(`${shared}formats/tardis/deribit_incremental_book_L2_BTC-PERPETUAL.csv`);
    const [first, ...others] = await eventsOf(book);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ kind: 'bookSnapshot', exchangeTime: 1_585_699_200_245_000 });
    expect(levelsOf(first, book)).toHaveLength(15);
    expect(levelsOf(first, book)[0]).toBe('a 6421.5 x 18640');
    const quotes = await openData(`${shared}formats/tardis/huobi-dm-swap_quotes_BTC-USD.csv`);
    const [quote] = await eventsOf(quotes);
    expect(quote).toMatchObject({
      exchangeTime: 1_588_291_201_099_000,
      ticker: { bid: 86_292, bidQuantity: 806, ask: 86_293, askQuantity: 5_494 },
    });
  });

  test('the archive of Bybit and the lines of Hyperliquid are read without a gap', async () => {
    const bybit = await openData(`${shared}formats/bybit/2024-12-01_XRPUSDT_ob500.data.zip`);
    expect(await eventsOf(bybit)).toHaveLength(50);
    expect(bybit.findings).toEqual([]);
    const hyperliquid = await openData(`${shared}binance-raw/hyperliquid_btcusd_20250126.gz`);
    const events = await eventsOf(hyperliquid);
    expect(events.filter(({ kind }) => kind === 'bookSnapshot')).toHaveLength(46);
  });
});
