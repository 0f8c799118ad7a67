import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logPath } from '../../../src/app/process/log-file.ts';
import { registerVenues } from '../../../src/app/venue/load.ts';
import { Stage, strategyOf } from '../../system/support/stage.ts';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-incident-test-'));
const archive = join(folder, 'incident.zip');
const secret = 'a-secret-that-no-archive-holds';
let stage: Stage;
let files: Readonly<Record<string, Uint8Array>>;

beforeAll(async () => {
  registerVenues();
  const shadow = { path: strategyOf('steady-taker-copy')['path'], params: { most: 0 } };
  stage = await Stage.open({
    strategies: [strategyOf('steady-taker', { everyMs: 300 }, { shadow })],
    record: true,
  });
  await stage.next('orderReport', ({ reportType }) => reportType === 'trade');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const venue = { ...stage.config.venue, secret_key: `\${file:${file('secret', secret)}}` };
  const config = file('config.yaml', JSON.stringify({ ...stage.config, venue }));
  const log = file('bot.log', `{"msg":"signed with ${secret}"}\n{"msg":"proxy http://ann:pass@proxy/"}\n`);
  // As a session of the command line leaves it, and one of an earlier run.
  const own = logPath(stage.config.run.directory);
  writeFileSync(own, `{"msg":"signed with ${secret}, too"}\n`);
  writeFileSync(logPath(stage.config.run.directory, 1), 'of an earlier run');
  utimesSync(logPath(stage.config.run.directory, 1), 1, 1);
  // The daemon still writes its journal.
  const written = await run([
    'incident',
    'export',
    '--config',
    config,
    '--log',
    log,
    '--out',
    join(folder, 'early.zip'),
    '--json',
  ]);
  expect([written.code, written.err]).toEqual([0, '']);
  await stage.stop();
  const said = await run([
    'incident',
    'export',
    '--config',
    config,
    '--recording',
    stage.recording,
    '--log',
    log,
    '--out',
    archive,
    '--json',
  ]);
  expect([said.code, said.err]).toEqual([0, '']);
  expect(JSON.parse(said.out)).toMatchObject({ out: archive, mode: 'sim', notes: [] });
  files = unzipSync(readFileSync(archive));
});

afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

test('an archive holds configuration, strategy, journal, frames and logs, and no secret', () => {
  const names = Object.keys(files).map((name) => name.replace(/\d{8}T\d+-\d+/, 'TIME'));
  expect(names.toSorted()).toEqual([
    'config.json',
    'incident.json',
    'journal/journal.sqlite',
    'logs/1-bot.log',
    'logs/2-godwit.log',
    'recording/TIME.frames',
    'strategies/steady-taker.shadow/steady-taker-copy.ts',
    'strategies/steady-taker/steady-taker.ts',
  ]);
  const key = stage.exchange.accounts.get('demo').keys[0]?.secret.reveal() ?? 'none';
  for (const [name, bytes] of Object.entries(files)) {
    for (const word of [secret, key, 'ann:pass'])
      expect([name, Buffer.from(bytes).includes(word)]).toEqual([name, false]);
  }
  for (const name of ['logs/1-bot.log', 'logs/2-godwit.log'])
    expect(Buffer.from(files[name] ?? []).toString()).toContain('signed with [secret]');
  expect(statSync(archive).mode & 0o777).toBe(0o600);
});

test('replay runs an archive without the directories of the run, and its events are those of the journal', async () => {
  const { code, out, err } = await run(['replay', archive, '--json']);
  expect([code, err]).toEqual([0, '']);
  const said = JSON.parse(out) as {
    compared: { alike: number; departure: unknown };
    changed: readonly string[];
  };
  expect([said.compared.departure, said.changed]).toEqual([null, []]);
  expect(said.compared.alike).toBeGreaterThan(10);
});

test('the recording of a run is found though it was begun long before, and one that ended before is not taken for it', async () => {
  const recordings = join(folder, 'recordings');
  mkdirSync(recordings);
  const [name = ''] = readdirSync(stage.recording).filter((one) => one.endsWith('.frames'));
  const begun = (daysBefore: number, hour: number): string => {
    const day = Number(name.slice(0, 8)) - 10_000 * daysBefore;
    return join(recordings, `${day}T${String(hour).padStart(2, '0')}${name.slice(11)}`);
  };
  const [older, old] = [begun(2, 1), begun(1, 2)];
  for (const path of [older, old]) copyFileSync(join(stage.recording, name), path);
  const exported = async () => {
    const out = join(folder, 'older.zip');
    const { directory } = stage.config.run;
    const config = join(folder, 'config.yaml');
    const said = await run([
      'incident',
      'export',
      '--config',
      config,
      '--journal',
      directory,
      '--recording',
      recordings,
      '--out',
      out,
      '--json',
    ]);
    expect([said.code, said.err]).toEqual([0, '']);
    const { files: names, notes } = JSON.parse(said.out) as Readonly<Record<'files' | 'notes', string[]>>;
    return [
      names.filter((one) => one.startsWith('recording/')),
      notes.filter((one) => one.includes('recording')),
    ];
  };
  expect(await exported()).toEqual([[`recording/${basename(old)}`], []]);
  for (const path of [older, old]) utimesSync(path, 1, 1);
  expect(await exported()).toEqual([
    [],
    [
      `there is no recording of the run (trade --record); what is in ${recordings} ended before it, so godwit replay cannot run it`,
    ],
  ]);
});

test('an archive that is none, is cut short, or names a place outside is refused with one sentence', async () => {
  const refused = async (name: string, bytes: Uint8Array): Promise<string> => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    const { code, err } = await run(['replay', path]);
    expect(code).toBe(1);
    return err.replace(path, 'FILE');
  };
  const expected = 'godwit: FILE: expected an archive of godwit incident export';
  const whole = readFileSync(archive);
  expect(await refused('text.zip', Buffer.from('no zip'))).toContain('FILE: expected');
  expect(await refused('cut.zip', whole.subarray(0, whole.length / 2))).toMatch(
    /end too early|invalid zip data/,
  );
  expect(await refused('outside.zip', zipSync({ '../evil': Buffer.from('x') }))).toBe(
    `${expected}, found ../evil`,
  );
  expect((await run(['replay', join(folder, 'none.zip')])).err).toContain('found nothing');
  const missing = await run([
    'incident',
    'export',
    '--set',
    `run.directory=${join(folder, 'none')}`,
    '--journal',
    join(folder, 'none'),
  ]);
  expect([missing.code, missing.err.split('\n').length]).toEqual([1, 1]);
});
