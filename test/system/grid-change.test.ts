import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configSchema } from '../../src/app/config/schema.ts';
import { OrderExplainer } from '../../src/app/inspect/order-explainer.ts';
import { runTrade } from '../../src/app/live/trade.ts';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { openRecording } from '../../src/data/open/own-formats.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';
import { run } from '../app/cli/support/run.ts';
import { Counterparty } from './support/counterparty.ts';
import { ListProxy } from './support/list-proxy.ts';
import { quickClient } from './support/stage.ts';
import { until } from './support/until.ts';

let exchange: ExchangeServer;
let proxy: ListProxy;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-grid-'));
  exchange = await ExchangeServer.start({
    options: {
      publish: { bookMs: 10, balanceBatchMs: 50 },
      limits: { enabled: false },
      flow: { enabled: false },
    },
    clock: new SystemClock(),
    random: new Random(3),
  });
  proxy = await ListProxy.start(exchange.restUrl);
});
afterEach(async () => {
  await proxy.close();
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});

const directory = (): string => join(folder, 'run');
/** What a command of the operator answers; nothing while no run is there to answer. */
async function asked<Answer>(...words: readonly string[]): Promise<Answer | undefined> {
  const { code, out } = await run([...words, '--set', `run.directory=${directory()}`, '--json']);
  return code === 0 ? (JSON.parse(out) as Answer) : undefined;
}

test('trade goes on in its process when a tick size changes, and its recording and journal are read across the change', async () => {
  const market = new Counterparty(exchange);
  const path = fileURLToPath(new URL('fixtures/grid-buyer.ts', import.meta.url));
  const said: string[] = [];
  const configure = () =>
    configSchema.parse({
      run: { directory: directory(), seed: 11 },
      venue: {
        base_url: proxy.url,
        ws_url: exchange.wsUrl,
        api_key: '${env:KEY}',
        secret_key: '${env:SECRET}',
      },
      strategies: [{ name: 'grid-buyer', path, host: 'thread' }],
      client: { ...quickClient, market: { ...quickClient.market, statusMs: 1_000 } },
      orders: { onStart: 'keep', onStop: 'keep' },
      record: { directory: join(folder, 'recording') },
      log: { level: 'silent' },
    });
  const [key] = exchange.accounts.get('demo').keys;
  const ended = runTrade({
    mode: 'sim',
    live: false,
    config: configure(),
    read: configure,
    environment: { KEY: key?.apiKey, SECRET: key?.secret.reveal() },
    output: { data: () => {}, progress: (line) => void said.push(line), colour: false },
    json: true,
    forMs: undefined,
    record: true,
    clearHalt: false,
    explains: (places, clock) => new OrderExplainer(places, clock),
  });
  const orders = async () => (await asked<{ id: string; price: string; quantity: string }[]>('orders')) ?? [];
  const held = async () => (await asked<{ quantity: string }[]>('positions'))?.[0]?.quantity;
  // A quiet market tells a strategy of no book.
  const stir = (): string => market.rest('buy', 298_000, 1);
  await until(
    'a position',
    async () => stir() !== '' && (await held()) === '0.0020' && (await orders()).length === 1,
  );
  proxy.change = (symbol, one) => (symbol === 'ETHUSDT' ? { ...one, tick_size: '0.001' } : one);
  await until('the next run', () => said.some((line) => line.startsWith('The run is opened anew')));
  await until(
    'more of it',
    async () => stir() !== '' && (await held()) === '0.0040' && (await orders()).length === 2,
  );
  expect((await orders()).map(({ price }) => price).toSorted()).toEqual(['2991.010', '2991.100']);
  market.take('sell', 299_100, 10);
  await asked('stop', '--why', 'the end');
  expect(await ended).toBe(0);
  const opened = said.filter((line) => line.startsWith('Trading (sim)'));
  expect(opened).toHaveLength(2);
  expect(said).toContain(
    'ETHUSDT has tick size 0.001 and quantity increment 0.0001 from now on: cancelling own orders.',
  );

  const audited = await run(['audit', '--set', `run.directory=${directory()}`]);
  expect([audited.code, audited.out]).toEqual([
    0,
    expect.stringContaining('the journal and its own balances agree'),
  ]);
  const recording = join(folder, 'recording');
  const replayed = await run(['replay', recording, '--journal', directory()]);
  expect([replayed.code, replayed.out.match(/alike in \d+ events/g)]).toEqual([
    0,
    [expect.anything(), expect.anything()],
  ]);
  const alone = await run(['replay', recording]);
  const digests = (text: string) => text.match(/^digest .*$/gm);
  expect([alone.code, digests(alone.out)]).toEqual([1, digests(replayed.out)?.slice(0, 1)]);
  expect(alone.err).toMatch(
    /^godwit: 1 of 2 runs of the recording went on with the journal of those before \(\w+\); name its directory by --journal$/,
  );
  const drift = await run(['drift', directory(), '--recording', recording, '--json']);
  expect([drift.code, JSON.parse(drift.out)]).toMatchObject([
    0,
    { sessions: [{ fills: { live: 1 } }, { fills: expect.anything() }] },
  ]);
  const { instruments, notes } = await openRecording([recording]);
  expect(instruments.get('ETHUSDT').spec.tickSize).toBe('0.001');
  expect(notes).toEqual([
    'the tick size or quantity increment of ETHUSDT changed between the runs of the recording: all of it is read in steps of 0.001 and 0.0001',
  ]);
  const line = [recording, '--strategy', path, '--set', 'orders.lastTradeNeeded=false'];
  const backtested = await run(['backtest', ...line, '--no-save', '--no-band', '--json']);
  expect([backtested.code, JSON.parse(backtested.out).orders]).toMatchObject([0, { placed: 2, filled: 1 }]);
  expect((await run(['check', 'determinism', ...line])).code).toBe(0);
});
