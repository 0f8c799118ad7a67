import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { seconds } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { until } from '../support/until.ts';
import { textFrame } from './frames.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

// Rows M of the catalogue: a peer that attacks the daemon's client, and a client that attacks the operator's interface.

const isPublic = (path: string): boolean => path.includes('/ws/public');
const isTrading = (path: string): boolean => path.includes('/ws/trading');
const mebibyte = 1_048_576;

/** Memory of the daemon's process. Linux only. */
function residentMiB(world: World): number {
  const status = readFileSync(`/proc/${world.daemon.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024;
}

/** 0 while the process lives and answers; 1 where it has ended. */
async function crashes(world: World): Promise<number> {
  await world.pause(500);
  if (world.daemon.child.exitCode !== null) return 1;
  await world.ask('/api/status');
  return 0;
}

/** The public feed says something; the connection may be cut for it. */
async function sayBytes(world: World, bytes: readonly Buffer[]): Promise<void> {
  const [link] = await until(
    'a public connection',
    () => {
      const links = world.sockets.links(isPublic);
      return links.length > 0 && links;
    },
    seconds(40),
  );
  for (const one of bytes) link?.sayBytes(one);
  await world.pause(300);
}

/** The longest time that the interface took to answer while something was done. */
async function slowest(world: World, act: () => Promise<void>): Promise<number> {
  const over = new AbortController();
  let longest = 0;
  const ask = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const asked = performance.now();
      await world.ask('/api/status');
      longest = Math.max(longest, performance.now() - asked);
      await world.pause(5);
    }
  };
  const asking = ask();
  await act();
  over.abort();
  await asking;
  return Math.round(longest);
}

export const hostileScenarios: readonly Scenario[] = [
  {
    row: 'M1',
    figure: { name: 'memory', unit: 'MiB more', atMost: 32 },
    async run(world) {
      await world.pause(2_000);
      const before = residentMiB(world);
      const bomb = gzipSync(Buffer.alloc(90 * mebibyte, 0x20));
      let hit = 0;
      world.rest.rule = ({ direction, text }) => {
        if (direction === 'up' || hit >= 3 || !text.startsWith('HTTP/1.1 200')) return 'pass';
        hit += 1;
        return 'cut';
      };
      // A frame that says it is compressed, though nothing of the kind was agreed on.
      const head = Buffer.alloc(4);
      head[0] = 0xc1;
      head[1] = 126;
      head.writeUInt16BE(60_000, 2);
      await sayBytes(world, [head, bomb.subarray(0, 60_000)]);
      await world.pause(2_000);
      if ((await crashes(world)) > 0) throw new Error('the daemon ended');
      return Math.max(0, Math.round(residentMiB(world) - before));
    },
  },
  {
    row: 'M2',
    figure: { name: 'crashes', unit: 'in all', atMost: 0 },
    async run(world) {
      const piece = Buffer.from([0x00, 1, 0x20]);
      await sayBytes(world, [Buffer.from([0x01, 1, 0x20]), ...Array.from({ length: 20_000 }, () => piece)]);
      await sayBytes(world, [Buffer.from([0xb1, 2, 1, 2]), Buffer.from([0x8f, 0x7f])]);
      return crashes(world);
    },
  },
  {
    row: 'M3',
    figure: { name: 'crashes', unit: 'in all', atMost: 0 },
    async run(world) {
      const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      const levels = `[${'["3000.00","1.0000"],'.repeat(100_000)}["1","1"]]`;
      const took = await slowest(world, () =>
        sayBytes(world, [
          textFrame(`{"ch":"orderbook/full","update":{"ETHUSDT":{"t":1,"s":1,"a":${nested},"b":[]}}}`, false),
          textFrame(`{"ch":"orderbook/full","update":{"ETHUSDT":{"t":1,"s":2,"a":${levels},"b":[]}}}`, false),
          textFrame(`{"ch":"${'x'.repeat(10 * mebibyte)}"}`, false),
        ]),
      );
      if (took > 5_000) throw new Error(`the daemon stood for ${took} ms`);
      return crashes(world);
    },
  },
  {
    row: 'M4',
    figure: { name: 'crashes', unit: 'in all', atMost: 0 },
    async run(world) {
      for (const key of ['__proto__', 'constructor', 'prototype'])
        await sayBytes(world, [
          textFrame(`{"ch":"orderbook/full","update":{"${key}":{"t":1,"s":1,"a":[],"b":[]}}}`, false),
          textFrame(`{"${key}":{"polluted":true},"ch":"ticker/1s"}`, false),
        ]);
      const answer = JSON.stringify(await world.ask('/api/feeds'));
      return (answer.includes('polluted') ? 1 : 0) + (await crashes(world));
    },
  },
  {
    row: 'M6',
    figure: { name: 'crashes and hangs', unit: 'in all', atMost: 0 },
    async run(world) {
      const random = new Random(17);
      world.sockets.rule = ({ direction, text, path }) => {
        if (direction === 'up' || !isPublic(path) || random.chance(0.5)) return 'pass';
        const at = random.between(0, text.length - 1);
        const kinds = [
          text.slice(0, at),
          text.slice(0, at) + text.slice(at + 1),
          `${text.slice(0, at)}${String.fromCharCode(random.between(32, 126))}${text.slice(at + 1)}`,
          text + text,
        ];
        return [kinds[random.between(0, kinds.length - 1)] ?? text];
      };
      await world.pause(6_000);
      world.sockets.rule = () => 'pass';
      const cut = Date.now();
      world.sockets.cut(isPublic);
      await world.record('bookStale', cut).catch(() => {});
      await world.liveAgain(cut);
      return crashes(world);
    },
  },
  {
    row: 'M7',
    figure: { name: 'cancel leaves after', unit: 'ms', atMost: 100 },
    async run(world) {
      const { url } = JSON.parse(readFileSync(join(world.directory, 'operate.json'), 'utf8')) as {
        url: string;
      };
      const { hostname, port } = new URL(url);
      const idle: Socket[] = [];
      try {
        for (let at = 0; at < 1_000; at++) {
          const socket = connect({ host: hostname, port: Number(port) });
          socket.on('error', () => {});
          if (at % 2 === 0) socket.write('POST /api/acts HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
          idle.push(socket);
        }
        await until('connections', () => idle.every((socket) => !socket.connecting), seconds(20));
        await world.pause(500);
        const delays: number[] = [];
        for (let round = 0; round < 5; round++) {
          await until('an order', async () => (await world.rows('orders')).length > 0, seconds(20));
          const asked = Date.now();
          await world.act('cancelAll');
          const left = await until(
            'a cancel',
            () => world.rest.sent.find(({ text, atMs }) => atMs >= asked && text.startsWith('DELETE')),
            seconds(20),
          );
          delays.push(left.atMs - asked);
          await world.pause(300);
        }
        return delays.toSorted((one, other) => one - other)[2] ?? Number.NaN;
      } finally {
        for (const socket of idle) socket.destroy();
      }
    },
  },
  {
    row: 'M5',
    figure: { name: 'lines of the log that are no record', unit: 'lines', atMost: 0 },
    setup: { config: { log: { level: 'debug' } } },
    async run(world) {
      const forged = '\\n{\\"level\\":60,\\"msg\\":\\"forged\\"}\\u001b[2J\\u202e';
      world.sockets.rule = ({ direction, text, path }) =>
        direction === 'down' && isTrading(path) && text.includes('"error"')
          ? [text.replace(/"message":"[^"]*"/, `"message":"x${forged}"`)]
          : 'pass';
      await world.venue.act('refuseOrders', 20_001, 3);
      await world.pause(2_500);
      const lines = world.daemon.err.split('\n').filter((line) => line !== '');
      // eslint-disable-next-line no-control-regex
      return lines.filter((line) => /^\{"level":60,"msg":"forged"|[\u001b\u202e]/.test(line)).length;
    },
  },
];
