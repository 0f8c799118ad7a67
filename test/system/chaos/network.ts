import { once } from 'node:events';
import { rmSync, writeFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { seconds } from '../../../src/core/base/clock.ts';
import { until } from '../support/until.ts';
import type { Scenario } from './scenario.ts';
import { doubtsMs, most } from './scenario.ts';
import type { Passing, Verdict } from './tcp-proxy.ts';
import type { World } from './world.ts';

// Rows N of the catalogue, on spot, with lists, on margin and on contracts.

const isTrading = (path: string): boolean => path.includes('/ws/trading');
const isPublic = (path: string): boolean => path.includes('/ws/public');

/** Orders of every kind that a connection can be lost under. */
const sendings = [
  'spot_new_order',
  'spot_new_order_list',
  'margin_new_order',
  'futures_new_order',
  'spot_replace_order',
] as const;

/** The next message of that method meets a verdict; resolves once it did. */
function onSending(world: World, method: string, verdict: Verdict): Promise<boolean> {
  let done = false;
  world.sockets.rule = ({ direction, text }) => {
    if (done || direction !== 'up' || !text.includes(`"method":"${method}"`)) return 'pass';
    done = true;
    return verdict;
  };
  return until(method, () => done, seconds(30));
}

/** The answer to the next message of that method meets a verdict. */
export function onReply(world: World, method: string, verdict: (text: string) => Verdict): Promise<boolean> {
  let id: string | undefined;
  let done = false;
  world.sockets.rule = ({ direction, text }) => {
    if (done) return 'pass';
    if (direction === 'up') {
      if (id === undefined && text.includes(`"method":"${method}"`)) id = /"id":([^,}]+)/.exec(text)?.[1];
      return 'pass';
    }
    if (id === undefined || !text.includes(`"id":${id}`) || !/"result"|"error"/.test(text)) return 'pass';
    done = true;
    return verdict(text);
  };
  return until(`a reply to ${method}`, () => done, seconds(30));
}

/** The trading session is up again. */
export async function upAgain(world: World, sinceMs: number): Promise<void> {
  await until(
    'the trading session',
    () => world.events(sinceMs).some((event) => event.kind === 'sessionUp' && event.session === 'trading'),
    seconds(60),
  );
}

/** Whatever comes first of an order of that method, its report or the reply, is lost with the connection. */
function onAcceptance(world: World, method: string): Promise<boolean> {
  let id: string | undefined;
  let done = false;
  world.sockets.rule = ({ direction, text }) => {
    if (done) return 'pass';
    if (direction === 'up' && id === undefined && text.includes(`"method":"${method}"`))
      id = /"(?:new_)?client_order_id":"([^"]+)"/.exec(text)?.[1];
    if (direction === 'up' || id === undefined || !text.includes(id)) return 'pass';
    done = true;
    return 'cut';
  };
  return until(`an answer to ${method}`, () => done, seconds(30));
}

/** The answer to an order of every kind is lost with the connection; the time until each is known. */
async function cutOnReplies(world: World): Promise<number> {
  const begun = Date.now();
  for (const method of sendings) {
    const cut = Date.now();
    await onAcceptance(world, method);
    await upAgain(world, cut);
    await world.pause(600);
  }
  const doubts = doubtsMs(world, begun);
  if (doubts.length === 0) throw new Error('no order was in doubt');
  return most(doubts);
}

async function cutOnSendings(world: World): Promise<number> {
  for (const method of sendings) {
    const cut = Date.now();
    await onSending(world, method, 'cut');
    await upAgain(world, cut);
  }
  const truth = await world.observer.truth();
  const live = new Set(truth.orders.flatMap(({ isLive, clientOrderId }) => (isLive ? [clientOrderId] : [])));
  const shown = await world.rows<{ readonly clientOrderId: string; readonly state: string }>('orders');
  // Orders come and go while both are asked: what is false is false still.
  const called = shown.filter(({ clientOrderId, state }) => state === 'new' && !live.has(clientOrderId));
  const again = new Set((await world.observer.truth()).orders.map(({ clientOrderId }) => clientOrderId));
  return called.filter(({ clientOrderId }) => !again.has(clientOrderId)).length;
}

/** Client ids that were sent as new more than once. */
export function sentAgain(world: World): number {
  const ids = world.sockets.sent.flatMap(({ text }) =>
    /"method":"\w+_new_order"/.test(text) ? (/"client_order_id":"([^"]+)"/.exec(text)?.[1] ?? []) : [],
  );
  return ids.length - new Set(ids).size;
}

/** Refusals for a limit while something lasts. */
async function limitedDuring(world: World, act: () => Promise<void>): Promise<number> {
  const before = world.sockets.limited + world.rest.limited;
  await act();
  return world.sockets.limited + world.rest.limited - before;
}

/** Sockets and files that the daemon has open. */
function descriptors(world: World): number {
  try {
    return readdirSync(`/proc/${world.daemon.child.pid}/fd`).length;
  } catch {
    return 0;
  }
}

const zero = (name: string, unit = 'in all') => ({ name, unit, atMost: 0 });

export const networkScenarios: readonly Scenario[] = [
  {
    row: 'N1',
    figure: { name: 'attempts a minute', unit: 'attempts of a socket', atMost: 10 },
    async run(world) {
      const begun = Date.now();
      world.sockets.welcome = 'refuse';
      world.rest.welcome = 'refuse';
      for (const proxy of [world.sockets, world.rest]) proxy.cut();
      await world.pause(25_000);
      world.sockets.welcome = 'swallow';
      world.rest.welcome = 'swallow';
      await world.pause(35_000);
      return Math.max(
        ...[isTrading, isPublic].map(
          (fits) => world.sockets.tries.filter(({ path, atMs }) => atMs > begun && fits(path)).length,
        ),
      );
    },
  },
  {
    row: 'N2',
    figure: { name: 'detected after', unit: 'ms', atMost: 10_000 },
    async run(world) {
      const begun = Date.now();
      world.sockets.roads = { up: {}, down: { isShut: true } };
      const detected = await world.record('bookStale', begun);
      await world.pause(500);
      const late = world.ordersSent(detected + 50);
      if (late > 0) throw new Error(`${late} orders left with a stale book`);
      return Math.round(detected - begun);
    },
  },
  {
    row: 'N3',
    figure: zero('sent again'),
    async run(world) {
      world.sockets.on = isTrading;
      world.sockets.roads = { up: {}, down: { isVoid: true } };
      await world.pause(2_500);
      world.sockets.pass();
      world.sockets.cut(isTrading);
      await world.pause(500);
      return sentAgain(world);
    },
  },
  { row: 'N5', figure: zero('called live'), run: cutOnSendings },
  {
    row: 'N6',
    figure: zero('refusals for a limit'),
    run: (world) =>
      limitedDuring(world, async () => {
        const road = { delayMs: [0, 60] } as const;
        for (const proxy of [world.sockets, world.rest]) proxy.roads = { up: road, down: road };
        await world.pause(6_000);
      }),
  },
  {
    row: 'N7',
    figure: zero('refusals for a limit'),
    run: (world) =>
      limitedDuring(world, async () => {
        for (const stallMs of [400, 2_000, 400]) {
          for (const proxy of [world.sockets, world.rest]) {
            proxy.roads = { up: { isShut: true }, down: { isShut: true } };
          }
          await world.pause(stallMs);
          for (const proxy of [world.sockets, world.rest]) proxy.pass();
          await world.pause(800);
        }
      }),
  },
  {
    row: 'N8',
    figure: zero('messages that were read otherwise'),
    async run(world) {
      const begun = Date.now();
      for (const road of [{ sliceBytes: 1 }, { mergeMs: 60 }]) {
        for (const proxy of [world.sockets, world.rest]) proxy.roads = { up: road, down: road };
        await world.pause(2_500);
      }
      world.sockets.pass();
      world.rest.pass();
      return world
        .events(begun)
        .filter(
          (event) =>
            (event.kind === 'bookStale' && event.reason === 'malformed') ||
            (event.kind === 'modeChanged' && event.unread === true),
        ).length;
    },
  },
  {
    row: 'N9',
    figure: zero('orders sent on data older than allowed'),
    async run(world) {
      world.sockets.on = isPublic;
      // What a link carries is less than what the market says.
      world.sockets.roads = { up: {}, down: { bytesPerSecond: 3_000 } };
      let late = 0;
      for (let tick = 0; tick < 160; tick++) {
        const before = world.sockets.backlogMs;
        const asked = Date.now();
        await world.pause(50);
        // Older than orders.marketLagMsMax by more than a turn of the machine.
        if (before > 4_000) late += world.ordersSent(asked);
      }
      return late;
    },
  },
  {
    row: 'N10',
    figure: { name: 'links freed, books equal after', unit: 'ms', atMost: 60_000 },
    async run(world) {
      const shut = { up: { isShut: true }, down: { isShut: true } } as const;
      for (const clogged of [[isPublic], [isTrading], [isTrading, isPublic]]) {
        world.sockets.on = (path) => clogged.some((fits) => fits(path));
        world.sockets.roads = shut;
        world.rest.roads = shut;
        await world.pause(1_500);
        world.rest.pass();
        await world.pause(400);
        world.sockets.pass();
        await world.pause(400);
      }
      return world.liveAgain(Date.now());
    },
  },
  {
    row: 'N12',
    figure: { name: 'one road gone, books equal after', unit: 'ms', atMost: 60_000 },
    async run(world) {
      world.sockets.welcome = 'refuse';
      world.sockets.cut();
      await world.pause(3_000);
      world.sockets.pass();
      world.rest.welcome = 'refuse';
      world.rest.cut();
      await world.pause(5_000);
      world.rest.pass();
      return world.liveAgain(Date.now());
    },
  },
  {
    row: 'N13',
    figure: { name: 'descriptors left open', unit: 'descriptors', atMost: 2 },
    async run(world) {
      const before = descriptors(world);
      for (let drop = 0; drop < 40; drop++) {
        world.sockets.cut();
        world.rest.cut();
        await world.pause(500);
      }
      world.sockets.pass();
      await world.liveAgain(Date.now());
      await world.pause(1_000);
      return Math.max(0, descriptors(world) - before);
    },
  },
  {
    row: 'N14',
    figure: zero('bytes sent to another host', 'bytes'),
    async run(world) {
      let bytes = 0;
      const other = createServer((socket) => {
        socket.on('error', () => {});
        socket.on('data', (data) => (bytes += data.length));
      }).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      let answered = 0;
      const redirect = ({ direction, text }: Passing): Verdict => {
        if (direction === 'up' || !/^HTTP\/1\.1 (?:200|101)/.test(text)) return 'pass';
        answered += 1;
        const status = ['301 Moved Permanently', '307 Temporary Redirect', '308 Permanent Redirect'][
          answered % 3
        ];
        return [`HTTP/1.1 ${status}\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`];
      };
      world.rest.rule = redirect;
      world.sockets.rule = redirect;
      world.sockets.cut();
      await until('redirections', () => answered >= 6, seconds(60));
      await world.pause(500);
      other.close();
      return bytes;
    },
  },
  {
    row: 'N15',
    figure: zero('requests sent again by the transport'),
    async run(world) {
      let cuts = 0;
      const lost = new Map<string, number>();
      world.rest.rule = ({ direction, text, before }) => {
        if (direction !== 'up' || before === 0 || cuts >= 10 || !/^(?:DELETE|POST|PUT) /.test(text))
          return 'pass';
        cuts += 1;
        lost.set(text.slice(0, text.indexOf('\r\n')), Date.now());
        return 'cut';
      };
      await until('requests on kept connections', () => cuts >= 10, seconds(60));
      await world.pause(300);
      return world.rest.sent.filter(({ text, atMs }) => {
        const at = lost.get(text.slice(0, text.indexOf('\r\n')));
        // At once: the order manager asks again only after it has read.
        return at !== undefined && atMs > at && atMs - at < 20;
      }).length;
    },
  },
  {
    row: 'N11',
    figure: { name: 'names gone, books equal after', unit: 'ms', atMost: 90_000 },
    setup: { host: 'localhost', preload: fileURLToPath(new URL('resolver.ts', import.meta.url)) },
    async run(world) {
      writeFileSync(world.noNames, '');
      world.sockets.cut();
      world.rest.cut();
      await world.pause(12_000);
      const tries = world.sockets.links().length;
      rmSync(world.noNames);
      if (tries > 0) throw new Error('a connection was made without a name');
      return world.liveAgain(Date.now());
    },
  },
  {
    row: 'N4',
    figure: { name: 'known after', unit: 'ms', atMost: 5_000 },
    // One loss is measured at a time: the pause before a new connection does not grow.
    setup: { config: { client: { socket: { stableMs: 300 } } } },
    run: cutOnReplies,
  },
];
