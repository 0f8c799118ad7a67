import { parquetWriteBuffer } from 'hyparquet-writer';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { OpenOptions } from '../../../src/data/formats/format.ts';
import { GradeCollector, gradeTitle } from '../../../src/data/grade/grade.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import { PartialRecording } from '../../../src/data/formats/partial-recording.ts';
import { scratchPath, written } from './support/tables.ts';

/** What is kept of data, or the sentence of the refusal. */
interface Kept {
  readonly events: number;
  readonly symbols: readonly string[];
  readonly letter: string;
  readonly title: string;
  readonly reasons: string;
  /** Where it stopped, if it did. */
  readonly stopped: string;
}

async function keptOf(paths: string | readonly string[], options: OpenOptions = {}): Promise<Kept | string> {
  try {
    const recording = new PartialRecording(await openData(paths, { ...options, partial: true }));
    const grades = new GradeCollector(recording.instruments);
    let events = 0;
    for await (const batch of recording.events()) {
      events += batch.length;
      for (const event of batch) grades.add(event);
    }
    const grade = grades.grade(recording);
    const stopped = recording.isPartial ? (recording.findings[0] ?? '') : '';
    const symbols = recording.instruments.all.map(({ symbol }) => symbol);
    const reasons = grade.reasons.join('; ');
    return { events, symbols, letter: grade.letter, title: gradeTitle(grade), reasons, stopped };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const start = 1_672_531_200;

interface Row {
  readonly time: number;
  readonly symbol: string;
  readonly price: string;
  readonly quantity: string;
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    time: start + i,
    symbol: 'BTCUSDT',
    price: `${100 + i}.25`,
    quantity: '2',
  }));

const changed = (at: number, change: Partial<Row>): Row[] =>
  rowsOf(6).map((row, i) => (i === at ? { ...row, ...change } : row));

/** The same trades in three forms. */
const forms = {
  csv: (name: string, rows: readonly Row[]): string => {
    const lines = rows.map(({ time, symbol, price, quantity }) => [time, symbol, price, quantity].join(','));
    return written(`${name}.csv`, ['time,symbol,price,quantity', ...lines, ''].join('\n'));
  },
  binance: (name: string, rows: readonly Row[]): string => {
    const lines = rows.map(({ time, symbol: s, price, quantity }, i) => {
      const T = time * 1_000;
      const [p, q] = [price.padEnd(7, '0'), `${quantity}.000`];
      const data = { e: 'trade', E: T, T, s, t: i + 1, p, q, X: 'MARKET', m: true };
      return `${time}000000 ${JSON.stringify({ stream: `${s.toLowerCase()}@trade`, data })}`;
    });
    return written(`${name}.gz`, gzipSync(`${lines.join('\n')}\n`));
  },
  parquet: (name: string, rows: readonly Row[]): string => {
    const column = (key: keyof Row, type: 'STRING') => ({
      name: key,
      data: rows.map((row) => String(row[key])),
      type,
    });
    const bytes = parquetWriteBuffer({
      columnData: (['time', 'symbol', 'price', 'quantity'] as const).map((key) => column(key, 'STRING')),
    });
    return written(`${name}.parquet`, Buffer.from(bytes));
  },
} as const;
const places = { csv: /csv:5: /, binance: /gz:4: /, parquet: /parquet: row 4: / } as const;

describe.each(['csv', 'binance', 'parquet'] as const)('%s', (form) => {
  const write = forms[form];
  const place = places[form];

  test('a row that is none ends it: what came before is kept, graded C, and says where it stopped', async () => {
    const kept = await keptOf(write('bad', changed(3, { price: 'x' })));
    expect(kept).toMatchObject({ events: 3, letter: 'C', stopped: expect.stringMatching(place) });
    expect((kept as Kept).stopped).toMatch(/^partial: stopped at .*expected .*found /);
    expect((kept as Kept).title).toMatch(/^poor data \(C\): partial: stopped at /);
    expect(await keptOf(write('first', changed(0, { price: 'x' })))).toMatch(/: expected .*found /);
  });

  test('the same data without damage are whole', async () => {
    expect(await keptOf(write('whole', rowsOf(6)))).toMatchObject({ events: 6, letter: 'B', stopped: '' });
  });

  test('an empty file is refused', async () => {
    const path = written(`empty-${form}`, '');
    expect(await keptOf(path)).toBe(`${path}: expected recorded data, found an empty file`);
  });

  test('rows out of order are reported in the grade', async () => {
    const kept = await keptOf(write('order', changed(3, { time: start - 10 })));
    expect(kept).toMatchObject({ events: 6, stopped: '' });
    expect((kept as Kept).reasons).toMatch(/trade before the one above it, sorted|older than the one before/);
  });

  test('rows of two symbols are two instruments', async () => {
    const kept = await keptOf(write('mixed', changed(3, { symbol: 'ETHUSDT' })));
    expect(kept).toMatchObject({ events: 6, symbols: ['BTCUSDT', 'ETHUSDT'], stopped: '' });
  });

  test('a file of another format beside it is refused', async () => {
    const other = forms[form === 'csv' ? 'binance' : 'csv'](`other-${form}`, rowsOf(6));
    expect(await keptOf([write('one', rowsOf(6)), other])).toMatch(
      /: expected (the format \S+, as|.*a Binance raw file)/,
    );
  });

  test('a price off the grid that was given ends it', async () => {
    const rows = changed(3, { price: '103.30' });
    const { instruments } = await openData(write('grid', rowsOf(6)));
    const path = write('off', rows);
    const specs = instruments.all.map(({ spec }) => ({ ...spec, tickSize: '0.25' }));
    const kept = await keptOf(path, { instruments: specs });
    expect(kept).toMatchObject({ events: 3, letter: 'C', stopped: expect.stringMatching(place) });
  });
});

describe('files that end too early', () => {
  test('a packed text keeps the lines that could be unpacked', async () => {
    const whole = readFileSync(forms.binance('long', rowsOf(20_000)));
    const kept = await keptOf(written('cut.gz', whole.subarray(0, whole.length - 20_000)));
    expect((kept as Kept).events).toBeGreaterThan(1_000);
    expect((kept as Kept).events).toBeLessThan(20_000);
    expect((kept as Kept).stopped).toMatch(
      /cut\.gz: expected a whole packed file, found: .*cut short or damaged: fetch it again/,
    );
  });

  test('a text keeps the rows before the one that was cut', async () => {
    const path = written('cut.csv', 'time,symbol,price,quantity\n1672531200,A,1.5,2\n1672531201,A,1');
    expect(await keptOf(path)).toMatchObject({
      events: 1,
      stopped: expect.stringMatching(/cut\.csv:3: expected the quantity in column 3 .*found 3 columns/),
    });
  });

  test('a Parquet file has its index at the end, so nothing can be kept', async () => {
    const whole = readFileSync(forms.parquet('end', rowsOf(6)));
    expect(await keptOf(written('end-cut.parquet', whole.subarray(0, -10)))).toMatch(
      /end-cut\.parquet: expected a whole Parquet file, found: /,
    );
  });
});

describe('a line without end', () => {
  const endless = Buffer.alloc(33 * 1024 * 1024, '1');

  test('is refused before it fills the memory, and what came before is kept', async () => {
    const csv = Buffer.from('time,symbol,price,quantity\n1672531200,A,1.5,2\n');
    expect(await keptOf(written('endless.csv', Buffer.concat([csv, endless])))).toMatchObject({
      events: 1,
      stopped: expect.stringMatching(/endless\.csv:3: expected a line of at most 33554432 bytes/),
    });
    const line = Buffer.from(
      '1672531200000000 {"stream":"a@trade","data":{"e":"trade","E":1672531200000,"T":1672531200000,"s":"AUSDT","t":1,"p":"1.5","q":"2","X":"MARKET","m":true}}\n',
    );
    const packed = gzipSync(Buffer.concat([line, endless]), { level: 1 });
    expect(await keptOf(written('endless.gz', packed))).toMatchObject({
      events: 1,
      stopped: expect.stringMatching(/endless\.gz:2: expected a line of at most 33554432 bytes/),
    });
  });
});

test('data that are damaged are still refused where only the whole was asked for', async () => {
  const path = forms.csv('strict', changed(3, { price: 'x' }));
  await expect(openData(path)).rejects.toThrow(/strict\.csv:5: /);
  expect(scratchPath('strict.csv')).toBe(path);
});
