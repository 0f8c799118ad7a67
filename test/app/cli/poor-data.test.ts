import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-poor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const put = (name: string, content: string | Uint8Array): void => writeFileSync(at(name), content);

const head = 'time,symbol,price,quantity\n';
const start = 1_672_531_200;
/** Trades of five minutes; row 5 as reported. */
function trades(row?: string, unit = ''): string {
  const rows = Array.from({ length: 300 }, (_, i) => `${start + i}${unit},BTCUSDT,${100 + (i % 7)}.25,2`);
  if (row !== undefined) rows[5] = row;
  return `${head}${rows.join('\n')}\n`;
}

const whole = trades();

beforeAll(async () => {
  const packed = gzipSync(whole);
  const files: Record<string, string | Uint8Array> = {
    'ok.csv': whole,
    'empty.csv': '',
    'blank.csv': '\n\n\n',
    'nul.bin': new Uint8Array(5_000),
    'cut.csv.gz': packed.subarray(0, packed.length / 2),
    'head.gz': packed.subarray(0, 6),
    'none.gz': Buffer.from('\u001f\u008bnonsense', 'latin1'),
    'cut.zst': zstdCompressSync(whole).subarray(0, 100),
    'two.zip': zipSync({ 'a.csv': Buffer.from(whole), 'b.csv': Buffer.from(whole) }),
    'nan.csv': trades(`${start + 5},BTCUSDT,NaN,2`),
    'below.csv': trades(`${start + 5},BTCUSDT,-3,2`),
    'zero.csv': trades(`${start + 5},BTCUSDT,0,2`),
    'huge.csv': trades(`${start + 5},BTCUSDT,1e400,2`),
    'many.csv': trades(`${start + 5},BTCUSDT,100.25,99999999999999999999`),
    'millis.csv': trades(`${start + 5}000,BTCUSDT,100.25,2`),
    'nothen.csv': trades('0,BTCUSDT,100.25,2'),
    'back.csv': trades(`${start - 4_000},BTCUSDT,100.25,2`),
    'mixed.csv': trades(`${start + 5},ETHUSDT,100.25,2`),
    'twice.csv': whole + whole,
    'crlf.csv': whole.replaceAll('\n', '\r\n'),
    'mark.csv': `\uFEFF${whole}`,
    'other-order.csv': `quantity,price,symbol,time\n2,100.25,BTCUSDT,${start}\n2,100.5,BTCUSDT,${start + 1}\n`,
    'ms.csv': trades(undefined, '000'),
    'us.csv': trades(undefined, '000000'),
    'ns.csv': trades(undefined, '000000000'),
    'ahead.csv': `${head}4102444800,BTCUSDT,1.5,2\n4102444801,BTCUSDT,1.5,2\n`,
    'comma.csv': 'time;price;quantity\n1672531200;1.5;2\n1672531201;1,5;2\n',
    'one-bar.csv': 'time,open,high,low,close\n1672531200,1,2,1,1\n',
    'low.csv': 'time,open,high,low,close\n1672531200,1,1,2,1\n',
    'later.csv': whole.replaceAll(`${start}`, `${start + 9}`),
    'named.csv': whole
      .split('\n')
      .map((line, i) => (line === '' ? '' : `${line},${i === 0 ? 'id' : i}`))
      .join('\n'),
    'torn.json': '{"a":',
    'other.json': '{"a":1}',
  };
  for (const [name, content] of Object.entries(files)) put(name, content);
  mkdirSync(at('nothing'));
  await run(['data', 'import', at('ok.csv'), '--out', at('ok.pack')]);
  const pack = readFileSync(at('ok.pack'));
  put('half.pack', pack.subarray(0, pack.length / 2));
  put('torn.pack', pack.subarray(0, pack.length - 60));
  pack.writeUInt8(pack.readUInt8(pack.length - 200) ^ 1, pack.length - 200);
  put('flip.pack', pack);
});

const strategy = ['--strategy', 'imbalance', '--param', 'symbol=BTCUSDT'];
const commands: Readonly<Record<string, readonly string[]>> = {
  import: ['data', 'import', '--out', at('out.pack'), '--force'],
  inspect: ['data', 'inspect'],
  books: ['data', 'books'],
  verify: ['data', 'verify'],
  list: ['data', 'list'],
  export: ['data', 'export', '--out', at('out.ndjson')],
  backtest: ['backtest', ...strategy, '--no-save', '--no-band'],
  sweep: ['sweep', ...strategy, '--space', 'quantity=1', '--store', at('s'), '--ledger', at('l')],
  lookahead: ['check', 'lookahead', ...strategy],
  drift: ['drift'],
  compare: ['compare', at('other.json')],
  report: ['report'],
};

async function ask(command: string, name: string) {
  const said = await run([...(commands[command] ?? []), at(name)]);
  expect(said.err + said.out).not.toMatch(/\n\s+at |TypeError|RangeError|ZodError|GW_/);
  return said;
}

describe('what cannot be read ends in one sentence and the right exit code', () => {
  test.each([
    ['import', 'absent', 4, /expected a readable file at \S+absent, found none/],
    ['import', 'nothing', 1, /expected a folder with \.frames files, found an empty folder$/],
    ['import', 'empty.csv', 1, /empty\.csv: expected recorded data, found an empty file/],
    ['import', 'blank.csv', 1, /blank\.csv: expected one of the formats .*, found a file that begins with/],
    ['import', 'nul.bin', 1, /nul\.bin: expected one of .* begins with the bytes 0000000000000000/],
    ['import', 'head.gz', 1, /head\.gz: expected a whole packed file, found: unexpected end of file/],
    ['import', 'none.gz', 1, /none\.gz: expected a whole packed file, found: /],
    ['import', 'cut.zst', 1, /cut\.zst: expected a whole packed file, found: /],
    ['import', 'two.zip', 1, /two\.zip: expected a zip with one file of data in it, found a\.csv and b\.csv/],
    ['import', 'half.pack', 1, /half\.pack: expected an undamaged header/],
    ['import', 'flip.pack', 1, /flip\.pack: expected an undamaged block at byte \d+/],
    [
      'import',
      'comma.csv',
      1,
      /comma\.csv:2: expected the price with a decimal comma, as other rows have it, found "1\.5"/,
    ],
    ['import', 'one-bar.csv', 1, /one-bar\.csv: expected two bars or more .*--period 1m/],
    ['import', 'low.csv', 1, /low\.csv:2: expected the high not to be below the low/],
    ['books', 'nan.csv', 1, /nan\.csv:7: expected the price to be a number above 0, found "NaN"/],
    ['export', 'cut.csv.gz', 1, /cut\.csv\.gz: expected a whole gzip file.*godwit data import/],
    ['list', 'absent', 4, /absent: expected a folder, found none/],
    ['list', 'ok.csv', 1, /ok\.csv: expected a folder, found a file/],
    ['backtest', 'cut.csv.gz', 1, /cut\.csv\.gz: expected a whole gzip file/],
    ['backtest', 'millis.csv', 1, /millis\.csv:7: expected the time as .* found "1672531205000"/],
    ['sweep', 'half.pack', 1, /half\.pack: expected an undamaged header/],
    ['sweep', 'nan.csv', 1, /nan\.csv:7: expected the price/],
    ['lookahead', 'nul.bin', 1, /nul\.bin: expected one of the formats/],
    [
      'drift',
      'nothing',
      4,
      /nothing\/recording: expected the recording of the run, found nothing; .* by --recording/,
    ],
    ['compare', 'torn.json', 1, /other\.json: expected a report marked/],
    ['report', 'nothing', 4, /nothing: expected a report\.json in the run directory, found none/],
    ['report', 'torn.json', 1, /torn\.json: expected a report as JSON, found something else/],
    ['report', 'nul.bin', 1, /nul\.bin: expected a report as JSON/],
  ])('%s %s', async (command, name, code, sentence) => {
    const said = await ask(command, name);
    expect(said.err).toMatch(sentence);
    expect(said.code).toBe(code);
    expect(said.out).toBe('');
    expect(said.err.split('\n')).toHaveLength(1);
  });

  test('verify reports it as its verdict', async () => {
    for (const name of ['empty.csv', 'nul.bin', 'cut.csv.gz', 'torn.pack', 'flip.pack', 'nan.csv']) {
      const said = await ask('verify', name);
      expect([name, said.code]).toEqual([name, 7]);
      expect(said.out).toMatch(/^damaged .*\n {8}\S+: (expected|torn tail)/);
    }
  });

  test('what cannot be written, too', async () => {
    const importing = ['data', 'import', at('ok.csv'), '--force', '--out'];
    expect((await run([...importing, at('nothing')])).err).toMatch(
      /nothing: expected the name of a file, found a folder there/,
    );
    const exporting = ['data', 'export', at('ok.csv'), '--out', at('ok.csv/e.csv')];
    expect(await run(exporting)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/expected a file that can be written/),
    });
    expect(existsSync(at('nothing.unfinished'))).toBe(false);
  });
});

describe('what is damaged on the way is kept and marked', () => {
  test.each([
    ['cut.csv.gz', /partial: stopped at \S+cut\.csv\.gz: expected a whole gzip file/],
    ['torn.pack', /torn\.pack: torn tail, \d+ bytes lost/],
    ['nan.csv', /nan\.csv:7: expected the price to be a number above 0, found "NaN"/],
    ['below.csv', /below\.csv:7: .* found "-3"/],
    ['zero.csv', /zero\.csv:7: .* found "0"/],
    ['huge.csv', /huge\.csv:7: .* found "1e400"/],
    ['many.csv', /many\.csv:7: expected a quantity of BTCUSDT in steps of 1, found 9{20}/],
    ['millis.csv', /millis\.csv:7: expected the time as/],
    ['nothen.csv', /nothen\.csv:7: expected the time as .* found "0"/],
    ['twice.csv', /twice\.csv:302: expected the time as .* found "time"/],
  ])('%s', async (name, reason) => {
    const said = await ask('inspect', name);
    expect(said.code).toBe(1);
    expect(said.out).toMatch(/^grade +C$/m);
    expect(said.out).toMatch(reason);
    expect((await ask('import', name)).code).toBe(1);
    const again = await ask('backtest', 'out.pack');
    expect(again.code).toBe(1);
    expect(again.out).toMatch(/^Incomplete: a part of the data is missing: .*; poor data \(C\): /m);
    expect(
      JSON.parse((await run([...(commands['backtest'] ?? []), '--json', at('out.pack')])).out),
    ).toMatchObject({
      complete: false,
      problems: [expect.stringMatching(/^a part of the data is missing: /)],
    });
  });

  test('other ends of lines, the mark of an editor, another order of columns and any unit of time are the same data', async () => {
    for (const name of ['crlf.csv', 'mark.csv', 'ms.csv', 'us.csv', 'ns.csv', 'other-order.csv']) {
      const said = await ask('inspect', name);
      expect([name, said.code, said.out.match(/^period.*$/m)?.[0].slice(0, 33)]).toEqual([
        name,
        0,
        'period   2023-01-01T00:00:00.000Z',
      ]);
    }
  });

  test('rows that go back, two symbols and times to come are reported', async () => {
    expect((await ask('inspect', 'back.csv')).out).toMatch(/1 trade before the one above it, sorted/);
    expect((await ask('inspect', 'mixed.csv')).out).toMatch(/^symbols +BTCUSDT, ETHUSDT$/m);
    expect((await ask('inspect', 'ahead.csv')).err).toMatch(
      /the last event is of 2100-01-01T\S+, which is still to come.*\(DATA_IN_FUTURE\)/,
    );
  });

  test('two files that report the same time are refused with both names', async () => {
    const said = await run([...(commands['import'] ?? []), at('ok.csv'), at('later.csv')]);
    expect(said.code).toBe(1);
    expect(said.err).toMatch(
      /later\.csv: expected trades of BTCUSDT from one file at a time, found \S+ok\.csv holding them too between 2023-\S+Z and 2023-/,
    );
  });

  test('two files of the same trades are refused too where only one of them has ids', async () => {
    const said = await run([...(commands['import'] ?? []), at('ok.csv'), at('named.csv')]);
    expect([said.code, said.err]).toEqual([
      1,
      expect.stringMatching(/expected trades of BTCUSDT from one file at a time/),
    ]);
  });

  test('books and tables made of a torn pack say so', async () => {
    for (const command of ['books', 'export']) {
      const said = await ask(command, 'torn.pack');
      expect(said.code).toBe(1);
      expect(said.err).toMatch(/^data: \S+torn\.pack: torn tail/);
    }
  });

  test('a strategy that asks for what the data never contain gets a warning, and one that receives all of it does not', async () => {
    const sample = 'backtest backtest/feeds/sample --strategy market-maker --no-save --no-band';
    const backtest = (symbol: string) => run(`${sample} --param symbol=${symbol} --param quantity=1`);
    const deaf = await backtest('XRPUSDT');
    const note = 'strategy market-maker asked for the book of XRPUSDT: the data have none';
    expect(deaf.err).toContain(`note: ${note}`);
    expect(deaf.out).toContain(`  ${note}`);
    expect((await backtest('ETHBTC')).err).not.toContain('the data have none');
  });

  test('bars without a book get a message that says where they can be run', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => `${1_672_531_200 + i * 3_600},10.1,10.3,10.0,10.2,5`);
    put('hours.csv', ['time,open,high,low,close,volume', ...rows, ''].join('\n'));
    const said = await run(
      `backtest ${at('hours.csv')} --strategy trend --param symbol=HOURS --no-save --no-band`,
    );
    expect(said.err).toContain(
      'note: strategy trend asked for the book, trades, candles M1 (there are H1, H4, D1, D7, 1M) of HOURS: the data have none',
    );
    expect(said.err).toContain(
      'note: HOURS comes as bars alone, and without a book none of its orders can fill: run it as a scenario with fills: { model: bars }',
    );
    expect(
      (await run('backtest backtest/feeds/sample --strategy trend --no-save --no-band')).err,
    ).not.toContain('bars alone');
  });
});
