import { seconds } from '../../../src/core/base/clock.ts';
import type { TroubleName } from '../../../src/exchange/index.ts';
import { until } from '../support/until.ts';
import { onReply, sentAgain } from './network.ts';
import type { Scenario } from './scenario.ts';
import { doubtsMs, most } from './scenario.ts';
import type { World } from './world.ts';
import { raises } from './world.ts';

// Rows X of the catalogue, by the switches of the exchange and by the proxy.

const zero = (name: string, unit = 'in all') => ({ name, unit, atMost: 0 });

/** Order requests meet a trouble of the exchange, so many of them; waits until all were met. */
async function meet(world: World, count: number, name: TroubleName, ms = 0): Promise<void> {
  const begun = Date.now();
  await world.venue.begin(name, count, ms);
  await until(`${count} order requests`, () => world.ordersSent(begun) >= count + 4, seconds(60));
}

/** DELETE requests by the order that they name. */
function cancelsOf(world: World, sinceMs: number): readonly number[] {
  const times = new Map<string, number>();
  for (const { text, atMs } of world.rest.sent) {
    const id = /^DELETE \/api\/3\/(?:spot|margin|futures)\/order\/(\S+)/.exec(text)?.[1];
    if (id !== undefined && atMs >= sinceMs) times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times.values()];
}

export const behaviourScenarios: readonly Scenario[] = [
  {
    row: 'X1',
    figure: { name: 'known after', unit: 'ms', atMost: 2_000 },
    isShort: true,
    async run(world) {
      const begun = Date.now();
      await meet(world, 8, 'timeout-accepted');
      await world.pause(2_500);
      return most(doubtsMs(world, begun));
    },
  },
  {
    row: 'X2',
    figure: zero('sent again'),
    async run(world) {
      await meet(world, 8, 'timeout-refused');
      return sentAgain(world);
    },
  },
  {
    row: 'X3',
    figure: zero('sent again'),
    async run(world) {
      await meet(world, 6, 'late-order', 3_000);
      await world.pause(3_500);
      return sentAgain(world);
    },
  },
  {
    row: 'X4',
    figure: zero('orders in doubt'),
    async run(world) {
      const begun = Date.now();
      await world.venue.begin('late-replies', 0, 400);
      await world.pause(3_000);
      await world.venue.end('late-replies');
      await world.pause(500);
      return doubtsMs(world, begun).length;
    },
  },
  {
    row: 'X8',
    figure: zero('old balances booked'),
    async run(world) {
      const begun = Date.now();
      const kept = new Map<string, string>();
      let turn = 0;
      let asked = '';
      world.rest.rule = ({ direction, text }) => {
        if (direction === 'up') asked = /^GET (\/api\/3\/(?:spot|futures)\/balance)/.exec(text)?.[1] ?? '';
        if (direction === 'up' || asked === '' || !text.startsWith('HTTP/1.1 200')) return 'pass';
        const old = kept.get(asked);
        if (old === undefined) kept.set(asked, text);
        turn += 1;
        return old !== undefined && turn % 2 === 0 ? [old] : 'pass';
      };
      for (let look = 0; look < 3; look++) {
        const cut = Date.now();
        world.sockets.cut((path) => path.includes('/ws/trading'));
        await world.record('sessionUp', cut, seconds(60));
        await world.pause(1_200);
      }
      return world.events(begun).filter(({ kind }) => kind === 'moneyMoved').length;
    },
  },
  {
    row: 'X9',
    figure: zero('called dead'),
    async run(world) {
      const begun = Date.now();
      await world.venue.begin('not-found', 0, 3_000);
      await meet(world, 6, 'timeout-accepted');
      await world.pause(5_000);
      await world.venue.end('not-found');
      const { orders } = await world.observer.truth();
      const alive = new Set(orders.map(({ clientOrderId }) => clientOrderId));
      return world
        .events(begun)
        .filter((event) => event.kind === 'orderProvenAbsent' && alive.has(event.clientOrderId)).length;
    },
  },
  {
    row: 'X10',
    figure: { name: 'cancels of one order', unit: 'requests', atMost: 3 },
    async run(world) {
      const begun = Date.now();
      world.rest.roads = { up: { delayMs: [60, 140] }, down: {} };
      for (let sweep = 0; sweep < 12; sweep++) {
        await world.venue.act('sweep', 40);
        await world.pause(250);
      }
      return most(cancelsOf(world, begun));
    },
  },
  {
    row: 'X11',
    figure: zero('sent again'),
    async run(world) {
      // The exchange refuses the replacement, and the reply looks like success: it is that of another order.
      for (let round = 0; round < 3; round++) {
        await world.venue.act('refuseOrders', 20_001, 1);
        await onReply(world, 'spot_replace_order', (text) => [
          text.replace(/"error":\{[^{}]*\}/, '"result":{"status":"success"}'),
        ]);
      }
      return sentAgain(world);
    },
  },
  {
    row: 'X12',
    // The check of the account finds them: as long as one of its looks is away, by default.
    figure: { name: 'both live', unit: 'ms', atMost: 60_000 },
    setup: {
      config: {
        orders: { reconcile: { absentMs: 6_000, aliveMs: 500, everyMs: 1_000 }, executions: { max: 1_000 } },
      },
    },
    async run(world) {
      const begun = Date.now();
      // Some of them are executed before anybody looks.
      await world.venue.begin('kept-original', 30);
      await world.record('orderFoundAlive', begun, seconds(60));
      const events = world.events(begun);
      const both = events.flatMap((event) => {
        if (event.kind !== 'orderFoundAlive') return [];
        const replaced = events.find(
          (one) => one.kind === 'replacePending' && one.command.clientOrderId === event.clientOrderId,
        );
        return replaced === undefined ? [] : [(event.receiveTime - replaced.receiveTime) / 1_000];
      });
      if (both.length === 0) throw new Error('what was found alive had not been replaced');
      return most(both);
    },
  },
  {
    row: 'X16',
    figure: zero('asked again at once'),
    async run(world) {
      const before = Date.now();
      await world.venue.begin('rate-limited', 12);
      await world.pause(3_000);
      // A refusal of an order ends it; one of a read or a cancel waits for its lane.
      const lines = new Map<string, number>();
      let again = 0;
      for (const { text, atMs } of world.rest.sent) {
        if (atMs < before) continue;
        const line = text.slice(0, text.indexOf('\r\n'));
        const last = lines.get(line);
        if (last !== undefined && line.startsWith('DELETE') && atMs - last < 10) again += 1;
        lines.set(line, atMs);
      }
      return again + sentAgain(world);
    },
  },
  {
    row: 'X17',
    figure: { name: 'books equal after', unit: 'ms', atMost: 60_000 },
    async run(world) {
      await world.venue.begin('unavailable', 1_000_000);
      await world.pause(8_000);
      await world.venue.act('cancelAll', 'demo');
      await world.venue.act('clear');
      const begun = Date.now();
      await until('an order', () => world.ordersSent(begun) > 0, seconds(60));
      return Date.now() - begun;
    },
  },
  {
    row: 'X18',
    figure: zero('orders sent to a closed symbol'),
    async run(world) {
      const begun = Date.now();
      await world.venue.begin('suspended-symbol', 0, 0, 'ETHUSDT');
      const closed = await world.record('instrumentChanged', begun);
      await world.pause(1_500);
      const bad = world.sockets.sent.filter(
        ({ text, atMs }) => atMs > closed + 50 && raises(text) && text.includes('"ETHUSDT"'),
      ).length;
      const open = Date.now();
      await world.venue.end('suspended-symbol');
      await world.record('instrumentChanged', open);
      return bad;
    },
  },
];
