import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { zipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Micros } from '../../../src/core/base/clock.ts';
import { later, seconds } from '../../../src/core/base/clock.ts';
import { VirtualClock, startExchange } from '../../../src/exchange/index.ts';
import { ArchiveServer, klinesOf, tradesOf } from '../../support/archive-server.ts';
import { run } from '../cli/support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-download-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const archive = new ArchiveServer();
let address = '';
let out = '';
let count = 0;
beforeAll(async () => {
  address = await archive.start();
});
afterAll(() => archive.stop());
beforeEach(() => {
  archive.requests.length = 0;
  out = join(folder, `run-${(count += 1)}`);
});

const hour = 3_600_000;
const klines = 'spot/daily/klines/BTCUSDT/1h';

async function download(line: string, to = address) {
  return await run(`data download ${line} --address ${to} --out ${out}`);
}

interface List {
  files: { file: string; from: string; to: string; rows: number; partial?: string }[];
  missing: { from: string; to: string; why: string }[];
}

const listIn = (path = out): List => JSON.parse(readFileSync(join(path, 'download.json'), 'utf8')) as List;

describe('from an archive', () => {
  beforeEach(() => {
    for (const day of ['2024-12-30', '2024-12-31', '2025-01-01', '2025-01-02'])
      archive.put(klines, `BTCUSDT-1h-${day}`, klinesOf(day, hour));
  });
  const request = 'binance BTCUSDT --kind klines --period 1h';

  test('candles are kept as they are proved, in milliseconds and microseconds, and read as one recording', async () => {
    const said = await download(`${request} --from 2024-12-30 --to 2025-01-02`);
    expect([said.code, said.out]).toEqual([0, `${out}: 4 files, 96 rows`]);
    expect(said.err.split('\n')).toHaveLength(5);
    expect(said.err).toMatch(/^BTCUSDT-1h-2024-12-30\.zip {2}24 rows, \d+ bytes\n/);
    const inspected = JSON.parse((await run(['data', 'inspect', out, '--json'])).out) as Record<
      string,
      unknown
    >;
    expect(inspected).toMatchObject({
      format: 'binance-klines',
      from: '2024-12-30T01:00:00.000Z',
      till: '2025-01-03T00:00:00.000Z',
      events: { candles: 96 },
      bars: [{ bars: 96, missing: 0, period: 'H1' }],
    });
    const [, command = ''] = /Try it: npx godwit (.*)$/.exec(said.err) ?? [];
    expect(command).toBe(`backtest ${out} --bars --strategy trend --param symbol=BTCUSDT --param period=H1`);
    const span = '--from 2025-01-01 --no-save --no-band --json';
    const ran = await run(`${command} ${span}`);
    expect(ran.err.split('\n').filter((line) => line.startsWith('godwit:'))).toEqual([]);
    const tested = JSON.parse(ran.out) as {
      span: object;
      orders: { filled: number; denied: number };
    };
    expect(tested.span).toMatchObject({ start: '2025-01-01T00:00:00.000Z' });
    expect(tested.orders.filled).toBeGreaterThan(0);
  });

  test('what is there is not fetched again, and a range that overlaps asks for the rest', async () => {
    await download(`${request} --from 2024-12-30 --to 2024-12-31`);
    expect(archive.takeFiles()).toHaveLength(2);
    const again = await download(`${request} --from 2024-12-31 --to 2025-01-01`);
    expect(again.err).toContain('BTCUSDT-1h-2024-12-31.zip  is there already');
    expect(archive.takeFiles()).toEqual([`/data/${klines}/BTCUSDT-1h-2025-01-01.zip`]);
    expect(listIn().files.map(({ file }) => file.slice(11, 21))).toEqual([
      '2024-12-30',
      '2024-12-31',
      '2025-01-01',
    ]);
  });

  test('a file that was cut is gone on with where it ends', async () => {
    archive.fail('2024-12-30.zip', {}, { cutAfter: 100 });
    const said = await download(`${request} --from 2024-12-30 --to 2024-12-30`);
    expect(said.code).toBe(0);
    const files = archive.requests.filter(({ path }) => path.endsWith('2024-12-30.zip'));
    expect(files.map(({ from }) => from)).toEqual([0, 100]);
    // As a process that was killed leaves it.
    const zip = readFileSync(join(out, 'BTCUSDT-1h-2024-12-30.zip'));
    rmSync(join(out, 'BTCUSDT-1h-2024-12-30.zip'));
    writeFileSync(join(out, 'BTCUSDT-1h-2024-12-30.zip.part'), zip.subarray(0, 200));
    archive.requests.length = 0;
    await download(`${request} --from 2024-12-30 --to 2024-12-30`);
    expect(archive.requests.map(({ from }) => from)).toEqual([0, 200]);
  });

  test('a month that is whole is one file, and days where the archive has none of it', async () => {
    const months = 'spot/monthly/klines/BTCUSDT/1h';
    const days = Array.from({ length: 31 }, (_, at) => `2024-10-${String(at + 1).padStart(2, '0')}`);
    archive.put(months, 'BTCUSDT-1h-2024-10', days.map((day) => klinesOf(day, hour)).join(''));
    expect((await download(`${request} --from 2024-10-01 --to 2024-10-31`)).code).toBe(0);
    expect(archive.takeFiles()).toEqual([`/data/${months}/BTCUSDT-1h-2024-10.zip`]);
    expect(listIn().files).toMatchObject([
      { from: '2024-10-01T00:00:00.000Z', to: '2024-11-01T00:00:00.000Z', rows: 744 },
    ]);
    archive.remove(`/data/${months}/BTCUSDT-1h-2024-10.zip`);
    for (const day of days.slice(0, 30)) archive.put(klines, `BTCUSDT-1h-${day}`, klinesOf(day, 12 * hour));
    out = `${out}-days`;
    const said = await download(`${request} --from 2024-10-01 --to 2024-10-31 --rate 1000 --json`);
    expect(said.code).toBe(1);
    expect(JSON.parse(said.out)).toMatchObject({
      complete: false,
      rows: 60,
      missing: [{ from: '2024-10-31T00:00:00.000Z', why: 'the archive has no file of it' }],
    });
  });

  test('a missing day, a wrong checksum and a zip that is cut short are one sentence each, and the rest is kept', async () => {
    archive.remove(`/data/${klines}/BTCUSDT-1h-2024-12-31.zip`);
    archive.putText(`/data/${klines}/BTCUSDT-1h-2025-01-01.zip.CHECKSUM`, `${'0'.repeat(64)}  x.zip\n`);
    const name = 'BTCUSDT-1h-2025-01-02';
    const whole = zipSync({ [`${name}.csv`]: Buffer.from(klinesOf('2025-01-02', hour)) }, { level: 0 });
    archive.putBytes(`/data/${klines}/${name}.zip`, whole.subarray(0, whole.length / 2));
    const said = await download(`${request} --from 2024-12-30 --to 2025-01-02`);
    expect(said.code).toBe(1);
    expect(said.out.split('\n').slice(1)).toEqual([
      'missing  2024-12-31: the archive has no file of it',
      'missing  2025-01-01: BTCUSDT-1h-2025-01-01.zip has another SHA-256 than its .CHECKSUM file says, twice',
      expect.stringMatching(
        /^partial {2}BTCUSDT-1h-2025-01-02\.zip: partial: stopped at .*expected a whole zip/,
      ),
    ]);
    expect(readdirSync(out).toSorted()).toEqual([
      'BTCUSDT-1h-2024-12-30.zip',
      'BTCUSDT-1h-2025-01-02.zip',
      'download.json',
    ]);
    // Whoever reads them hears it.
    const inspected = await run(['data', 'inspect', out]);
    expect(inspected.code).toBe(1);
    expect(inspected.out).toContain('2024-12-31 is missing: the archive has no file of it');
    archive.put(klines, 'BTCUSDT-1h-2024-12-31', klinesOf('2024-12-31', hour));
    await download(`${request} --from 2024-12-30 --to 2024-12-31`);
    expect(listIn().missing).toHaveLength(1);
  });

  test('candles that overlap are kept and marked', async () => {
    const rows = klinesOf('2024-12-30', hour).split('\n');
    const odd = (rows[4] ?? '').replace(/^\d+/, (time) => String(Number(time) + hour / 2));
    archive.put(klines, 'BTCUSDT-1h-2024-12-30', [...rows.slice(0, 5), odd, ...rows.slice(5)].join('\n'));
    const said = await download(`${request} --from 2024-12-30 --to 2024-12-30`);
    expect(said.code).toBe(1);
    expect(said.out).toContain(
      'found one at 2024-12-30T04:30:00.000Z inside that of 1h at 2024-12-30T04:00:00.000Z: the series overlaps itself',
    );
  });

  test('a ban, a region and a server that does not answer end it, and say what was not reached', async () => {
    for (const [status, words] of [
      [418, 'has banned this address (418); it may be asked again in 120 s'],
      [451, 'does not serve this region (451)'],
    ] as const) {
      out = `${out}-${status}`;
      archive.fail('2024-12-31.zip', { status, retryAfter: '120' });
      const said = await download(`${request} --from 2024-12-30 --to 2025-01-01`);
      expect(said.code).toBe(1);
      expect(said.err.split('\n').at(-1)).toBe(
        `godwit: data download: ${address.slice(7)} ${words}; what was fetched is kept, and the same command goes on from there`,
      );
      expect(listIn()).toMatchObject({
        files: [{ file: 'BTCUSDT-1h-2024-12-30.zip' }],
        missing: [{ from: '2024-12-31T00:00:00.000Z', to: '2025-01-02T00:00:00.000Z' }],
      });
      expect((await download(`${request} --from 2024-12-30 --to 2025-01-01`)).code).toBe(0);
      expect(listIn().missing).toEqual([]);
    }
  });

  test('a server that asks for a pause is given it', async () => {
    archive.fail(
      '2024-12-30.zip.CHECKSUM',
      { status: 429, retryAfter: '0' },
      { status: 429, retryAfter: '0' },
    );
    const said = await download(`${request} --from 2024-12-30 --to 2024-12-30`);
    expect(said.code).toBe(0);
    expect(said.err).toContain('answered 429 (too many requests): waiting 0 s');
    archive.fail('2024-12-31.zip.CHECKSUM', { status: 429, retryAfter: '86400' });
    const late = await download(`${request} --from 2024-12-31 --to 2024-12-31`);
    expect(late.err).toContain('answered 429 (too many requests) and asks for a pause of 86400 s');
  });

  test('a disk that is full ends it, and keeps what is whole', async () => {
    mkdirSync(out);
    symlinkSync('/dev/full', join(out, 'BTCUSDT-1h-2024-12-31.zip.part'));
    const said = await download(`${request} --from 2024-12-30 --to 2025-01-01`);
    expect(said.code).toBe(1);
    expect(said.err.split('\n').at(-1)).toMatch(
      /^godwit: \S+\.part: expected a file that can be written, found: ENOSPC: no space left on device/,
    );
    expect(listIn().files).toMatchObject([{ file: 'BTCUSDT-1h-2024-12-30.zip' }]);
  });

  test('a symbol that does not exist leaves nothing behind', async () => {
    const said = await download(
      'binance NIXUSDT --kind klines --period 1h --from 2024-12-30 --to 2024-12-31',
    );
    expect([said.code, said.err.split('\n').at(-1)]).toEqual([
      4,
      'godwit: expected klines of NIXUSDT for 2024-12-30 to 2024-12-31, found none: binance does not know the symbol, or has no such data of that time',
    ]);
    expect(existsSync(out)).toBe(false);
  });

  test('trades become packs of one grid, though a later file has finer prices', async () => {
    const trades = 'spot/daily/trades/BTCUSDT';
    archive.put(trades, 'BTCUSDT-trades-2024-12-31', tradesOf('2024-12-31', 600_000));
    archive.put(trades, 'BTCUSDT-trades-2025-01-01', tradesOf('2025-01-01', 600_000, 3));
    const said = await download('binance BTCUSDT --kind trades --from 2024-12-31 --to 2025-01-01');
    expect([said.code, said.out]).toEqual([0, `${out}: 2 files, 288 rows`]);
    expect(readdirSync(out).toSorted()).toEqual([
      'BTCUSDT-trades-2024-12-31.pack',
      'BTCUSDT-trades-2025-01-01.pack',
      'download.json',
    ]);
    const csv = join(folder, 'both.csv');
    await run(['data', 'export', out, '--to', 'csv', '--out', csv]);
    const prices = readFileSync(csv, 'utf8').split('\n').slice(1, -1);
    expect(prices).toHaveLength(288);
    expect(prices[0]).toContain('100.000');
    expect(prices[147]).toContain('102.051');
  });
});

describe('what cannot be asked for', () => {
  test.each([
    ['binace BTCUSDT --kind klines --from 2024-01-01', 'did you mean binance?'],
    ['binance BTCUSDT --kind klinez --from 2024-01-01', 'did you mean klines?'],
    [
      'binance BTCUSDT --kind funding --from 2024-01-01',
      'expected a kind of data that binance has (klines, trades, aggTrades), found funding',
    ],
    [
      'hitbtc ETHBTC --kind aggTrades --from 2024-01-01',
      'expected a kind of data that hitbtc has (klines, trades, ',
    ],
    [
      'binance BTCUSDT --kind klines --period 7m --from 2024-01-01',
      '--period: expected a period that binance has',
    ],
    [
      'binance BTCUSDT --kind trades --period 1m --from 2024-01-01',
      '--period 1m: expected none with --kind trades',
    ],
    ['custom ETHBTC --kind klines --from 2024-01-01', 'expected --address with custom'],
    ['binance BTCUSDT --kind klines --from 2024-01-01 --address nix', '--address nix: expected an address'],
    ['binance BTCUSDT --kind klines', 'expected where to begin, such as --from 2024-01-01'],
    [
      'binance BTC/USDT --kind klines --from 2024-01-01',
      'expected a symbol such as BTCUSDT, found "BTC/USDT"',
    ],
    [
      'binance BTCUSDT --kind klines --from 2024-02-01 --to 2024-01-01',
      'expected a span that begins before it ends',
    ],
  ])('%s', async (line, words) => {
    const said = await run(`data download ${line}`);
    expect([said.code, said.err.includes('\n')]).toEqual([2, false]);
    expect(said.err).toContain(words);
  });

  test('days to come are none, and the command of Freqtrade is answered with this one', async () => {
    const said = await download('binance BTCUSDT --kind klines --from 2200-01-01');
    expect([said.code, said.err]).toEqual([1, expect.stringContaining('expected a time that is over')]);
    expect((await run('download-data --exchange binance')).err).toContain(
      'it is called "data download" here',
    );
  });
});

describe('over the API', () => {
  /** A venue that has 2,500 trades of one day, some of one time, and refuses when it is asked to. */
  class SmallVenue {
    readonly asked: URL[] = [];
    readonly refusals: { status: number; retryAfter?: string; after: number }[] = [];
    readonly #server: Server;
    readonly #trades = Array.from({ length: 2_500 }, (_, at) => ({
      id: at + 1,
      price: (0.05 + (at % 9) / 1e6).toFixed(6),
      qty: '0.0100',
      side: at % 2 === 0 ? 'buy' : 'sell',
      timestamp: new Date(Date.parse('2024-03-05') + Math.floor(at / 3) * 1_000).toISOString(),
    }));

    constructor() {
      this.#server = createServer((request, response) => {
        const url = new URL(request.url ?? '', 'http://venue');
        this.asked.push(url);
        const refusal = this.refusals[0];
        if (refusal !== undefined && (refusal.after -= 1) < 0) {
          this.refusals.shift();
          const wait = refusal.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter };
          response.writeHead(refusal.status, wait).end('{"error":{"code":429,"message":"no"}}');
          return;
        }
        response.end(JSON.stringify(this.#answer(url)));
      });
    }

    async start(): Promise<string> {
      await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    async stop(): Promise<void> {
      this.#server.closeAllConnections();
      await new Promise((resolve) => this.#server.close(resolve));
    }

    #answer({ pathname, searchParams }: URL): unknown {
      if (pathname.endsWith('/symbol/ETHBTC')) return symbol;
      const [from, till, limit, offset] = ['from', 'till', 'limit', 'offset'].map((name) =>
        searchParams.get(name),
      );
      return this.#trades
        .filter(({ timestamp }) => timestamp >= (from ?? '') && timestamp <= (till ?? ''))
        .slice(Number(offset))
        .slice(0, Number(limit));
    }
  }

  const symbol = {
    type: 'spot',
    base_currency: 'ETH',
    quote_currency: 'BTC',
    status: 'working',
    quantity_increment: '0.0001',
    tick_size: '0.000001',
    take_rate: '0.0025',
    make_rate: '0.001',
    fee_currency: 'BTC',
    margin_trading: false,
  };
  const request = 'hitbtc ETHBTC --kind trades --from 2024-03-05 --to 2024-03-05';
  let venue: SmallVenue;
  let host = '';
  beforeEach(async () => {
    venue = new SmallVenue();
    host = await venue.start();
  });
  afterEach(() => venue.stop());

  test('trades come page by page into a pack with the grid of the venue, each once', async () => {
    const said = await download(request, host);
    expect([said.code, said.out]).toEqual([0, `${out}: 1 files, 2500 rows`]);
    const pages = venue.asked.filter(({ pathname }) => pathname.endsWith('/trades/ETHBTC'));
    expect(pages.map(({ searchParams }) => searchParams.get('offset'))).toEqual(['0', '1000', '2000']);
    expect(pages[0]?.searchParams.get('limit')).toBe('1000');
    const { trades, notes } = JSON.parse((await run(['data', 'inspect', out, '--json'])).out) as {
      trades: number;
      notes: readonly string[];
    };
    expect([trades, notes]).toEqual([2_500, []]);
    venue.asked.length = 0;
    await download(request, host);
    expect(venue.asked.map(({ pathname }) => pathname)).toEqual(['/api/3/public/symbol/ETHBTC']);
  });

  test('one that was stopped keeps and marks its pages, and goes on behind them', async () => {
    venue.refusals.push({ status: 451, after: 3 });
    const said = await download(request, host);
    expect([said.code, said.err.split('\n').at(-1)]).toEqual([
      1,
      expect.stringContaining(`${host.slice(7)} does not serve this region (451); what was fetched is kept`),
    ]);
    expect(listIn().files).toMatchObject([
      {
        file: 'ETHBTC-trades-2024-03-05.pack',
        rows: 2_000,
        partial: expect.stringMatching(/^it ends at 2024-03-05T00:11:06/),
      },
    ]);
    const again = await download(request, host);
    expect([again.code, again.out]).toEqual([0, `${out}: 1 files, 2500 rows`]);
    expect(venue.asked.at(-1)?.searchParams.get('from')).toBe('2024-03-05T00:11:06.000Z');
    expect(readdirSync(out).toSorted()).toEqual(['ETHBTC-trades-2024-03-05.pack', 'download.json']);
  });

  test('a rate that is asked for is kept below that of the venue', async () => {
    const begun = performance.now();
    expect((await download(`${request} --rate 3`, host)).code).toBe(0);
    // Four requests, the first at once.
    expect(venue.asked).toHaveLength(4);
    expect(performance.now() - begun).toBeGreaterThan(950);
  });

  test('a pause that the venue asks for is made, and a ban ends it', async () => {
    venue.refusals.push({ status: 429, retryAfter: '0', after: 1 });
    const said = await download(request, host);
    expect(said.code).toBe(0);
    expect(said.err).toContain('answered 429 (too many requests): waiting 0 s');
    out = `${out}-banned`;
    venue.refusals.push({ status: 418, after: 0 });
    expect((await download(request, host)).err).toContain('has banned this address (418)');
    expect(existsSync(out)).toBe(false);
  });
});

test('the embedded exchange gives its candles and trades, and knows what is no symbol of it', async () => {
  const clock = new VirtualClock((Date.parse('2024-03-05T00:00:00Z') * 1_000) as Micros);
  const exchange = await startExchange({ seed: 7, port: 0, clock });
  try {
    clock.advanceTo(later(clock.now(), seconds(70)));
    const said = await download(
      'custom ETHBTC --kind klines --from 2024-03-05 --to 2024-03-05',
      exchange.restUrl,
    );
    expect([said.code, said.out]).toEqual([0, `${out}: 1 files, 2 rows`]);
    out = `${out}-trades`;
    const trades = await download(
      'custom ETHBTC --kind trades --from 2024-03-05 --to 2024-03-05',
      exchange.restUrl,
    );
    expect([trades.code, Number(/(\d+) rows/.exec(trades.out)?.[1])]).toEqual([0, expect.any(Number)]);
    out = `${out}-none`;
    const none = await download('custom NIXBTC --kind klines --from 2024-01-01', exchange.restUrl);
    expect([none.code, none.err]).toEqual([
      4,
      `godwit: expected a symbol that ${exchange.restUrl.slice(7)} has, found NIXBTC`,
    ]);
  } finally {
    await exchange.stop();
  }
});

test('a folder into which another process downloads is left alone, and one of a process that has ended is not', async () => {
  mkdirSync(out);
  archive.put('spot/daily/klines/BTCUSDT/1h', 'BTCUSDT-1h-2024-12-30', klinesOf('2024-12-30', hour));
  const line = 'binance BTCUSDT --kind klines --period 1h --from 2024-12-30 --to 2024-12-30';
  writeFileSync(join(out, 'download.lock'), String(process.ppid));
  const said = await download(line);
  expect([said.code, said.err]).toEqual([
    1,
    `godwit: ${join(out, 'download.lock')}: expected no other download into this folder, found that of process ${process.ppid}; wait for its end`,
  ]);
  writeFileSync(join(out, 'download.lock'), '4194305');
  expect((await download(line)).code).toBe(0);
  expect(readdirSync(out).toSorted()).toEqual(['BTCUSDT-1h-2024-12-30.zip', 'download.json']);
});

test('a folder of something else is not written into', async () => {
  mkdirSync(out);
  writeFileSync(join(out, 'download.json'), '{}');
  const said = await download('binance BTCUSDT --kind klines --from 2024-12-30');
  expect([said.code, said.err]).toEqual([
    1,
    expect.stringContaining('expected the list that godwit data download writes'),
  ]);
});
