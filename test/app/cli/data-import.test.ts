import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const capture = join(folder, 'okx.txt');
const pack = join(folder, 'okx.pack');
const levels =
  '"bids":[["3366.1","7","0","1"]],"asks":[["3366.8","9","0","1"],["3368","8","0","1"],["3372","8","0","1"]]';
const message = (sum: number): string =>
  `1652459225.5: {"arg":{"channel":"books","instId":"ETH-USD"},"action":"snapshot","data":[{${levels},"ts":"1652459225393","checksum":${sum}}]}`;

function write(sum: number): void {
  writeFileSync(capture, `wss://ws.okx.com:8443/ws/v5/public <-> 1652459224.5\n${message(sum)}\n`);
}

describe('data import', () => {
  test('makes a pack that holds what the source held, printed as the venue printed it', async () => {
    write(831_078_360);
    const said = await run(['data', 'import', capture, '--out', pack, '--json']);
    expect(said.err).toBe('');
    expect(said.code).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({
      pack,
      format: 'okx-v5',
      symbols: ['ETH-USD'],
      events: { bookSnapshot: 1 },
      levelChanges: 4,
      proof: { checked: 1, correct: 1 },
      findings: [],
    });
    const books = await run(['data', 'books', pack, '--json']);
    expect(books.out).toBe((await run(['data', 'books', capture, '--json'])).out);
    expect(books.out).toContain('"best_ask":["3366.8","9"]');
    const inspected = await run(['data', 'inspect', pack]);
    expect(inspected.out).toMatch(/proved +1 of 1 checksums/);
  });

  test('keeps what was found in the source in the pack', async () => {
    write(5);
    const said = await run(['data', 'import', capture, '--out', pack, '--force']);
    expect(said.out).toMatch(/found +1 wrong checksums/);
    expect((await run(['data', 'inspect', pack, '--json'])).out).toContain('"findings":["1 wrong checksums');
    expect((await run(['data', 'verify', capture])).code).toBe(7);
  });

  test('keeps and marks what comes before a line that is none, and says so with its exit code', async () => {
    const good = message(831_078_360);
    writeFileSync(
      capture,
      ['wss://ws.okx.com:8443/ws/v5/public <-> 1652459224.5', good, good, '1652459225.9: {"arg":', good].join(
        '\n',
      ),
    );
    const said = await run(['data', 'import', capture, '--out', pack, '--force']);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(
      /grade +C\n +partial: stopped at \S+okx\.txt:4: expected a JSON message, found /,
    );
    expect(said.out).toMatch(/bookSnapshot +2\n/);
    // The pack tells it to whoever reads it later.
    const again = await run(['data', 'inspect', pack, '--json']);
    expect(JSON.parse(again.out)).toMatchObject({
      grade: 'C',
      events: { bookSnapshot: 2 },
      reasons: expect.arrayContaining([expect.stringMatching(/^partial: stopped at /)]),
    });
    expect((await run(['data', 'inspect', capture])).code).toBe(1);
  });

  test('writes no pack of a source without events', async () => {
    const path = join(folder, 'quiet.pack');
    const symbols = join(folder, 'quiet.symbols.txt');
    writeFileSync(symbols, 'wss://api.example -> 1626318404.1: {"ETHBTC":{}}\n');
    const said = await run(['data', 'import', symbols, '--out', path]);
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/expected/);
    expect(existsSync(path)).toBe(false);
  });

  test('does not replace a pack unasked', async () => {
    write(831_078_360);
    const said = await run(['data', 'import', capture, '--out', pack]);
    expect(said.code).toBe(1);
    expect(said.err).toContain('replace it with --force');
  });

  test.each([
    ['--tick nothing', 2, /--tick nothing: expected a plain decimal/],
    ['--format krakken', 1, /expected one of the formats .*, found krakken/],
    ['--symbol BTC-USD', 1, /expected messages of BTC-USD, found none/],
  ])('with %s ends in one sentence', async (option, code, sentence) => {
    const said = await run([
      'data',
      'import',
      capture,
      '--out',
      join(folder, 'no.pack'),
      ...option.split(' '),
    ]);
    expect(said.code).toBe(code);
    expect(said.err).toMatch(sentence);
  });
});

describe('data export, list and verify', () => {
  test('write a table, name formats, and prove a pack whole', async () => {
    write(831_078_360);
    await run(['data', 'import', capture, '--out', pack, '--force']);
    const table = join(folder, 'okx.csv');
    expect((await run(['data', 'export', pack, '--to', 'csv', '--out', table])).code).toBe(0);
    expect(readFileSync(table, 'utf8').split('\n').slice(0, 2)).toEqual([
      'receiveTime,exchangeTime,symbol,kind,side,price,quantity,id',
      '1652459225500000,1652459225393000,ETH-USD,snapshot,bid,3366.1,7,1',
    ]);
    const again = await run(['data', 'export', pack, '--to', 'csv', '--out', table]);
    expect(again.err).toContain('expected no file of that name');
    const lines = join(folder, 'okx.ndjson');
    await run(['data', 'export', pack, '--out', lines]);
    expect(JSON.parse(readFileSync(lines, 'utf8').split('\n')[1] ?? '')).toMatchObject({
      symbol: 'ETH-USD',
      kind: 'snapshot',
      side: 'ask',
      price: '3366.8',
    });
    expect((await run(['data', 'list'])).out).toMatch(/^kraken-v1 +a text capture/m);
    const listed = JSON.parse((await run(['data', 'list', folder, '--json'])).out) as {
      files: readonly { path: string; format: string }[];
    };
    expect(listed.files.map(({ path, format }) => [path, format])).toContainEqual([capture, 'okx-v5']);
    expect((await run(['data', 'verify', pack])).code).toBe(0);
  });

  test('find a pack with a flipped bit', async () => {
    const bytes = readFileSync(pack);
    const at = bytes.length - 200;
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const bad = join(folder, 'bad.pack');
    writeFileSync(bad, bytes);
    const said = await run(['data', 'verify', bad, pack, '--json']);
    expect(said.code).toBe(7);
    const verdicts = said.out
      .split('\n')
      .map((line) => JSON.parse(line) as { holds: boolean; words: string[] });
    expect(verdicts.map(({ holds }) => holds)).toEqual([false, true]);
    expect(verdicts[0]?.words[0]).toMatch(/bad\.pack: expected an undamaged (block|header)/);
  });
});
