import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { micros, seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { attempt, channels, GodwitClient } from '../../src/venues/hitbtc/typed/index.ts';
import { openBench } from '../exchange/support/raw-client.ts';
import { StubSocketServer } from '../venues/hitbtc/client/support/stub-socket-server.ts';

const symbols = Array.from({ length: 20 }, (_, index) => `SYM${index}`);

function clientOf(wsUrl: string, clock: VirtualClock): GodwitClient {
  return new GodwitClient({ baseUrl: 'http://127.0.0.1:1', wsUrl, clock, random: new Random(5) });
}

/** RequestSlots of the loop, each a millisecond of the clock, until `done`. */
async function passUntil(clock: VirtualClock, done: () => boolean): Promise<number> {
  let milliseconds = 0;
  for (; !done(); milliseconds++) {
    await turn();
    clock.advance(micros(1_000));
    if (milliseconds > 60_000) expect.fail('it did not happen within a minute');
  }
  return milliseconds;
}

test('twenty subscriptions before the line is ready are twenty messages, ten at once and ten a second', async () => {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const server = await StubSocketServer.start();
  const times: number[] = [];
  server.onText = ({ ws }, text) => {
    times.push(clock.now());
    const { id, ch, params } = JSON.parse(text) as { id: number; ch: string; params: { symbols: string[] } };
    ws.send(JSON.stringify({ result: { ch, subscriptions: params.symbols }, id }));
  };
  const client = clientOf(server.url, clock);
  const market = client.sockets.marketV3();
  const wishes = symbols.map((symbol) =>
    market.subscribe(channels.fullBookChannel(), { keys: [symbol] }, () => {}),
  );
  let done = false;
  void Promise.all(wishes).then(() => (done = true));
  await passUntil(clock, () => done);
  for (let i = 0; i < 200; i++) await turn();
  const said = server.guests.flatMap(({ texts }) =>
    texts.map((text) => (JSON.parse(text) as { params: { symbols: string[] } }).params.symbols[0]),
  );
  expect(said).toHaveLength(symbols.length);
  expect(new Set(said)).toEqual(new Set(symbols));
  const spans = times.slice(10).map((time, index) => (time - (times[index] as number)) / 1_000);
  for (const span of spans) expect(span).toBeGreaterThanOrEqual(90);
  expect((times.at(-1) as number) - (times[0] as number)).toBeGreaterThanOrEqual(seconds(0.9));
  await client.close();
  await server.close();
});

test('after a loss of the connection each subscription is said once more', async () => {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const server = await StubSocketServer.start();
  server.onText = ({ ws }, text) => {
    const { id, ch, params } = JSON.parse(text) as { id: number; ch: string; params: { symbols: string[] } };
    ws.send(JSON.stringify({ result: { ch, subscriptions: params.symbols }, id }));
  };
  const client = clientOf(server.url, clock);
  const market = client.sockets.marketV3();
  for (const symbol of symbols.slice(0, 3)) {
    let done = false;
    void market.subscribe(channels.tradesChannel(), { keys: [symbol] }, () => {}).then(() => (done = true));
    await passUntil(clock, () => done);
  }
  server.guests[0]?.ws.terminate();
  await passUntil(clock, () => server.guests[1]?.texts.length === 3);
  expect(server.guests.map(({ texts }) => texts.length)).toEqual([3, 3]);
  await client.close();
  await server.close();
});

test('sixty subscriptions at once meet no 429 of an exchange that counts messages', async () => {
  const bench = await openBench();
  const client = clientOf(bench.server.wsUrl, bench.clock);
  const [one, other] = [client.sockets.marketV3(), client.sockets.marketV3()];
  const calls = Array.from({ length: 60 }, (_, index) =>
    attempt((index % 2 === 0 ? one : other).subscriptions(channels.tradesChannel())),
  );
  let ended: readonly { readonly ok: boolean }[] = [];
  void Promise.all(calls).then((all) => (ended = all));
  await passUntil(bench.clock, () => ended.length > 0);
  expect(ended.filter(({ ok }) => !ok)).toEqual([]);
  await client.close();
  await bench.close();
});
