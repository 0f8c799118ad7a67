import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { PartialRecording } from '../../../../src/data/formats/partial-recording.ts';
import { openData } from '../../../../src/data/open/market-data.ts';
import { featherFile } from '../support/feather-files.ts';
import { candleLine, candlesOf, written } from '../support/tables.ts';

const linesOf = async (path: string): Promise<readonly string[]> =>
  (await candlesOf(await openData(path))).map(candleLine);

describe('a feather file', () => {
  test('is read in every batch, whichever way it is packed', async () => {
    const lines = await linesOf(written('BTC_USDT-5m.feather', featherFile('batches')));
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('2024-01-01T00:25:00.000Z 42015 42030 42010 42025 0.5');
    const zstd = await linesOf(written('ETH_USDT-5m.feather', featherFile('futures')));
    expect(zstd).toEqual(lines.slice(0, 3));
  });

  test('that is cut short is refused in one sentence, and keeps the batches before the cut when it is imported', async () => {
    const whole = featherFile('batches');
    const path = written('CUT_USDT-5m.feather', whole.subarray(0, whole.length * 0.6));
    const sentence = /CUT_USDT-5m\.feather: expected a whole feather file \(Arrow IPC\), found: .*cut short/;
    await expect(openData(path)).rejects.toThrow(sentence);
    const partial = new PartialRecording(await openData(path, { partial: true }));
    const kept = await candlesOf(partial);
    expect(kept.length).toBeGreaterThanOrEqual(2);
    expect(kept.length).toBeLessThan(6);
    expect(partial.findings.join()).toMatch(/partial: stopped at .*cut short/);
    for (const bytes of [6, 20, 900])
      await expect(openData(written('CUT_USDT-5m.feather', whole.subarray(0, bytes)))).rejects.toThrow(
        sentence,
      );
  });

  test('of another table is refused with the columns it has', async () => {
    const path = written('BTC_USDT-5m.feather', featherFile('candles'));
    const columns = { time: 'date', price: 'last', quantity: 'volume' };
    await expect(openData(path, { columns })).rejects.toThrow(
      /expected a header with date, last, volume, found "date,open,high,low,close,volume"/,
    );
    const changed = Buffer.from(
      featherFile('candles').toString('latin1').replaceAll('close', 'cloze'),
      'latin1',
    );
    await expect(openData(written('BTC_USDT-5m.feather', changed))).rejects.toThrow(
      /expected columns of bars \(date, open, high, low, close, volume\) or of trades .* found date, open, high, low, cloze, volume; say which column is what with --columns/,
    );
  });

  test('of version 1, or packed once more, is refused with what to do', async () => {
    const old = written('BTC_USDT-5m.feather', Buffer.from('FEA1\0\0\0\0FEA1'));
    await expect(openData(old)).rejects.toThrow(
      /expected feather of version 2, found version 1; write it again/,
    );
  });

  test('with damage inside names the file, and never gives a wrong number', async () => {
    const whole = featherFile('candles');
    const want = await linesOf(written('BTC_USDT-5m.feather', whole));
    for (let at = 8; at < whole.length - 10; at += 397) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] as number) ^ 0x55;
      const found = await linesOf(written('BTC_USDT-5m.feather', broken)).catch(String);
      if (typeof found === 'string') expect(found).toContain('BTC_USDT-5m.feather');
      else expect(found.length).toBeLessThanOrEqual(want.length);
    }
  });

  test('of funding rates, and a workbook of Excel, are refused by what they are', async () => {
    const rates = written('BTC_USDT_USDT-8h-funding_rate.feather', featherFile('candles'));
    await expect(openData(rates)).rejects.toThrow(/expected candles, found the funding rates of Freqtrade/);
    const workbook = zipSync({
      '[Content_Types].xml': Buffer.from('<Types/>'),
      'xl/workbook.xml': Buffer.from('<w/>'),
    });
    await expect(openData(written('BTCUSD.xlsx', workbook))).rejects.toThrow(
      /BTCUSD\.xlsx: expected data, found a workbook of Excel; save its sheet as CSV/,
    );
  });
});
