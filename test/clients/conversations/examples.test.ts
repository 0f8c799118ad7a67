import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningExchange } from '../support/exchange.ts';
import { living, startExchange } from '../support/exchange.ts';
import { python, talk } from '../support/other-languages.ts';
import { after, before, describe, test } from '../support/talk.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const programs = join(root, 'test', 'clients', 'python');
const example = (...path: readonly string[]): string => join(root, 'examples', ...path);

describe('examples of the repository', () => {
  let exchange: RunningExchange;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'godwit-examples-'));
    exchange = await startExchange(living);
  });
  after(async () => {
    await exchange?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const where = (account: string) => {
    const { apiKey, secret } = exchange.key(account);
    const { rest, ws } = exchange;
    return { GODWIT_REST: rest, GODWIT_WS: ws, GODWIT_API_KEY: apiKey, GODWIT_SECRET_KEY: secret };
  };

  test('a client in Python signs and places an order, and hears of it on the socket', async () => {
    const said = await talk(await python(), [example('python-client', 'place_order.py')], where('demo'));
    assert.match(
      said,
      /^placed {3}new 0\.0100 ETHBTC at 0\.04\d+\nreported new new order \d+\nreported canceled$/m,
    );
  });

  test('the OpenAPI documents are valid, and a client that is generated from one places an order', async () => {
    const program = await python();
    const documents = ['openapi.json', 'openapi/exchange-v3.json', 'openapi/exchange-v2.json'];
    const paths = documents.map((path) => join(root, path));
    const settings = join(folder, 'generator.yaml');
    // Without the formatter that it would start.
    writeFileSync(settings, 'post_hooks: []\n');
    const generate = async (path: string, into: string): Promise<string> => {
      const to = ['--output-path', join(folder, into), '--meta', 'none', '--config', settings];
      return talk(program, ['-m', 'openapi_python_client', 'generate', '--path', path, ...to]);
    };
    const [valid, ...generated] = await Promise.all([
      talk(program, [join(programs, 'valid_documents.py'), ...paths]),
      generate(join(root, 'openapi', 'exchange-v3.json'), 'godwit_exchange'),
    ]);
    assert.match(valid, /all held/);
    // Whatever it cannot generate it names in warnings.
    for (const said of generated) assert.doesNotMatch(said, /warning|error/i);
    const said = await talk(program, [example('generated-client', 'place_order.py')], {
      ...where('demo'),
      PYTHONPATH: folder,
    });
    assert.match(said, /^placed {3}new 0\.0100 ETHBTC at 0\.010000 created 20\d\d-/m);
    assert.match(said, /^canceled canceled\nrefused {2}2001 No such symbol: NOSUCH$/m);
  });

  test('a bot of ccxt quotes both sides', async () => {
    const bot = [example('ccxt-bot', 'bot.py'), '3'];
    const said = await talk(await python(), bot, { ...where('demo-two'), PAUSE_SECONDS: '0.1' });
    assert.match(said, /^round 3: [12] orders around 0\.0\d+$/m);
    assert.match(said, /^\d+ fills, 0 open orders$/m);
  });

  test('the notebook reads the tables of a run', async () => {
    const program = await python();
    const scenario = join(root, 'backtest', 'scenarios', 'sample.yaml');
    const out = join(folder, 'out');
    const run = ['backtest', '--scenario', scenario, '--export', out, '--no-save', '--no-band', '--json'];
    const said = await talk(process.execPath, [join(root, 'bin', 'godwit.js'), ...run]);
    const report = JSON.parse(said.split('\n').find((line) => line.startsWith('{')) ?? '{}') as {
      readonly fills: readonly unknown[];
    };
    const notebook = [join(programs, 'run_notebook.py'), example('notebook', 'run.ipynb')];
    const shown = await talk(program, notebook, { GODWIT_EXPORT: out });
    assert.match(shown, new RegExp(`^${report.fills.length} fills, \\d+ orders, \\d+ round trips$`, 'm'));
    assert.match(shown, /^profit -?[\d.E-]+ BTC of which closed -?[\d.E-]+$/m);
  });
});
