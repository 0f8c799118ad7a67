import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Status } from '../../src/operate/schemas.ts';
import type { OrderRow } from '../../src/operate/views/orders.ts';
import { ArchiveServer, klinesOf } from '../support/archive-server.ts';
import { Cli, shortLived } from '../system/support/cli.ts';
import { until, waitMax } from '../system/support/until.ts';
import type { Said } from './cli/support/run.ts';
import type { Shown } from './support/pages.ts';
import {
  asGodwit,
  linesOfBlocks,
  linesOfText,
  missingLines,
  outputsOf,
  pages,
  read,
  root,
} from './support/pages.ts';

/** Lines of blocks that are not run, and why. */
const notRun: readonly (readonly [line: RegExp, why: string])[] = [
  [/^(useradd|install|cp|systemctl) /, 'systemd: service.test.ts reads the unit'],
  [/^npm ci /, 'packages of a registry'],
  [/^npx vitest /, 'tests'],
  [/^npm run /, 'minutes of computing: that the script is there is looked at below'],
  [/^npx godwit explain ID --journal runs\/x\/shadow/, 'an order of a shadow, which no list names'],
  [/^docker /, 'Docker: docker.test.ts reads the files'],
  [/^export /, 'the keys of the exchange are in the environment already'],
  [/^npx godwit replay FILE/, 'a run with a recording on another machine: incidents.test.ts'],
  [/^npx godwit (sentinel|kill)\b/, 'a daemon with a sentinel: sentinel.test.ts, kill.test.ts'],
  [/^npx godwit gateway\b/, 'an exchange, a gateway and its programs: gateway.test.ts, keys-command.test.ts'],
  [/^curl .*\/replay$/, 'a recorded market that goes on as clients ask: recorded-market/open.test.ts'],
  [/^npx godwit drift /, 'a recording long enough to compare: nightly-drift.test.ts'],
  [/ backtest\/my-trend\.yaml$/, 'a project of its own: first-download.test.ts'],
  [/^nats-server|--queue nats:/, 'a NATS server: sweep-queue.test.ts has one of its own'],
];

/** Commands in the text of a page that stand for the kind of command: they name no data, strategy or run to work on. */
const names =
  /^npx godwit (backtest|sweep|walk-forward|trade|trade --mode paper|check|check (lookahead|warm-up)|data import|replay|report|params|explain)$|^npx godwit (data download VENUE|backtest DATA) |(\.\.\.|FILE|COMMAND|RECORDING…|RUN_DIRECTORY.*)( --strategy NAME| --help)?$/;

/** Commands that are a process of their own: they start threads, or run until they are ended. */
const apart = /^npx godwit (demo|trade|record|exchange|init|watch|logs -f)\b/;

/** Commands that run until they are ended: they have done what they do when their first line came. */
const endless = /^npx godwit (exchange|watch|logs -f)\b/;

/** Commands that steer a daemon or read what it left: they are run against one. */
const operated =
  /^npx godwit (status|watch|health|dashboard|orders|positions|margin|balances|differences|trades|limits|controls|profits|days|feeds|series|budgets|journal|alerts|pause|resume|cancel|flatten|reduce|halt|clear|stop|start|params|reload|promote|logs|explain|audit|incident)\b/;

/** How commands end that do not end with 0, and where the page says so. */
const codes: readonly (readonly [line: RegExp, code: number])[] = [
  // docs/service.md: by SIGTERM, which is what ends it here.
  [/^npx godwit exchange\b/, 143],
  // docs/honesty.md: "`not found` and exit code 7, as for the shipped market maker".
  [/^npx godwit check warm-up /, 7],
];

let folder: string;
let exchange: Cli;
/** In the place of the archive that downloads of the pages come from. */
const archive = new ArchiveServer();
let archiveAddress: string;
let lines: ChildProcess;
let environment: Readonly<Record<string, string>>;

/** Runs one command line in the folder, in one process with the others. */
async function run(line: string): Promise<Said> {
  const [, before = '', rest = ''] = /^((?:\w+=\S+ )*)npx godwit (.*)$/.exec(line) ?? [];
  const own = Object.fromEntries(
    before
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
  const args = [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  if (apart.test(line)) {
    // What begins a project does so in a folder that is empty.
    const where = args[0] === 'init' ? mkdtempSync(join(folder, 'project-')) : folder;
    const cli = new Cli(args, { ...environment, ...own }, undefined, where);
    try {
      if (endless.test(line)) {
        await cli.firstLine(waitMax);
        cli.kill('SIGTERM');
      }
      return await cli.end();
    } finally {
      cli.kill();
    }
  }
  const said = once(lines, 'message');
  lines.send({ args, environment: { ...environment, ...own } });
  return ((await said) as [Said])[0];
}

beforeAll(async () => {
  mkdirSync(join(root, '.godwit'), { recursive: true });
  folder = mkdtempSync(join(root, '.godwit/pages-run-'));
  for (const name of ['backtest', 'config', 'strategies', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['src', 'node_modules', 'bin']) symlinkSync(join(root, name), join(folder, name));
  exchange = new Cli(['exchange', '--port', '0', '--seed', '7', '--json']);
  const { rest, ws, accounts } = JSON.parse(await exchange.firstLine()) as {
    readonly rest: string;
    readonly ws: string;
    readonly accounts: readonly { readonly api_key: string; readonly secret_key: string }[];
  };
  environment = {
    GODWIT_API_KEY: accounts[0]?.api_key ?? '',
    GODWIT_SECRET_KEY: accounts[0]?.secret_key ?? '',
  };
  /** The pages have the exchange at port 8080, which others of this machine may use. */
  const here = (text: string): string =>
    text.replaceAll('http://127.0.0.1:8080', rest).replaceAll('ws://127.0.0.1:8080', ws);
  const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, name), text);
  write('config/local.yaml', here(read('config/local.yaml')));
  const configured = [...read('docs/configuration.md').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  );
  write('my-sim.yaml', here(configured.find((text) => text.includes('runs/my-sim')) ?? ''));
  write('maker.yaml', configured.find((text) => text.includes('shadow:')) ?? '');
  // What a reader fills in of the example: another place, and the addresses.
  const live = read('config/live.example.yaml').replace(
    'preset: hitbtc',
    `base_url: ${rest}\n  ws_url: ${ws}`,
  );
  write('live.yaml', live);
  write('prices.csv', '1678406400,1,3,1,2\n1678406460,2,3,1,2\n1678406520,2,4,2,3\n');
  write('BTCUSDT-book.csv', 'timestamp,bid1,bidvol1,ask1,askvol1\n1678406400000,1.5,2,1.75,3\n');
  write('BTCUSDT-levels.csv', 'ts,s,p,q,full\n1678406400000,bid,1.5,2,true\n1678406400000,ask,1.75,3,true\n');
  for (const day of [10, 11]) {
    const name = `BTCUSDT-1m-2023-03-${day}`;
    const rows = [0, 1, 2].map((minute) => {
      const begin = Date.UTC(2023, 2, day) + 60_000 * minute;
      return `${begin},1.5,1.75,1.25,1.5,2,${begin + 59_999},3,4,1,1.5,0\n`;
    });
    write(`${name}.zip`, zipSync({ [`${name}.csv`]: strToU8(rows.join('')) }));
  }
  const book =
    '[1,{"as":[["30.01","5.0","1626993900.1"],["30.02","6.0","1626993900.2"]],"bs":[["30.00","7.0","1626993900.3"]]},"book-2","XMR/USD"]';
  const kraken = ['wss://ws.kraken.com <-> 1626993903.5', `1626993904.000000: ${book}`, ''].join('\n');
  write('kraken.txt.gz', gzipSync(kraken));
  const metrics =
    'create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio\n2023-03-10 00:05:00,BTCUSDT,1.5,30000,1.1,1.2,1.3,1.4\n';
  write('BTCUSDT-metrics-2023-03-10.zip', zipSync({ 'BTCUSDT-metrics-2023-03-10.csv': strToU8(metrics) }));
  archiveAddress = await archive.start();
  for (const day of ['2024-12-30', '2024-12-31', '2025-01-01', '2025-01-02'])
    archive.put('spot/daily/klines/BTCUSDT/1h', `BTCUSDT-1h-${day}`, klinesOf(day, 3_600_000));
  for (const page of ['docs/strategies.md', 'docs/indicators.md']) {
    const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(read(page)) ?? [];
    mkdirSync(join(folder, page), { recursive: true });
    write(join(page, 'it.ts'), code);
  }
  const fixture = join(root, 'test/app/fixtures/command-lines.ts');
  lines = fork(fixture, {
    cwd: folder,
    execArgv: [...shortLived],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      BUNDLE_OF_TESTS: process.env['BUNDLE_OF_TESTS'],
    },
  });
  await once(lines, 'message');
});

afterAll(async () => {
  await archive.stop();
  const gone = once(lines, 'exit');
  lines.kill('SIGKILL');
  exchange.kill();
  await Promise.all([gone, exchange.end()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Run directories of a kind, the newest first. */
function runsOf(kind: string): readonly string[] {
  const home = join(folder, 'runs', kind);
  // What is done with the run of a demo on the pages needs its recording.
  const isMeant = (name: string): boolean => kind !== 'demo' || existsSync(join(home, name, 'recording'));
  return readdirSync(home).filter(isMeant).toSorted().toReversed();
}

/** Lines of which a page shows what they print. */
const withOutput = new Set(pages.flatMap(outputsOf).map(({ line }) => asGodwit(line) ?? line));

/** A backtest runs nine times more for its band, which backtest-band.test.ts looks at: here those that name it or show it have one. */
const isBandless = (line: string): boolean =>
  /^npx godwit backtest\b(?!.* --(no-)?band\b)/.test(line) && !withOutput.has(line);

/** A line as it is run here: what is written in capitals filled in, times and searches short, addresses of this test. */
function adapted({ page, line }: Shown): string {
  return (
    line
      .replace(/ > \S+$/, '')
      .replaceAll(/runs\/(demo|backtests)\/(RUN|[AB])\b/g, (_, kind: string, which: string) =>
        join('runs', kind, runsOf(kind)[which === 'B' ? 1 : 0] ?? ''),
      )
      .replaceAll(/ \[[^\]]*\.\.\.\]/g, '')
      .replace('[NAME]', 'my-maker')
      .replaceAll('NAME', 'maker')
      .replace('bash|zsh|fish', 'bash')
      .replace('/etc/godwit/', '')
      .replace(/--for \S+/, '--for 2s')
      .replace('--port 8080', '--port 0')
      // They take the configuration of the daemon that shall start.
      .replace(/^npx godwit (plan|doctor)$/, 'npx godwit $1 --mode sim --config my-sim.yaml')
      .replace('path/to/it', join(page, 'it.ts'))
      .replace('--set venue.preset=hitbtc', '--config config/local.yaml')
      .replace('paper.yaml --export', 'paper.yaml --config config/local.yaml --export')
      .replace(/^(npx godwit (?:trade|demo)\b(?!.* --for ).*)$/, '$1 --for 2s')
      .replace(/^npx godwit check lookahead .*$/, '$& --cuts 1')
      .replace(/^npx godwit (data|init) .*download binance\b.*$/, `$& --address ${archiveAddress}`)
      .replace(/^npx godwit init .*--download.*$/, '$& --from 2024-12-30 --to 2025-01-02')
      // Each thread compiles the program anew: of trials this few, one thread takes a fifth less processor time than two.
      .replace(/^npx godwit (sweep|walk-forward) (?!.*--(workers|queue) ).*$/, '$& --workers 1')
      // A tenth of the orders of others: they take most of the time of a run.
      .replace(/^npx godwit check chaos .*$/, '$& --set exchange.flow.eventsPerSecond=3')
      .replace(
        /^npx godwit (sweep|walk-forward) .*\/sample\.yaml(?!.* --queue ).*$/,
        '$& --search random --trials 6',
      )
      // As many as its search starts with, and a round of guided ones.
      .replace(/^npx godwit sweep .*sample-scenario.*$/, '$& --search tpe --trials 12')
      .replace(/$/, isBandless(line) ? ' --no-band' : '')
  );
}

function expectedOf(line: string): number {
  return codes.find(([found]) => found.test(line))?.[1] ?? 0;
}

/** Each line of a page once. */
const shown = new Map(
  pages
    .flatMap((page) => [...linesOfBlocks(page), ...linesOfText(page)])
    .map((one): Shown => ({ ...one, line: asGodwit(one.line) ?? one.line }))
    .filter(({ line }) => !names.test(line) && !notRun.some(([found]) => found.test(line)))
    .map((one) => [`${one.page} ${one.line}`, one]),
).values();
const toRun = [...shown];

/** What lines printed, as they were run here. */
const done = new Map<string, string>();
/** What the lines of pages printed, by the line as it is written there. */
const printed = new Map<string, string>();
const onFiles = toRun.filter(({ line }) => !operated.test(line));

// Other pages read what the demo of docs/recording.md recorded. A test for each page: together they take minutes on a busy machine.
const recording = 'docs/recording.md';
test.each([recording, ...new Set(onFiles.map(({ page }) => page))])(
  'every command of %s that works on files, or is a run, ends as the page says',
  async (page) => {
    const wrong: string[] = [];
    for (const one of onFiles.filter((each) => each.page === page)) {
      const line = adapted(one);
      if (done.has(line)) {
        printed.set(one.line, done.get(line) ?? '');
        continue;
      }
      const { code, out, err } = await run(line);
      done.set(line, `${out}\n${err}`);
      printed.set(one.line, `${out}\n${err}`);
      if (code !== expectedOf(line)) wrong.push(`${line}: ${code}: ${err.slice(-500)}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('the pages have commands enough that this finds them', () => {
  expect(done.size).toBeGreaterThan(50);
});

async function json<Value>(line: string): Promise<Value> {
  const { code, out, err } = await run(`npx godwit ${line} --json`);
  expect([line, code, err]).toEqual([line, 0, '']);
  return JSON.parse(out) as Value;
}

/** What must have happened before a command, so that there is something to do for it. */
const before: readonly (readonly [line: RegExp, first: string])[] = [
  [/^npx godwit start /, 'stop --strategy maker'],
  [/^npx godwit resume/, 'pause'],
  [/^npx godwit promote /, 'flatten'],
];
/** What lets the daemon go on after one. */
const after: readonly (readonly [line: RegExp, then: string])[] = [
  [/^npx godwit stop --strategy /, 'start maker'],
  [/^npx godwit (pause|flatten|promote)/, 'resume'],
  [/^npx godwit (reduce|halt)/, 'clear'],
];

test('every command of README and the pages that sees or steers a daemon does so', async () => {
  const wrong: string[] = [];
  const steering = [
    ...new Map(toRun.filter(({ line }) => operated.test(line)).map((one) => [one.line, one])).values(),
  ];
  const daemon = new Cli(['demo', '--config', 'maker.yaml'], environment, undefined, folder);
  const find = async <Row>(what: string, list: string, found: (rows: readonly Row[]) => boolean) =>
    until(what, async () => {
      const { code, out } = await run(`npx godwit ${list} --json`);
      const rows = code === 0 ? (JSON.parse(out) as readonly Row[]) : undefined;
      return rows !== undefined && found(rows) ? rows : undefined;
    });
  const runs = async (line: string): Promise<void> => {
    let last: Status['strategies'][number] | undefined;
    await until('the strategy runs', async () => {
      last = (await json<Status>('status')).strategies[0];
      return last?.state === 'running';
    }).catch((error: unknown) => wrong.push(`${line}: ${String(error)}, found ${JSON.stringify(last)}`));
  };
  try {
    await find<OrderRow>('an order', 'orders', (rows) => rows.length > 0);
    const isLast = ({ line }: Shown): boolean => line === 'npx godwit stop';
    for (const one of [...steering.filter((each) => !isLast(each)), ...steering.filter(isLast)]) {
      for (const [found, first] of before) if (found.test(one.line)) await json(first);
      let line = adapted(one);
      if (/ ID\b/.test(line)) {
        const rows = await find<OrderRow>('an order', 'orders', (some) => some.length > 0);
        line = line.replace(' ID', ` ${rows[0]?.clientOrderId ?? ''}`);
      }
      if (line.includes('CODE')) {
        writeFileSync(
          join(folder, 'maker.yaml'),
          `${readFileSync(join(folder, 'maker.yaml'), 'utf8')}orders: { collarPercent: 6 }\n`,
        );
        const { out } = await run('npx godwit reload');
        line = line.replace('CODE', /--confirm (\S+)/.exec(out)?.[1] ?? '');
      }
      if (line.includes('promote')) {
        await find('no order', 'orders', (rows) => rows.length === 0);
        await find<{ quantity: string }>('no position', 'positions', (rows) =>
          rows.every(({ quantity }) => Number(quantity) === 0),
        );
      }
      const { code, out, err } = await run(line);
      printed.set(one.line, `${out}\n${err}`);
      if (code !== expectedOf(line)) wrong.push(`${one.page}: ${line}: ${code}: ${err.slice(-500)}`);
      if (line.startsWith('npx godwit start ')) await runs(line);
      for (const [found, then] of after) {
        if (!found.test(line)) continue;
        const { out } = await run(`npx godwit ${then}`);
        if (then === 'start maker') await runs(line);
        if (then === 'clear')
          await run(`npx godwit clear --confirm ${/--confirm (\S+)/.exec(out)?.[1] ?? ''}`);
      }
    }
    expect((await daemon.end()).code).toBe(0);
  } finally {
    daemon.kill();
  }
  expect(wrong).toEqual([]);
  expect(steering.length).toBeGreaterThan(30);
});

/** Lines that do not print the same on the pages, where they stand after others: their output was copied once. */
const copied = /^npx godwit (demo|trade|replay|report|compare)\b/;

test('what docs/commands.md shows of a command on files is what it printed above', () => {
  const shown = pages
    .flatMap(outputsOf)
    .filter(({ line }) => printed.has(line) && !operated.test(line) && !copied.test(line));
  const wrong = shown.flatMap(({ line, output }) =>
    missingLines(output, printed.get(line) ?? '').map((one) => `${line} did not print: ${one}`),
  );
  expect(wrong).toEqual([]);
  expect(shown.length).toBeGreaterThan(12);
});

test('every script of npm that a page names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => ({ page, script })),
  );
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
