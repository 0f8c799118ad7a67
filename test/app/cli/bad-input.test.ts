import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from './support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const sample = 'backtest/feeds/sample';
const long = 'l'.repeat(300);
const maker = '--strategy market-maker';
/** Port 9 of this machine: nobody listens there. */
const nobody = '--set venue.base_url=http://127.0.0.1:9 --set venue.ws_url=ws://127.0.0.1:9';
const keys = '--set venue.api_key=${env:GODWIT_TEST_ABSENT} --set venue.secret_key=${env:GODWIT_TEST_ABSENT}';

const damagedBars = file(
  'bars.csv',
  'time,open,high,low,close\n2024-01-01,10,12,9,11\n2024-01-02,10,8,9,11\n2024-01-03,10,12,9,11\n',
);

const program = `--config ${file('program.yaml', 'programs: [{ name: grid, symbols: [BTCUSDT] }]\n')}`;
const rebate = file(
  'rebate.yaml',
  `name: rebate
data: [{ path: ${damagedBars} }]
fills: { model: bars, fees: { rate: "-0.001" } }
strategy: { path: trend }
balances: { USD: "1000" }
`,
);

describe('bad input ends in one sentence and the right exit code', () => {
  test.each([
    // Usage: 2.
    ['an unknown command', 'trdae', 2, /unknown command 'trdae'.*trade/s],
    ['a name from elsewhere', 'backtesting', 2, /it is called "backtest" here/],
    [
      'a daemon that does not run',
      'halt --set run.directory=runs/none',
      3,
      /no daemon of this configuration runs/,
    ],
    ['a cancel of nothing', 'cancel', 2, /expected the client id of one order, or --all/],
    ['no time at all', 'demo --for 0s', 2, /expected more than no time, such as 60s/],
    ['an unknown option', 'demo --bogus', 2, /unknown option '--bogus'/],
    ['a bad duration', 'demo --for soon', 2, /expected a duration such as 60s/],
    ['a bad port', 'exchange --port 99999', 2, /expected a whole number from 0 to 65535/],
    ['a bad seed', 'exchange --seed -1', 2, /expected a whole number/],
    ['a missing argument', 'backtest', 2, /missing required argument 'recording'/],
    ['a bad mode', 'trade --mode real', 2, /Allowed choices are sim, paper, live/],
    ['a parameter without a strategy', 'trade --param a=1', 2, /--param: expected --strategy with it/],
    ['a malformed parameter', `backtest ${sample} ${maker} --param a`, 2, /expected the form name=value/],
    [
      'an unknown objective',
      `sweep ${sample} ${maker} --space gamma=1,2 --objective foo`,
      2,
      /no figure "foo"/,
    ],
    ['an unknown dimension', `sweep ${sample} ${maker} --space foo=1,2`, 2, /the command line: space\.foo/],
    ['an objective over a file', 'sweep backtest/sweeps/sample.yaml --objective foo', 2, /no figure "foo"/],
    ['an empty symbol', `data inspect ${sample} --symbol=`, 2, /--symbol: expected a value, found nothing/],
    ['an empty queue', 'worker --queue=', 2, /--queue <url>' argument '' is invalid. expected an address/],
    ['a queue of blanks', `sweep ${sample} ${maker} --space gamma=1 --queue=`, 2, /expected an address/],
    ['a tolerance in words', 'drift runs/x --tolerance abc', 2, /'abc' is invalid. expected a plain decimal/],
    [
      'a range upside down',
      `sweep ${sample} ${maker} --space gamma=1..0`,
      2,
      /space\.gamma\.from: expected the lower bound to be below the upper one, found 1/,
    ],
    ['a walk without lengths', `walk-forward ${sample} ${maker} --space gamma=1,2`, 2, /--train 1d --test/],
    ['a name that is none', 'new strategy My_Maker', 2, /expected a name of at most 40 lower case letters/],
    // Configuration: 78.
    [
      'a step shorter than the test that the file names',
      'walk-forward backtest/sweeps/sample.yaml --step 10s',
      2,
      /the command line: walk\.step: expected at least the length of a test/,
    ],
    ['a file without lengths', 'walk-forward backtest/sweeps/sample-scenario.yaml', 78, /--train 1d --test/],
    [
      'negative fees on bars',
      `backtest --scenario ${rebate}`,
      78,
      /fees\.rate: expected a rate of 0 or more, below 1/,
    ],
    ['an unknown setting', 'config show --set orders.colarPercent=3', 78, /did you mean "collarPercent"/],
    ['a wrong type', 'config validate --set run.seed=x', 78, /run\.seed: expected a number, found "x"/],
    ['a malformed setting', 'config show --set run', 78, /expected the form section\.key=value/],
    ['an absent file', 'config show --config nowhere.yaml', 78, /nowhere\.yaml/],
    ['no strategy', 'trade', 78, /strategies: expected at least one strategy/],
    ['no program', `gateway ${nobody}`, 78, /programs: expected at least one program, found none/],
    ['a gateway without a key of the venue', `gateway --mode sim ${program} ${nobody}`, 78, /venue\.api_key/],
    ['programs without a gateway', `trade ${program} ${nobody}`, 78, /godwit gateway serves programs/],
    [
      'a program without symbols',
      `gateway --config ${file('bare.yaml', 'programs: [{ name: grid }]\n')}`,
      78,
      /programs\.0\.symbols/,
    ],
    [
      'a limit of a program above that of the daemon',
      `gateway ${program} ${nobody} --set orders.messagesPerSecondMax=50`,
      78,
      /programs\.0\.limits\.messagesPerSecondMax: expected at most 50, which the daemon allows itself/,
    ],
    ['a key of no program', `gateway add other ${program}`, 78, /expected other among the programs/],
    ['no address', `trade ${maker}`, 78, /venue\.base_url/],
    ['live without --live', `trade --mode live ${maker} ${nobody}`, 78, /add --live/],
    ['live without an account', `trade --mode live --live ${maker} ${nobody}`, 78, /account: expected/],
    ['sim at a public host', `trade --mode sim ${maker} --set venue.preset=hitbtc`, 78, /on this machine/],
    ['no key', `trade --mode sim ${maker} ${nobody}`, 78, /venue\.api_key: expected a reference/],
    ['an address with its path', `trade ${maker} ${nobody}/api/3/ws/public`, 78, /without its path, ws:/],
    ['a wrong scenario', `backtest --scenario ${file('s.yaml', 'nome: x\n')}`, 78, /s\.yaml: /],
    ['a wrong sweep', `sweep ${file('w.yaml', 'space: { a: [1] }\ntopp: 1\n')}`, 78, /w\.yaml: .*topp/s],
    ['a missing secret', `trade --mode sim ${maker} ${nobody} ${keys}`, 78, /GODWIT_TEST_ABSENT/],
    ['no symbols to record', 'record', 78, /record\.symbols/],
    [
      'an absent strategy',
      `backtest ${sample} --strategy nope`,
      78,
      /there is no strategy "nope", shipped are bracket/,
    ],
    ['an unknown parameter', `backtest ${sample} ${maker} --param foo=1`, 78, /there is no param "foo"/],
    ['a wrong parameter', `backtest ${sample} ${maker} --param pauseMs=x`, 78, /pauseMs/],
    // Failures: 1.
    ['an absent recording', `backtest nowhere ${maker}`, 4, /expected a readable file at nowhere/],
    ['no recording', `backtest README.md ${maker}`, 1, /README\.md: expected/],
    ['two bars, one damaged', `data inspect ${damagedBars}`, 1, /found one before .*bars\.csv:3: .*the high/],
    [
      'an unreachable host',
      `trade --mode paper ${maker} ${nobody} --set client.start.waitMs=0`,
      1,
      /127\.0\.0\.1:9/,
    ],
    ['a recording without a run', `replay ${sample}`, 1, /expected the recording of a run/],
    ['an absent journal', `replay ${sample} --journal ${folder}`, 1, /expected the recording of a run/],
    ['books of nothing', 'data books nowhere', 4, /expected a readable file at nowhere/],
    ['a look at nothing', 'data inspect nowhere', 4, /expected a readable file at nowhere/],
    [
      'a strategy whose name no file system takes',
      `backtest ${sample} --strategy ${long}`,
      78,
      /strategy l{32} \(l+\): expected a \.ts file/,
    ],
  ])('%s', async (_what, line, code, sentence) => {
    const said = await run(line);
    expect(said.err).toMatch(sentence);
    expect(said.code).toBe(code);
    expect(said.err).not.toMatch(/\n\s+at /);
    expect(said.err.split('\n').length).toBeLessThanOrEqual(2);
    expect(said.out).toBe('');
  });

  test.each([
    ['warm-up', '--starts 1', /^from \S+ {2}no decisions\nwarm-up {3}not known: nothing was decided/],
    ['lookahead', '--cuts 1', /\nnot known {2}nothing was decided, so nothing could be compared$/],
    ['determinism', '--threads 1', /\nnot known: nothing was decided, so .*; 3 runs alike in every event$/],
  ])('check %s %s of a strategy that decides nothing proves nothing', async (check, options, expected) => {
    const idle = '--strategy test/app/fixtures/stray.ts --param deed=nothing';
    const said = await run(`check ${check} ${sample} ${idle} ${options}`);
    expect(said.out).toMatch(expected);
    expect(said.out).not.toMatch(/holds( |:)/);
    expect(said.err).toMatch(/nothing was proved/);
    expect(said.code).toBe(0);
  });

  test.each(['lookahead --cuts 1', 'determinism', 'warm-up --starts 1'])(
    'check %s tells of a strategy that hangs, throws late or ends the process',
    async (check) => {
      const hung = '--strategy test/app/fixtures/moody.ts --param mood=hung --timeout 1s';
      const said = await run(`check ${check} ${sample} ${hung}`);
      expect(said).toMatchObject({ code: 1, out: '' });
      expect(said.err).toMatch(/^godwit: a run of the check took longer than 1 s: the strategy hangs/);
      const stray = '--strategy test/app/fixtures/stray.ts --param deed=timerAndExit';
      const { err } = await run(`check ${check} ${sample} ${stray}`);
      for (const received of [/process\.exit was called/, /boom 1/])
        expect(err.split('\n').filter((line) => received.test(line))).toHaveLength(1);
    },
  );

  test('verifying a file whose name no file system takes', async () => {
    const said = await run(`data verify ${long}`);
    expect(said.code).toBe(7);
    expect(said.out).toMatch(/expected a readable file at l+, found: ENAMETOOLONG/);
    expect(said.out).not.toMatch(/\n\s+at /);
  });

  test('a file that exports no strategy', async () => {
    const path = file('export.ts', 'export default { name: 1 };\n');
    const said = await run(['backtest', sample, '--strategy', path]);
    expect(said.code).toBe(78);
    expect(said.err).toContain('defineStrategy');
  });

  test('a file that cannot be loaded', async () => {
    const path = file('broken.ts', 'export default nothingOfThisName;\n');
    const said = await run(['backtest', sample, '--strategy', path]);
    expect(said.code).toBe(78);
    expect(said.err).toContain('nothingOfThisName');
  });

  test('YAML that is none, with file and line', async () => {
    const path = file('bad.yaml', 'run:\n  seed: [1\n');
    const said = await run(['config', 'validate', '--config', path]);
    expect(said.code).toBe(78);
    expect(said.err).toContain('bad.yaml');
  });

  test('a secret in clear is refused and never shown', async () => {
    const said = await run(['config', 'show', '--set', 'venue.secret_key=hunter2hunter2']);
    expect(said.code).toBe(78);
    expect(said.err).toContain('venue.secret_key');
    expect(said.err).not.toContain('hunter2');
  });

  test('a strategy that gives up is reported, and a backtest of it fails', async () => {
    const said = await run(`backtest ${sample} ${maker} --param quantity=x --no-save`);
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/strategy market-maker was stopped: .*"x"/);
  });
});

describe('help', () => {
  const commands = ['demo', 'trade', 'backtest', 'record', 'exchange', 'replay'];
  const below = ['data books', 'data inspect', 'config show', 'config validate', 'config schema'];

  test.each([...commands, ...below])('of %s carries an example and exits with 0', async (command) => {
    const said = await run(`${command} --help`);
    expect(said.code).toBe(0);
    expect(said.out).toContain(`Example: godwit ${command}`);
    expect(said.out).not.toContain('default: []');
  });

  test('of the whole names every command', async () => {
    const said = await run('--help');
    expect(said.code).toBe(0);
    for (const command of [...commands, 'data', 'config'])
      expect(said.out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
  });

  test('the version is that of the package, with the Node it runs on', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    const text = `godwit ${version}, Node ${process.versions.node}`;
    for (const asked of ['--version', '-V', 'version'])
      expect(await run(asked)).toEqual({ code: 0, out: text, err: '' });
    const node = process.versions.node;
    expect(JSON.parse((await run('version --json')).out)).toEqual({ godwit: version, node });
    expect((await run('--help')).out).toContain('-V, --version');
    expect(await run('--versio')).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown option '--versio'"),
    });
  });

  test('no command at all shows the help and counts as a slip', async () => {
    const said = await run('');
    expect(said.code).toBe(2);
    expect(said.err).toContain('Usage: godwit');
  });
});

describe('config', () => {
  test('show prints YAML that is a configuration of the same values, and JSON where that is asked for', async () => {
    const set = ['--set', 'run.seed=9', '--set', 'record.symbols=[ETHBTC,BTCUSDT]'];
    const { out } = await run(['config', 'show', ...set]);
    expect(out).toMatch(/^venue:\n {2}preset: custom\n/);
    const file = join(folder, 'shown.yaml');
    writeFileSync(file, out);
    expect((await run(['config', 'show', '--config', file])).out).toBe(out);
    const json = (await run(['config', 'show', ...set, '--json'])).out;
    expect((await run(['config', 'show', '--config', file, '--json'])).out).toBe(json);
  });

  test('show --origin names where values came from', async () => {
    const said = await run('config show --set run.seed=9 --origin');
    expect(said.out).toContain('run.seed\t--set run.seed');
  });

  test('--set takes a list in brackets', async () => {
    const said = await run('config show --set record.symbols=[ETHBTC,BTCUSDT] --json');
    expect(JSON.parse(said.out)).toMatchObject({ record: { symbols: ['ETHBTC', 'BTCUSDT'] } });
  });
});
