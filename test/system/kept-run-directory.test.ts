import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { silentLogger } from '../../src/core/base/logger.ts';
import { DatabaseSync } from 'node:sqlite';
import { readHeader } from '../../src/core/journal/replay.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import { State } from '../../src/core/state/state.ts';
import { configSchema } from '../../src/app/config/schema.ts';
import { instrumentsOfJournal, openJournal } from '../../src/app/live/run-journal.ts';
import { readKept } from '../../src/app/preflight/kept-run.ts';

/** As a program of journal version 2 left it when it was killed: a position, a halt, a limit on loss that was reached. */
const kept = fileURLToPath(new URL('fixtures/run-of-version-2/journal.sqlite', import.meta.url));
let directory: string;

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'godwit-kept-')), 'run');
  mkdirSync(directory);
  copyFileSync(kept, join(directory, 'journal.sqlite'));
});

afterEach(() => {
  rmSync(join(directory, '..'), { recursive: true });
});

const listedOn = (tickSize: string, quantityIncrement: string): Instruments =>
  new Instruments([
    {
      symbol: 'ETHBTC',
      type: 'spot',
      baseCurrency: 'ETH',
      quoteCurrency: 'BTC',
      feeCurrency: 'BTC',
      takeRate: '0.002',
      makeRate: '0.0005',
      marginTrading: false,
      status: 'working',
      tickSize,
      quantityIncrement,
    },
  ]);

test.each([
  ['the same grid, with other fee rates', '0.000001', '0.0001'],
  ['a finer grid', '0.0000001', '0.00001'],
  ['a coarser grid', '0.00001', '0.001'],
  ['a grid that is no multiple', '0.0000025', '0.0003'],
])('a run directory of journal version 2 is continued on %s', async (_what, tick, increment) => {
  const header = readHeader(directory);
  const known = instrumentsOfJournal(header, listedOn(tick, increment));
  const foreseen = readKept(directory, { header, known });
  const config = configSchema.parse({ run: { directory } });
  const { journal, history } = openJournal(
    { config, clock: new SystemClock(), log: silentLogger } as never,
    known.header,
  );
  const state = new State({ instruments: known.instruments });
  for (const { event } of history) state.fold(event);
  for (const seen of [state, foreseen.state]) {
    const [held] = seen.positions();
    const instrument = known.instruments.get('ETHBTC');
    expect(Number(instrument.quantityText(held?.quantity as never))).toBe(0.2003);
    expect(held).toMatchObject({ cash: -10013197300000000000000n, fillCount: 1 });
    expect([seen.mode, seen.modeLatched, seen.modeWhy]).toEqual(['halted', true, 'by operator']);
    expect(seen.losses.latches).toMatchObject([{ limit: 'day', action: 'reducing', currency: 'BTC' }]);
  }
  await journal.close();
  // What goes on with it is of a version that the older program refuses.
  const numbers = known.header === header ? 'journal.sqlite' : 'journal-000002.sqlite';
  const database = new DatabaseSync(join(directory, numbers), { readOnly: true });
  expect(database.prepare('SELECT version FROM about').get()?.['version']).toBe(3);
  database.close();
});
