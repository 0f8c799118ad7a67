import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runFileIn } from '../../../src/app/operate/run-file.ts';
import { stringify } from 'yaml';
import { Cli } from '../../system/support/cli.ts';
import { holds } from '../../system/support/holds.ts';
import { until } from '../../system/support/until.ts';
import { run } from '../cli/support/run.ts';

// One strategy has three words: the name in the configuration, the name in its code and the name of its file. Its messages have the first.
const folder = mkdtempSync(join(tmpdir(), 'godwit-one-name-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const configured = 'night-desk';
const inCode = 'called-inside';

const path = join(folder, 'filed-as.ts');
writeFileSync(
  path,
  `import { defineStrategy, seconds, z } from 'godwit/strategy';

export default defineStrategy({
  name: '${inCode}',
  params: z.strictObject({ depth: z.int().min(1).default(1), fails: z.enum(['no', 'feeds', 'products', 'create']).default('no') }),
  feeds: ({ fails }) => {
    if (fails === 'feeds') throw new Error('no feeds');
    return [{ symbol: 'ETHBTC', book: true }];
  },
  products: ({ fails }) => (fails === 'products' ? ([] as never) : ['spot']),
  create: ({ orders, log, params, timers }) => {
    if (params.fails === 'create') throw new Error('no beginning');
    return {
      onStart: () => {
        log.warn('it begins');
        timers.every(seconds(0.2), 'look');
      },
      onTimer: () => {
        orders.place({ symbol: 'ETHBTC', side: 'buy', quantity: 1, type: 'market' });
      },
    };
  },
});
`,
);

function configOf(params: Readonly<Record<string, unknown>>): string {
  const file = join(folder, 'refused.yaml');
  const strategy = { name: configured, path, params };
  const venue = { base_url: 'http://127.0.0.1:1', ws_url: 'ws://127.0.0.1:1' };
  writeFileSync(file, stringify({ run: { directory: join(folder, 'runs') }, venue, strategies: [strategy] }));
  return file;
}

/** The daemon of the one run in `runs`, as soon as it listens. */
function runFileBelow(runs: string) {
  const [run] = existsSync(runs) ? readdirSync(runs) : [];
  return run === undefined ? undefined : runFileIn(join(runs, run));
}

describe('a strategy whose configured name differs from that in its code', () => {
  test.each([
    ['a param that it does not take', { depth: 0 }, `strategy ${configured}: param depth: found 0`],
    ['a param that it does not know', { deep: 2 }, `strategy ${configured}: there is no param "deep"`],
    ['feeds that throw', { fails: 'feeds' }, `strategy ${configured}: feeds() threw`],
    ['no product', { fails: 'products' }, `strategy ${configured}: products() returned []`],
  ] as const)('is refused by its configured name: %s', async (_, params, sentence) => {
    const said = await run(['config', 'validate', '--mode', 'paper', '--config', configOf(params)]);
    expect(said.code).toBe(78);
    expect(said.err).toContain(sentence);
    expect(said.err).not.toContain(inCode);
  });

  test('has that name in each message of a daemon', async () => {
    const runs = join(folder, 'demo');
    const config = join(folder, 'demo.yaml');
    const strategies = [{ name: configured, path, limits: { messagesPerSecondMax: 20 } }];
    writeFileSync(config, stringify({ run: { directory: runs }, log: { level: 'info' }, strategies }));
    const demo = new Cli(['demo', '--json', '--config', config]);
    try {
      const { url, token } = await until('the address of the daemon', () => runFileBelow(runs));
      const asked = async (...args: readonly string[]): Promise<string> => {
        const { out, err } = await run([...args, '--set', `run.directory=${runs}`]);
        return out + err;
      };
      const said: string[] = [];
      const says = async (args: readonly string[], sentence: string): Promise<void> => {
        await holds(async () => {
          said.push(await asked(...args));
          expect([args, said.at(-1)]).toEqual([args, expect.stringContaining(sentence)]);
        });
      };
      await says(['controls'], `${configured}  `);
      await says(['status'], configured);
      await says(['limits'], configured);
      await says(['journal'], `strategy ${configured}, warn: it begins`);
      await says(['params', configured, 'depth=0'], `strategy ${configured}: param depth: found 0`);
      await says(['params', inCode], 'there is no strategy');
      said.pop();
      await says(['params', configured, 'depth=2'], `strategy ${configured}: depth changed`);
      await says(['stop', '--strategy', configured], `strategy ${configured}: stopped`);
      // What an operator ended is no alert.
      await says(['alerts'], `strategy ${configured}, warn: it begins`);
      expect(said.at(-1)).not.toContain('was stopped');
      await says(['start', configured], `strategy ${configured}: started`);
      await says(['params', configured, 'fails=create'], `strategy ${configured}`);
      await says(['alerts'], 'no beginning');
      const answers = ['/api/status', '/api/strategies', '/api/profits', '/api/controls', '/metrics'];
      for (const at of answers) {
        const answer = await fetch(`${url}${at}`, { headers: { authorization: `Bearer ${token}` } });
        said.push(await answer.text());
      }
      demo.kill('SIGTERM');
      const { out, err } = await demo.end();
      expect(err).toContain(`strategy ${configured}`);
      const [id = ''] = readdirSync(runs);
      const written = readdirSync(join(runs, id)).filter((name) => /\.(html|json|log|txt)$/.test(name));
      expect(written).toContain('report.html');
      const texts = [...said, out, err, ...written.map((name) => readFileSync(join(runs, id, name), 'utf8'))];
      for (const text of texts) expect(text).not.toContain(inCode);
    } finally {
      demo.kill();
    }
  });
});
