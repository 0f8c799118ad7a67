import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/core/base/logger.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Notifications } from '../../src/operate/notifications.ts';
import { notifyOptions } from '../../src/operate/options.ts';
import type { KeptNews, NewsStore } from '../../src/operate/sender.ts';
import { until } from '../system/support/until.ts';
import type { Operated } from './support.ts';
import { operated } from './support.ts';

interface Received {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const clock = new SystemClock();
const token = '123456:secret-of-the-bot';
let server: Server | undefined;
let open: Operated | undefined;
let notifications: Notifications | undefined;

afterEach(async () => {
  await notifications?.close('the test is over');
  await open?.server.close();
  server?.closeAllConnections();
  server?.close();
  [server, open, notifications] = [undefined, undefined, undefined];
});

/** A server that speaks as webhooks and Telegram do; `answer` may refuse, updates are handed out once. */
async function listen(
  answer: (received: Received) => number = () => 200,
  updates: unknown[] = [],
  busySeconds?: number,
): Promise<{ readonly address: string; readonly received: Received[] }> {
  const received: Received[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString('utf8')));
    request.on('end', () => {
      const one = { path: request.url ?? '', body: JSON.parse(text) as Received['body'] };
      const result = one.path.endsWith('/getUpdates') ? updates.splice(0) : {};
      if (!one.path.endsWith('/getUpdates')) received.push(one);
      const status = answer(one);
      const isBusy = status === 429 && busySeconds !== undefined;
      const header = {
        'content-type': 'application/json',
        ...(isBusy && { 'retry-after': String(busySeconds) }),
      };
      response.writeHead(status, header);
      const parameters = isBusy && { parameters: { retry_after: busySeconds } };
      response.end(JSON.stringify({ ok: status === 200, result, ...parameters }));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, received };
}

async function notify(
  options: Parameters<typeof notifyOptions.parse>[0],
  secrets: { webhook?: string; telegram?: string },
  log = silentLogger,
  storeOf: (place: string) => NewsStore = () => ({ earlier: () => [], keep: () => {} }),
): Promise<Operated> {
  await notifications?.close('another begins');
  await open?.server.close();
  open = await operated();
  const { rig, server: operating, acts } = open;
  notifications = new Notifications({
    options: notifyOptions.parse(options),
    secrets: { webhook: secrets.webhook, telegram: secrets.telegram },
    storeOf,
    run: {
      trader: rig.trader,
      clock: rig.clock,
      run: 'r1',
      mode: 'sim',
      account: undefined,
      venue: 'http://127.0.0.1:7',
      versions: { godwit: '0.0.0', node: '26.0.0', configuration: '00' },
      strategies: [],
      orders: undefined as never,
      shown: () => [],
      budgets: () => undefined as never,
      journal: () => ({ waiting: 0, synced: undefined }),
      explain: () => Promise.reject(new Error('not asked here')),
      act: (act, who, why) => {
        acts.push({ act, who, why });
        rig.trader.act(act, who, why);
      },
      strategyActs: {
        params: () => ({}),
        code: () => ({ path: '', schema: {} }),
        start: () => Promise.resolve(),
        stop: () => {},
        setParams: () => Promise.resolve(),
        promote: () => Promise.resolve(),
      },
      reload: () => Promise.reject(new Error('not asked here')),
      stop: () => {},
    },
    view: operating.view,
    clock,
    log,
  });
  return open;
}

const textsOf = (received: readonly Received[]): readonly string[] =>
  received.flatMap(({ body }) => (body['texts'] as readonly string[] | undefined) ?? [String(body['text'])]);

test('other places get what comes from then on, and those of before what waited for them', async () => {
  const { address, received } = await listen();
  const { rig } = await notify({ name: 'old', webhook: {} }, { webhook: `${address}/old` });
  await until('the start', () => received.length > 0);
  rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
  notifications?.renew({
    options: notifyOptions.parse({ name: 'new', webhook: {} }),
    secrets: { webhook: `${address}/new`, telegram: undefined },
  });
  rig.trader.act({ act: 'clear' }, 'ann', '');
  await until('both', () => textsOf(received).length >= 3);
  const places = received.map(({ path, body }) => [path, body['name'], (body['texts'] as string[])[0]]);
  expect(places).toHaveLength(3);
  expect(places).toEqual(
    expect.arrayContaining([
      ['/old', 'old', 'started, sim, run r1, at http://127.0.0.1:7'],
      ['/old', 'old', expect.stringContaining('a strange market')],
      ['/new', 'new', expect.stringContaining('trading goes on')],
    ]),
  );
});

describe('a webhook', () => {
  test('gets what an operator should know, several texts in one message', async () => {
    const { address, received } = await listen();
    const { rig } = await notify({ name: 'bot', webhook: {} }, { webhook: `${address}/hook?key=secret` });
    await until('the start', () => received.length > 0);
    rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
    rig.trader.act({ act: 'clear' }, 'ann', '');
    await until('both', () => textsOf(received).length >= 3);
    expect(received[0]).toMatchObject({ path: '/hook?key=secret', body: { name: 'bot' } });
    expect(textsOf(received)).toEqual([
      'started, sim, run r1, at http://127.0.0.1:7',
      'trading halts until an operator clears it: a strange market, by ann',
      'trading goes on: cleared by ann',
    ]);
    expect(received).toHaveLength(2);
    await notifications?.close('the night');
    expect(textsOf(received).at(-1)).toMatch(
      /^stopped: the night\. no profit; positions none; 0 open orders/,
    );
    notifications = undefined;
  });

  test('gets fills only where they are named, and an outage once it has lasted ten seconds', async () => {
    const { address, received } = await listen();
    const { rig } = await notify({ webhook: { kinds: ['fill', 'outage'] } }, { webhook: address });
    rig.wait(2_000);
    rig.trade(100);
    const id = rig.all('orderPending').at(-1)?.command.request.clientOrderId ?? '';
    rig.report(id, 'filled', 3);
    rig.subject.next({ kind: 'sessionDown', session: 'market', why: 'closed', ...rig.times });
    rig.wait(9_000);
    rig.subject.next({ kind: 'sessionUp', session: 'market', ...rig.times });
    rig.subject.next({ kind: 'sessionDown', session: 'market', why: 'closed again', ...rig.times });
    rig.wait(11_000);
    rig.subject.next({ kind: 'sessionUp', session: 'market', ...rig.times });
    const status = (to: 'expired' | 'working'): void =>
      rig.subject.next({ kind: 'instrumentChanged', instrument: 0 as never, status: to, ...rig.times });
    status('expired');
    rig.wait(11_000);
    status('working');
    await until('five', () => textsOf(received).length >= 5);
    expect(textsOf(received)).toEqual([
      'AAABBB buy 3 at 99',
      'the market session is down: closed again; until the session is up',
      'the market session is up again',
      'AAABBB is expired at the venue; until the list of symbols says that it works',
      'AAABBB is up again',
    ]);
  });

  test('that fails is tried again, and no log says its address', async () => {
    let failures = 1;
    const lines: string[] = [];
    const log = { ...silentLogger, warn: (fields: object) => void lines.push(JSON.stringify(fields)) };
    const { address, received } = await listen(() => (failures-- > 0 ? 500 : 200));
    await notify({ webhook: {} }, { webhook: `${address}/hook?key=secret` }, log);
    await until('the second attempt', () => received.length >= 2);
    expect(textsOf(received)).toEqual([textsOf(received)[0], textsOf(received)[0]]);
    expect(lines.join()).toContain('the webhook answered 500');
    expect(lines.join()).not.toContain('secret');
  });

  test.each(['webhook', 'telegram'] as const)(
    'that is away while trading is halted hears of it after a restart (%s)',
    async (kind) => {
      const kept = new Map<string, readonly KeptNews[]>();
      const storeOf = (place: string): NewsStore => ({
        earlier: () => kept.get(place) ?? [],
        keep: (news) => void kept.set(place, news),
      });
      let isAway = true;
      const { address, received } = await listen(() => (isAway ? 503 : 200));
      const options = kind === 'webhook' ? { webhook: {} } : { telegram: { chats: [7], address } };
      const secrets = { webhook: address, telegram: token };
      const { rig } = await notify(options, secrets, silentLogger, storeOf);
      rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
      rig.trader.act({ act: 'clear' }, 'ann', '');
      await notifications?.close('killed');
      notifications = undefined;
      received.length = 0;
      isAway = false;
      await notify(options, secrets, silentLogger, storeOf);
      await until('what was kept', () => received.length >= 2);
      const texts = textsOf(received).join('\n');
      expect(texts).toMatch(
        /trading goes on: cleared by ann[^]*trading halts until an operator clears it: a strange market, by ann/,
      );
      expect(texts).not.toContain('stopped: killed');
      expect([...kept.values()].flat()).toEqual([]);
    },
  );

  test('that names a time is not asked before it', async () => {
    let refusals = 1;
    const times: number[] = [];
    const { address } = await listen(
      () => {
        times.push(performance.now());
        return refusals-- > 0 ? 429 : 200;
      },
      [],
      3,
    );
    await notify({ webhook: {} }, { webhook: address });
    await until('the second attempt', () => times.length >= 2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2_900);
  });

  test('that does not answer holds nothing up', async () => {
    const { rig } = await notify({ webhook: {} }, { webhook: 'http://127.0.0.1:1/hook' });
    const before = process.threadCpuUsage();
    for (let i = 0; i < 500; i++) rig.trader.act({ act: 'reduce' }, 'ann', String(i));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});

describe('telegram', () => {
  test('is not asked before the time that it names, and gets the news then', async () => {
    let refusals = 1;
    const times: number[] = [];
    const { address, received } = await listen(
      () => {
        times.push(performance.now());
        return refusals-- > 0 ? 429 : 200;
      },
      [],
      3,
    );
    const { rig } = await notify({ telegram: { chats: [7], address } }, { telegram: token });
    rig.trader.act({ act: 'halt' }, 'ann', 'a strange market');
    await until('the second attempt', () => times.length >= 2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(2_900);
    expect(textsOf(received).at(-1)).toMatch(
      /^godwit: trading halts until an operator clears it: a strange market, by ann\nstarted/,
    );
  });

  test('an update that cannot be read, and an answer that does not arrive, hold up no command after them', async () => {
    const date = Math.floor(Date.now() / 1_000) + 60;
    const message = (text: string) => ({ date, text, chat: { id: 7 }, from: { username: 'ann' } });
    const offsets: unknown[] = [];
    const lines: string[] = [];
    const log = { ...silentLogger, warn: (fields: object) => void lines.push(JSON.stringify(fields)) };
    const { address } = await listen(
      ({ path, body }) => {
        if (!path.endsWith('/getUpdates')) return 500;
        offsets.push(body['offset']);
        return 200;
      },
      [
        'nonsense',
        null,
        { message: message('/halt of no number') },
        { update_id: 11, message: { ...message('/halt'), date: 'today' } },
        { update_id: 12, message: { date, text: '/halt', chat: { id: '7' } } },
        { update_id: 13, message: message('/pause lunch') },
        { update_id: 14, message: { date, chat: { id: 7 }, sticker: {} } },
        { update_id: 15, edited_message: message('/halt') },
        { update_id: 16, message: { ...message('/halt now'), from: { username: 3 } } },
      ],
    );
    const { acts } = await notify(
      { telegram: { chats: [7], commands: true, address } },
      { telegram: token },
      log,
    );
    await until('the halt', () => acts.length >= 2 && offsets.length >= 2);
    expect(acts).toEqual([
      { act: { act: 'pause', strategy: undefined }, who: 'telegram ann', why: 'lunch' },
      { act: { act: 'halt' }, who: 'telegram chat 7', why: 'now' },
    ]);
    expect(offsets.slice(0, 2)).toEqual([0, 17]);
    expect(lines.join('\n')).not.toContain(token);
  });

  test('sends to every chat, and carries out commands of those chats alone', async () => {
    const date = Math.floor(Date.now() / 1_000) + 60;
    const from = { username: 'ann' };
    const message = (chat: number, text: string) => ({ date, text, chat: { id: chat }, from });
    const { address, received } = await listen(undefined, [
      { update_id: 1, message: message(13, '/halt evil') },
      { update_id: 2, message: message(7, '/pause lunch') },
      { update_id: 3, message: message(7, '/status') },
      { update_id: 4, message: message(7, '/clear') },
    ]);
    const { acts, rig } = await notify(
      { telegram: { chats: [7, 8], commands: true, address } },
      { telegram: token },
    );
    await until('three answers', () => received.filter(({ body }) => body['chat_id'] === 7).length >= 4);
    const paths = new Set(received.map(({ path }) => path));
    expect(paths).toEqual(new Set([`/bot${token}/setMyCommands`, `/bot${token}/sendMessage`]));
    expect(acts).toEqual([{ act: { act: 'pause', strategy: undefined }, who: 'telegram ann', why: 'lunch' }]);
    expect(rig.trader.view.paused('buyer')).toBe('lunch, by telegram ann');
    const texts = textsOf(received.filter(({ body }) => body['chat_id'] === 7)).join('\n');
    expect(texts).toContain('sim, trading active');
    expect(texts).toContain('buyer paused');
    expect(texts).toContain(
      '/status, /profit, /positions, /orders, /alerts, /pause, /resume, /flatten, /halt',
    );
    expect(received.some(({ body }) => body['chat_id'] === 13)).toBe(false);
    expect(received.some(({ body }) => body['chat_id'] === 8)).toBe(true);
  });

  test('has buttons, which are those of this run and of its chats, and asks before it closes positions', async () => {
    const from = { username: 'ann' };
    const tap = (number: number, data: string, chat = 7) => ({
      update_id: number,
      callback_query: { id: String(number), data, from, message: { chat: { id: chat } } },
    });
    const updates: unknown[] = [
      tap(1, 'pause@r1'),
      tap(2, 'halt@r0'),
      tap(3, 'halt@r1', 13),
      tap(4, 'flatten@r1'),
    ];
    const { address, received } = await listen(undefined, updates);
    const { acts } = await notify({ telegram: { chats: [7], commands: true, address } }, { telegram: token });
    interface Keyboard {
      readonly inline_keyboard: readonly (readonly { text: string; callback_data: string }[])[];
    }
    const buttonsOf = (text: string) => {
      const asked = received.find(({ body }) => String(body['text']).includes(text));
      return (asked?.body['reply_markup'] as Keyboard | undefined)?.inline_keyboard.flat() ?? [];
    };
    await until('the question', () => buttonsOf('Flatten all strategies?').length > 0);
    expect(acts.map(({ act }) => act.act)).toEqual(['pause']);
    expect(textsOf(received)).toContain('nothing was done: this button is of an earlier run');
    expect(
      received.filter(({ path }) => path.endsWith('/answerCallbackQuery')).map(({ body }) => body),
    ).toEqual([{ callback_query_id: '1' }, { callback_query_id: '2' }, { callback_query_id: '4' }]);
    const [yes, no] = buttonsOf('Flatten all strategies?');
    expect([yes?.text, no?.callback_data]).toEqual(['Yes, flatten', 'no@r1']);
    // A code is good once.
    updates.push(tap(5, yes?.callback_data ?? ''), tap(6, yes?.callback_data ?? ''), tap(7, 'no@r1'));
    await until('the answer to no', () => textsOf(received).includes('nothing was done'));
    expect(acts.map(({ act, who, why }) => [act.act, who, why])).toEqual([
      ['pause', 'telegram ann', ''],
      ['flatten', 'telegram ann', ''],
    ]);
    expect(textsOf(received)).toContain('paused; orders are canceled and positions closed');
  });

  test('says why nothing can be closed while trading is halted', async () => {
    const date = Math.floor(Date.now() / 1_000) + 60;
    const message = (text: string) => ({ date, text, chat: { id: 7 } });
    const { address, received } = await listen(undefined, [
      { update_id: 1, message: message('/halt@godwit_bot strange') },
      { update_id: 2, message: message('/flatten') },
    ]);
    await notify({ telegram: { chats: [7], commands: true, address } }, { telegram: token });
    const why = 'nothing was done: trading is halted, so nothing can be closed: clear the halt first';
    await until('the answer', () => textsOf(received).includes(why));
  });
});
