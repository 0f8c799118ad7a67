import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Config } from '../../src/app/config/schema.ts';
import { OrderExplainer } from '../../src/app/inspect/order-explainer.ts';
import { runTrade } from '../../src/app/live/trade.ts';
import { planCommand } from '../../src/app/preflight/plan.ts';
import type { Plan } from '../../src/app/preflight/plan-text.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { Puppet } from './support/puppet.ts';
import { PuppetScene } from './support/puppet-scene.ts';
import { until } from './support/until.ts';

// What plan, a start and a stop say of exits, and what they do with them. Faults, O10.

let scene: PuppetScene;
/** Where news of a run go. */
let hook: string | undefined;

afterEach(async () => {
  await scene.stage.close();
});

const stopPrice = 290_000;
const profit = { side: 'sell', quantity: 12, price: 310_000 } as const;
const stop = { side: 'sell', quantity: 8, type: 'stopLimit', stopPrice, price: stopPrice - 100 } as const;

/** Twenty lots held, with a take-profit and a stop, and a bid beside them. */
async function hold(
  config: Record<string, unknown> = {},
): Promise<{ exits: readonly string[]; bid: string }> {
  scene = await PuppetScene.open({ config: { orders: config, log: { level: 'silent' } } });
  const { puppet } = scene;
  const bought = await puppet.place({ side: 'buy', quantity: 20, price: 301_000 });
  await puppet.received(bought, 'filled');
  const exits = [await puppet.place(profit), await puppet.place(stop)];
  await puppet.received(exits[0] ?? '', 'new');
  await puppet.received(exits[1] ?? '', 'suspended');
  const bid = await puppet.place({ side: 'buy', quantity: 10, price: 295_000 });
  await puppet.received(bid, 'new');
  return { exits, bid };
}

/** The configuration of the stage with other options of orders. */
function configOf(orders: object) {
  const { config } = scene.stage;
  return { ...config, orders: { ...config.orders, ...orders } };
}

function environment(): Record<string, string | undefined> {
  const key = scene.stage.exchange.accounts.get('demo').keys[0];
  return { KEY: key?.apiKey, SECRET: key?.secret.reveal(), HOOK: hook };
}

/** What plan prints. */
async function planned(orders: object, json: boolean): Promise<string> {
  const said: string[] = [];
  const output = { data: (line: string) => void said.push(line), progress: () => {}, colour: false };
  const setting = { config: configOf(orders), environment: environment(), clock: new SystemClock() };
  expect(await planCommand({ mode: 'sim', ...setting, output, json })).toBe(0);
  return said.join('\n');
}

/** What a run says on standard error. It is stopped once `isOver`. */
async function traded(orders: object, isOver: () => boolean | Promise<boolean>): Promise<readonly string[]> {
  return (await run(configOf(orders), isOver)).said;
}

/** The same with its report as JSON: the last line, after one of status for each second that the run takes. */
async function run(
  config: Config,
  isOver: () => boolean | Promise<boolean>,
): Promise<{ readonly said: readonly string[]; readonly report: string }> {
  const said: string[] = [];
  const documents: string[] = [];
  const output = {
    data: (text: string) => void documents.push(text),
    progress: (line: string) => void said.push(line),
    colour: false,
  };
  Puppet.forget();
  const before = process.listeners('SIGINT');
  const flags = {
    mode: 'sim',
    live: false,
    json: true,
    forMs: undefined,
    record: false,
    clearHalt: false,
  } as const;
  const ended = runTrade({
    ...flags,
    config,
    read: () => config,
    environment: environment(),
    output,
    explains: (places, clock) => new OrderExplainer(places, clock),
  });
  await until('what the run does with its orders', isOver);
  const delivered = process.listeners('SIGINT');
  process.emit('SIGINT');
  expect(await ended).toBe(130);
  // A process ends with its run: what hears signals is not taken away.
  for (const one of delivered) if (!before.includes(one)) process.off('SIGINT', one);
  return { said, report: documents.at(-1) ?? '' };
}

function liveIds(): readonly string[] {
  const { accounts, core } = scene.stage.exchange;
  return core.exchange.activeOrders(accounts.get('demo').id).map(({ clientOrderId }) => clientOrderId);
}

test('exits are kept over a kill, a start and a stop, and plan and the stop name them with what they protect', async () => {
  const { exits, bid } = await hold();
  await scene.stage.daemon.trader.close();
  const texts = [
    `order ${exits[0]} (sell limit 0.0012 at 3100.00) protects the position of 0.0020 ETHUSDT`,
    `order ${exits[1]} (sell stopLimit 0.0008 stop 2900.00 at 2899.00) protects the position of 0.0020 ETHUSDT`,
  ];
  const plan = await planned({}, true);
  const fates = (JSON.parse(plan) as Plan).orders.map(({ id, fate }) => [id, fate]);
  expect(Object.fromEntries(fates)).toEqual({
    [exits[0] ?? '']: 'keep',
    [exits[1] ?? '']: 'keep',
    [bid]: 'cancel',
  });
  for (const text of texts) expect(plan).toContain(text);
  expect(plan).not.toContain('which it loses');

  const said = await traded({}, () => !liveIds().includes(bid));
  expect(liveIds().toSorted()).toEqual(exits.toSorted());
  for (const text of texts) expect(said).toContain(`Kept at the venue: ${text} (orders.onStop).`);
  expect(said.join('\n')).not.toContain('it is being cancelled');

  // The same start with other options: plan says it, and then the start does.
  const other = await planned({ onStart: 'cancel' }, false);
  for (const text of texts) expect(other).toContain(`${text}, which it loses`);
  const lost = await traded({ onStart: 'cancel' }, () => liveIds().length === 0);
  for (const text of texts)
    expect(lost.join('\n')).toContain(`${text}; it is being cancelled (orders.onStart: cancel)`);
  expect(lost.join('\n')).not.toContain('Kept at the venue');
});

test('a stop that is to cancel all names the exits that it cancels', async () => {
  const { exits, bid } = await hold({ onStop: 'cancel' });
  await scene.stage.stop();
  expect(liveIds()).toEqual([]);
  const said = scene.stage.notes.filter((text) =>
    text.includes('it is being cancelled (orders.onStop: cancel)'),
  );
  expect(said.map((text) => text.split(' ')[1])).toEqual(exits);
  expect(said.join('\n')).not.toContain(bid);
});

test('a denied exit is news at once, a line of the run, and a doubt of its report', async () => {
  const { exits } = await hold();
  await scene.puppet.act((orders) => exits.forEach((id) => orders.cancel(id as ClientOrderId)));
  await until('the end of the exits', () => liveIds().length === 1);
  await scene.stage.daemon.trader.close();
  const news: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString('utf8')));
    request.on('end', () => {
      news.push(...(JSON.parse(text) as { texts: readonly string[] }).texts);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const printed = /^strategy puppet cannot close a position, SELF_TRADE: /;
  try {
    const { config } = scene.stage;
    const operate = {
      ...config.operate,
      notify: { ...config.operate.notify, webhook: { url: '${env:HOOK}', kinds: ['strategy' as const] } },
    };
    let asked = false;
    // The bid that it would meet is not under cancel.
    const { said, report } = await run({ ...configOf({ onStart: 'keep' }), operate }, () => {
      if (!asked && Puppet.running !== undefined) {
        asked = true;
        void Puppet.running.place({ side: 'sell', quantity: 20, price: 295_000 });
      }
      return news.some((text) => printed.test(text));
    });
    expect(news.filter((text) => printed.test(text))).toHaveLength(1);
    expect(said.join('\n')).toMatch(
      /strategy puppet: exit \S+ was denied, the position stays open, SELF_TRADE/,
    );
    const { warning } = JSON.parse(report) as { warning: string };
    expect(warning).toContain('an order that was to close a position was denied: SELF_TRADE 1');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
