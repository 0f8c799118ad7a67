import { seconds } from '../../../src/core/base/clock.ts';
import { until } from '../support/until.ts';
import { onReply, sentAgain, upAgain } from './network.ts';
import type { Scenario } from './scenario.ts';
import { bookDifferences, most } from './scenario.ts';
import type { World } from './world.ts';

// Rows W of the catalogue: what a feed or a reply may do.

const isTrading = (path: string): boolean => path.includes('/ws/trading');
const isPublic = (path: string): boolean => path.includes('/ws/public');
const zero = (name: string, unit = 'in all') => ({ name, unit, atMost: 0 });
const isUpdate = (text: string): boolean => text.includes('"update"') && text.includes('orderbook/full');

/** Plays something that makes a book stale, so often; the longest time until it was live again. */
async function recoveries(world: World, times: number, act: () => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let round = 0; round < times; round++) {
    const begun = Date.now();
    await act();
    const stale = await world.record('bookStale', begun);
    took.push(await world.liveAgain(stale));
    await world.pause(700);
  }
  return most(took);
}

/** A subscription of a book meets a fault after a reconnection: orders that leave while no feed of it comes. */
async function withoutFeed(world: World, fault: () => void | Promise<void>): Promise<number> {
  await fault();
  const cut = Date.now();
  world.sockets.cut(isPublic);
  await world.record('bookStale', cut);
  await world.pause(2_000);
  const isLive = await world.isLive();
  const sent = world.sockets.sent.filter(
    ({ text, atMs }) =>
      atMs > cut + 300 &&
      /"method":"spot_new_order|margin_new_order/.test(text) &&
      text.includes('"ETHUSDT"'),
  );
  world.sockets.rule = () => 'pass';
  await world.venue.act('clear');
  await world.liveAgain(Date.now());
  if (isLive) throw new Error('a book without a feed is taken for live');
  return sent.length;
}

export const socketScenarios: readonly Scenario[] = [
  {
    row: 'W1',
    figure: { name: 'live again after', unit: 'ms', atMost: 2_000 },
    isShort: true,
    run: (world) =>
      recoveries(world, 3, () => {
        let lost = 0;
        world.sockets.rule = ({ direction, text }) => {
          if (direction === 'up' || lost > 0 || !isUpdate(text)) return 'pass';
          lost += 1;
          return 'drop';
        };
        return Promise.resolve();
      }),
  },
  {
    row: 'W2',
    figure: zero('levels that differ'),
    async run(world) {
      let kept: string | undefined;
      let seen = 0;
      world.sockets.rule = ({ direction, text }) => {
        if (direction === 'up' || !isUpdate(text)) return 'pass';
        seen += 1;
        if (kept !== undefined) {
          const first = kept;
          kept = undefined;
          return [text, first];
        }
        if (seen % 8 === 0) {
          kept = text;
          return 'drop';
        }
        return seen % 3 === 0 ? [text, text] : 'pass';
      };
      await world.pause(5_000);
      world.sockets.pass();
      return bookDifferences(world);
    },
  },
  {
    row: 'W3',
    figure: { name: 'live again after', unit: 'ms', atMost: 2_000 },
    run: (world) => recoveries(world, 1, () => world.venue.begin('new-sequence', 0, 0, 'ETHUSDT')),
  },
  {
    row: 'W4',
    figure: zero('orders sent without a snapshot'),
    run: (world) => withoutFeed(world, () => world.venue.begin('no-snapshot', 2)),
  },
  {
    row: 'W5',
    figure: zero('levels that differ'),
    async run(world) {
      for (let round = 0; round < 2; round++) {
        world.sockets.welcome = 'refuse';
        world.sockets.cut(isPublic);
        await world.pause(1_200);
        world.sockets.pass();
        await world.liveAgain(Date.now());
      }
      return bookDifferences(world);
    },
  },
  {
    row: 'W6',
    figure: zero('orders sent without a feed'),
    run: (world) =>
      withoutFeed(world, () => {
        world.sockets.rule = ({ direction, text, path }) =>
          direction === 'up' && isPublic(path) && text.includes('"subscribe"') ? 'drop' : 'pass';
      }),
  },
  {
    row: 'W7',
    figure: zero('orders sent without a feed'),
    run: (world) =>
      withoutFeed(world, () => {
        world.sockets.rule = ({ direction, text, path }) =>
          direction === 'up' && isPublic(path) && text.includes('"subscribe"') && text.includes('"ETHUSDT"')
            ? [text.replace('"ETHUSDT"', '"LTCUSDT"')]
            : 'pass';
      }),
  },
  {
    row: 'W8',
    figure: { name: 'detected after', unit: 'ms', atMost: 10_000 },
    async run(world) {
      const begun = Date.now();
      world.sockets.rule = ({ direction, path }) =>
        direction === 'down' && isPublic(path) ? 'drop' : 'pass';
      return Math.round((await world.record('bookStale', begun)) - begun);
    },
  },
  {
    row: 'W9',
    figure: zero('sent again'),
    async run(world) {
      let last: string | undefined;
      for (const change of [
        (text: string) => text.replace(/"id":[^,}]+/, '"id":999999999'),
        (text: string) => {
          last = text;
          return text;
        },
        (text: string) => last ?? text,
      ])
        await onReply(world, 'spot_new_order', (text) => [change(text)]);
      world.sockets.pass();
      await world.venue.begin('late-replies', 0, 6_000);
      await world.pause(2_000);
      await world.venue.end('late-replies');
      await world.pause(6_500);
      return sentAgain(world);
    },
  },
  {
    row: 'W10',
    figure: zero('halts for what is not of the own account'),
    async run(world) {
      const begun = Date.now();
      const say = (fits: (path: string) => boolean, text: string): void => {
        for (const link of world.sockets.links(fits)) link.say(text);
      };
      for (const text of [
        '{"ch":"news/of/tomorrow","update":{"ETHUSDT":{"x":1}}}',
        '{"jsonrpc":"2.0","method":"lottery","params":{"won":true}}',
        '{"jsonrpc":"2.0","error":{"code":99999,"message":"?"},"id":424242}',
        '[]',
        'null',
        '<html>502</html>',
      ])
        say(isPublic, text);
      await world.venue.act('refuseOrders', 99_999, 2);
      await world.pause(2_000);
      const halts = world
        .events(begun)
        .filter((event) => event.kind === 'modeChanged' && event.mode === 'halted').length;
      // What is said on the own account and cannot be read halts, until the account was read completely.
      const said = Date.now();
      say(
        isTrading,
        '{"jsonrpc":"2.0","method":"spot_order","params":{"id":1,"symbol":"ETHUSDT","status":"odd"}}',
      );
      await world.record('modeChanged', said);
      return halts;
    },
  },
  {
    row: 'W13',
    // A look from outside every 50 ms, and its answer, are part of it.
    figure: { name: 'crossed and taken for live', unit: 'ms', atMost: 2_000 },
    async run(world) {
      await world.venue.act('loseDeletions', 'ETHUSDT', 3);
      let crossedMs = 0;
      let longest = 0;
      for (let look = 0, at = Date.now(); look < 120; look++) {
        await world.pause(50);
        const feeds = await world.rows<Record<'symbol' | 'status' | 'bid' | 'ask', string>>('feeds');
        const feed = feeds.find(({ symbol }) => symbol === 'ETHUSDT');
        const isCrossed = feed?.status === 'live' && Number(feed.bid) >= Number(feed.ask);
        crossedMs = isCrossed ? crossedMs + Date.now() - at : 0;
        at = Date.now();
        longest = Math.max(longest, crossedMs);
      }
      return longest;
    },
  },
  {
    row: 'W14',
    figure: { name: 'live again after', unit: 'ms', atMost: 10_000 },
    run: (world) =>
      recoveries(world, 1, () => {
        let lost = 0;
        let refused = 0;
        world.sockets.rule = ({ direction, text, path }) => {
          if (!isPublic(path)) return 'pass';
          if (direction === 'down' && lost === 0 && isUpdate(text)) {
            lost += 1;
            return 'drop';
          }
          if (direction === 'up' && lost > 0 && refused < 2 && /"method":"(?:un)?subscribe"/.test(text)) {
            refused += 1;
            const id = /"id":([^,}]+)/.exec(text)?.[1] ?? '0';
            for (const link of world.sockets.links(isPublic))
              link.say(`{"error":{"code":2002,"message":"Subscription failed"},"id":${id}}`);
            return 'drop';
          }
          return 'pass';
        };
        return Promise.resolve();
      }),
  },
  {
    row: 'W11',
    figure: zero('codes after which it was not subscribed again'),
    setup: { config: { client: { socket: { stableMs: 300, attemptsPerMinute: 60 } } } },
    async run(world) {
      let failed = 0;
      for (const code of [1000, 1001, 1006, 1008, 1011, 1012, 1013]) {
        const begun = Date.now();
        await world.venue.act('closeSockets', code);
        await upAgain(world, begun);
        await until('a live book', () => world.isLive(), seconds(30)).catch(() => (failed += 1));
        await world.pause(600);
      }
      return failed;
    },
  },
];
