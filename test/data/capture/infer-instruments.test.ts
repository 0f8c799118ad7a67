import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findCaptureSpecs, readSymbols } from '../../../src/data/capture/infer-instruments.ts';
import { newFolder } from '../recording/support/frames.ts';
import { recordingsPresent, sharedPath } from '../recording/support/shared-recordings.ts';

const socket = 'wss://h/api/2/ws/public <-> 1\n';
const book =
  '2: {"method":"updateOrderbook","params":{"ask":[{"price":"0.0120","size":"3"}],"bid":[],"symbol":"ETHBTC","sequence":1,"timestamp":"2021-01-01T00:00:00.000Z"}}\n';
const ticker = '2: {"method":"ticker","params":{"ask":"7.25","bid":"7.2","symbol":"EOSUSDT"}}\n';
const v3Symbols =
  'https://h/api/3/public/symbol -> 1: {"ETHBTC":{"type":"spot","base_currency":"ETH","quote_currency":"BTC","status":"working","quantity_increment":"0.1","tick_size":"0.00005","take_rate":"0.0009","make_rate":"-0.0001","fee_currency":"BTC","margin_trading":true,"max_initial_leverage":"10.00"}}\n';

describe('instruments of a capture', () => {
  test('come from the symbol list beside it, limited to those that appear', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.conn1.txt'), socket + book);
    writeFileSync(join(folder, 'a.symbols.txt'), v3Symbols);
    const found = await findCaptureSpecs([join(folder, 'a.conn1.txt')]);
    expect(found).toMatchObject({
      source: 'symbols',
      notes: [],
      specs: [
        {
          symbol: 'ETHBTC',
          tickSize: '0.00005',
          makeRate: '-0.0001',
          marginTrading: true,
          maxInitialLeverage: '10.00',
        },
      ],
    });
  });

  test('are inferred from the decimals of books, else of tickers, with a note', async () => {
    const folder = newFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, `configuration: {"l2_book":["ETH-BTC"]}\n${socket}${ticker}${book}`);
    const found = await findCaptureSpecs([path]);
    expect(found.source).toBe('inferred');
    expect(found.notes[0]).toContain('inferred');
    expect(found.specs).toMatchObject([
      {
        symbol: 'EOSUSDT',
        baseCurrency: 'EOS',
        quoteCurrency: 'USDT',
        tickSize: '0.01',
        quantityIncrement: '1',
      },
      {
        symbol: 'ETHBTC',
        baseCurrency: 'ETH',
        quoteCurrency: 'BTC',
        tickSize: '0.0001',
        quantityIncrement: '1',
      },
    ]);
  });

  test('come from a symbol list in the recording, under any name and wherever it stands', async () => {
    const folder = newFolder();
    const expected = {
      source: 'symbols',
      notes: [],
      specs: [{ symbol: 'ETHBTC', tickSize: '0.00005', takeRate: '0.0009' }],
    };
    writeFileSync(join(folder, 'before.txt'), v3Symbols + socket + book);
    writeFileSync(join(folder, 'behind.txt'), socket + book + v3Symbols);
    writeFileSync(join(folder, 'bare.txt'), socket + book);
    writeFileSync(join(folder, 'my-list.log'), v3Symbols);
    const of = async (...names: string[]) => await findCaptureSpecs(names.map((name) => join(folder, name)));
    expect(await of('before.txt')).toMatchObject(expected);
    expect(await of('behind.txt')).toMatchObject(expected);
    expect(await of('bare.txt', 'my-list.log')).toMatchObject(expected);
    expect(await of('my-list.log', 'bare.txt')).toMatchObject(expected);
    expect((await of('bare.txt')).specs[0]).toMatchObject({ tickSize: '0.0001', takeRate: '0.0025' });
  });

  test('that a list in the recording lacks are inferred with a note, as where it cannot be read', async () => {
    const folder = newFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, v3Symbols + socket + book + ticker);
    const lacking = await findCaptureSpecs([path]);
    expect(lacking.source).toBe('inferred');
    expect(lacking.specs).toMatchObject([
      { symbol: 'ETHBTC', takeRate: '0.0009' },
      { symbol: 'EOSUSDT', takeRate: '0.0025' },
    ]);
    expect(lacking.notes).toEqual([
      'a.txt: the symbol list in it lacks EOSUSDT; tick sizes and increments are inferred from the decimals seen, fee rates are assumed',
    ]);
    writeFileSync(path, `https://h/api/3/public/symbol -> 1: {"error":{"code":429}}\n${socket}${book}`);
    const torn = await findCaptureSpecs([path]);
    expect(torn.specs).toMatchObject([{ symbol: 'ETHBTC', takeRate: '0.0025' }]);
    expect(torn.notes[0]).toMatch(/^a symbol list in it cannot be read and is left out: /);
  });

  test('of two lists in the recording are those of the first, with a note where they differ', async () => {
    const folder = newFolder();
    const path = join(folder, 'a.txt');
    writeFileSync(path, v3Symbols + socket + book + v3Symbols + v3Symbols.replace('"0.0009"', '"0.0001"'));
    const found = await findCaptureSpecs([path]);
    expect(found.specs[0]?.takeRate).toBe('0.0009');
    expect(found.notes).toEqual([
      `${path}: a later symbol list describes ETHBTC differently; the first list counts`,
    ]);
  });

  test('are not those of a name that is passed over, which a note tells once', async () => {
    const folder = newFolder();
    const path = join(folder, 'a.txt');
    const list = v3Symbols.replace('{"ETHBTC":', '{"E TH":{"type":"spot"},"ETHBTC":');
    expect(list).not.toBe(v3Symbols);
    writeFileSync(path, list + socket + book + list);
    const { specs, notes } = await findCaptureSpecs([path]);
    expect(specs.map(({ symbol }) => symbol)).toEqual(['ETHBTC']);
    expect(notes).toEqual([
      `${path}: 1 symbol of the list is passed over: expected names of 1 to 40 letters, digits and signs such as _ . / - (no spaces, nothing hidden), found "E TH"`,
    ]);
  });

  test('refuse a list that misses a symbol, and a list that is none', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'a.conn1.txt'), socket + ticker);
    writeFileSync(join(folder, 'a.symbols.txt'), v3Symbols);
    await expect(findCaptureSpecs([join(folder, 'a.conn1.txt')])).rejects.toThrow(
      'expected the symbol EOSUSDT',
    );
    writeFileSync(join(folder, 'b.symbols.txt'), socket);
    await expect(readSymbols(join(folder, 'b.symbols.txt'))).rejects.toThrow(
      'expected the reply of /public/symbol',
    );
  });

  test.skipIf(!recordingsPresent)('inferred equal those of the list on the recorded files', async () => {
    const listed = await findCaptureSpecs([sharedPath('hitbtc/hitbtc-v2-20210715.conn1.txt.gz')]);
    expect(listed.specs).toHaveLength(10);
    const all = await readSymbols(sharedPath('hitbtc/fmfw-v3-20211009.symbols.txt.gz'));
    expect(all.length).toBeGreaterThan(200);
    const april = await findCaptureSpecs([sharedPath('hitbtc/hitbtc-v2-20210405.txt.gz')]);
    expect(april.specs).toHaveLength(10);
    expect(april.specs.find((spec) => spec.symbol === 'PONDUSD')).toMatchObject({ baseCurrency: 'POND' });
  });
});
