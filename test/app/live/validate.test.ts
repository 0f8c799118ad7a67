import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TradeMode } from '../../../src/app/live/check-trade.ts';
import { OrderExplainer } from '../../../src/app/inspect/order-explainer.ts';
import type { ExplainsOrders } from '../../../src/app/live/operated.ts';
import { runTrade } from '../../../src/app/live/trade.ts';
import { exitCodeOf, sentenceOf } from '../../../src/app/cli/errors.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { run } from '../cli/support/run.ts';

// Each strategy is tried in a thread of its own.
const folder = mkdtempSync(join(tmpdir(), 'godwit-validate-'));
let server: Server;
let connections = 0;
let base: string;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const maker = { name: 'maker', path: 'strategies/market-maker' };
const keys = { api_key: '${env:VALIDATE_KEY}', secret_key: '${env:VALIDATE_SECRET}' };

/** A configuration as a file; `changes` replace whole sections. */
function configured(changes: Readonly<Record<string, unknown>>): string {
  const venue = { base_url: `http://${base}`, ws_url: `ws://${base}` };
  const run = { directory: join(folder, 'run') };
  const sections: Record<string, unknown> = { run, strategies: [maker], log: { level: 'silent' } };
  const given = changes['venue'] as object | undefined;
  return file('given.yaml', JSON.stringify({ ...sections, ...changes, venue: { ...venue, ...given } }));
}

/** What `trade` ends with, in this process: the command itself would put another in its place. */
async function trade(mode: TradeMode, path: string) {
  const { config } = loadConfig({ files: [path], environment: {}, sets: [] });
  const output = { data: () => {}, progress: () => {}, colour: false };
  const explains: ExplainsOrders = (places, clock) => new OrderExplainer(places, clock);
  const flags = {
    live: true,
    json: false,
    forMs: 1_000,
    record: false,
    clearHalt: false,
    command: '',
    explains,
  };
  try {
    return {
      code: await runTrade({ mode, config, read: () => config, environment: {}, output, ...flags }),
      err: '',
    };
  } catch (error) {
    return { code: exitCodeOf(error), err: `godwit: ${sentenceOf(error)}` };
  }
}

interface Case {
  readonly what: string;
  readonly mode: TradeMode;
  readonly changes: () => Readonly<Record<string, unknown>>;
  readonly says: RegExp;
}

const strategyFile = (name: string, text: string) => ({
  strategies: [
    { name: 'own', path: file(name, `import { defineStrategy, z } from 'godwit/strategy';\n${text}`) },
  ],
});

const cases: readonly Case[] = [
  {
    what: 'no strategy',
    mode: 'paper',
    changes: () => ({ strategies: [] }),
    says: /^godwit: strategies: expected at least one strategy/,
  },
  {
    what: 'a strategy that is not there',
    mode: 'paper',
    changes: () => ({ strategies: [{ name: 'x', path: 'strategies/nothing-here' }] }),
    says: /strategy x \(strategies\/nothing-here\): expected a \.ts file or a folder/,
  },
  {
    what: 'a parameter that does not exist',
    mode: 'paper',
    changes: () => ({ strategies: [{ ...maker, params: { simbol: 'ETHBTC' } }] }),
    says: /there is no param "simbol"/,
  },
  {
    what: 'a parameter of a strategy in the thread that is not as it must be',
    mode: 'paper',
    changes: () => ({ strategies: [{ ...maker, host: 'thread', params: { lifetimeSeconds: 'soon' } }] }),
    says: /param lifetimeSeconds: found "soon"/,
  },
  {
    what: 'a module that cannot be loaded',
    mode: 'paper',
    changes: () => strategyFile('broken.ts', 'export default nothingOfThisName;\n'),
    says: /nothingOfThisName/,
  },
  {
    what: 'a candle period that does not exist',
    mode: 'paper',
    changes: () =>
      strategyFile(
        'period.ts',
        "export default defineStrategy({ name: 'own', params: z.strictObject({}), feeds: () => [{ symbol: 'ETHBTC', candles: ['M2' as never] }], create: () => ({}) });\n",
      ),
    says: /candles "M2", expected a candle period/,
  },
  {
    what: 'two strategies of one name',
    mode: 'paper',
    changes: () => ({ strategies: [maker, maker] }),
    says: /strategy maker is listed twice/,
  },
  {
    what: 'a secret that is not set',
    mode: 'sim',
    changes: () => ({ venue: keys }),
    says: /venue\.api_key: the environment variable VALIDATE_KEY is not set or empty/,
  },
  {
    what: 'no key at all',
    mode: 'sim',
    changes: () => ({}),
    says: /venue\.api_key: expected a reference/,
  },
  {
    what: 'a secret in a file that others can read',
    mode: 'sim',
    changes: () => {
      const path = file('secret', 'canary');
      chmodSync(path, 0o644);
      return { venue: { api_key: `\${file:${path}}`, secret_key: `\${file:${path}}` } };
    },
    says: /can be read by others; expected mode 0600/,
  },
  {
    what: 'keys that would cross an open link',
    mode: 'live',
    changes: () => {
      const path = file('own', 'canary');
      chmodSync(path, 0o600);
      const reference = `\${file:${path}}`;
      const hosts = { base_url: 'http://venue.example', ws_url: 'ws://venue.example' };
      return { account: 'a', venue: { ...hosts, api_key: reference, secret_key: reference } };
    },
    says: /venue\.base_url: credentials may only be sent to an https or wss address/,
  },
  {
    what: 'mode sim at another machine',
    mode: 'sim',
    changes: () => ({ venue: { base_url: 'https://venue.example', ws_url: 'wss://venue.example' } }),
    says: /mode sim trades at an exchange on this machine/,
  },
  {
    what: 'mode live without the name of its account',
    mode: 'live',
    changes: () => ({ venue: keys }),
    says: /account: expected the name of the account/,
  },
  {
    what: 'a run directory that is a file',
    mode: 'paper',
    changes: () => ({ run: { directory: file('no-folder', '') } }),
    says: /run\.directory: expected a folder that can be written/,
  },
];

describe('config validate ends like trade before its first packet', () => {
  test.each(cases)('on $what', async ({ mode, changes, says }) => {
    const path = configured(changes());
    const before = connections;
    const checked = await run(['config', 'validate', '--mode', mode, '--config', path]);
    const traded = await trade(mode, path);
    expect(checked.err).toMatch(says);
    expect(traded).toEqual({ code: checked.code, err: checked.err });
    expect(checked.code).toBe(78);
    expect(checked.out).toBe('');
    expect(checked.err).not.toContain('canary');
    expect(connections).toBe(before);
  });
});

describe('config validate', () => {
  test('ends with 5, as trade does, where a strategy does not load in time at a second attempt either', async () => {
    const hangs = 'await new Promise(() => setInterval(() => {}, 1_000));\n';
    const { strategies } = strategyFile('hangs.ts', `${hangs}export default defineStrategy({} as never);\n`);
    const path = configured({ strategies: strategies.map((one) => ({ ...one, loadMs: 1_000 })) });
    const said = await run(['config', 'validate', '--mode', 'paper', '--config', path]);
    expect(said.code).toBe(5);
    expect(said.err).toMatch(
      /strategy own \(\S+hangs\.ts\): it did not load within 2 s \(loadMs of the strategy allows more\)$/,
    );
    expect(await trade('paper', path)).toEqual({ code: said.code, err: said.err });
  });

  test.each(['--inspect', '--inspect-brk=0', '--heapsnapshot-signal=SIGUSR2'])(
    'refuses a live run of a process with %s, by which others read its keys',
    async (option) => {
      const path = configured({ account: 'main', venue: keys });
      const kept = process.env.NODE_OPTIONS;
      process.env.NODE_OPTIONS = `--no-warnings ${option}`;
      try {
        const said = await trade('live', path);
        expect([said.code, said.err]).toEqual([
          78,
          `godwit: NODE_OPTIONS: mode live runs without ${option}, which shows the memory of the process and the keys in it; take it out`,
        ]);
        expect((await trade('sim', path)).err).not.toContain('NODE_OPTIONS');
      } finally {
        if (kept === undefined) delete process.env.NODE_OPTIONS;
        else process.env.NODE_OPTIONS = kept;
      }
    },
  );

  test('approves what trade would take, makes nothing, and asks nothing of the network', async () => {
    const path = configured({});
    const before = connections;
    const said = await run(['config', 'validate', '--config', path, '--json']);
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(said.out)).toEqual({ valid: true });
    expect(connections).toBe(before);
    expect(() => mkdirSync(join(folder, 'run'))).not.toThrow();
    rmSync(join(folder, 'run'), { recursive: true });
  });

  test('without a mode looks at keys where they are named', async () => {
    const said = await run(['config', 'validate', '--config', configured({ venue: keys })]);
    expect(said.code).toBe(78);
    expect(said.err).toContain('VALIDATE_KEY');
  });

  test.each(['record', 'exchange'])('of the command %s reads the settings alone', async (command) => {
    const args = ['config', 'validate', '--command', command, '--config', `config/${command}.yaml`];
    expect(await run(args)).toMatchObject({ code: 0 });
  });

  test.each([['record'], ['trade', '--mode', 'paper']])(
    'of %s on the exchange of this machine takes the public host from another file',
    async (command, ...mode) => {
      const files = ['--config', `config/${mode[1] ?? command}.yaml`, '--config', 'config/local.yaml'];
      const args = ['config', 'validate', ...(mode.length > 0 ? mode : ['--command', command]), ...files];
      expect(await run(args)).toMatchObject({ code: 0 });
    },
  );

  test('takes a strategy from the command line, as trade does', async () => {
    const args = ['config', 'validate', '--config', configured({ strategies: [] }), '--strategy', 'grid'];
    expect(await run(args)).toMatchObject({ code: 0 });
    const said = await run([...args, '--param', 'nonsense=1']);
    expect(said.code).toBe(78);
    expect(said.err).toContain('there is no param "nonsense"');
  });
});
