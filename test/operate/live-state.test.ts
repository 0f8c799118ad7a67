import { request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { millis } from '../../src/core/base/clock.ts';
import { pause } from '../../src/core/base/pause.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import { LiveState } from '../../src/operate/live-state.ts';
import { textRows } from '../../src/operate/long-list.ts';
import { liveViews } from '../../src/operate/views/all.ts';
import { positionsView } from '../../src/operate/views/positions.ts';
import { instrument } from '../core/trader/support/rig.ts';
import type { Operated } from './support.ts';
import { operated, tokens } from './support.ts';
import { waitMax } from '../system/support/until.ts';

let open: Operated | undefined;
afterEach(async () => {
  await open?.server.close();
  open = undefined;
});

const clock = new SystemClock();

function listen(run: Operated): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    request(
      `${run.server.url}/api/events`,
      { headers: { authorization: `Bearer ${tokens.read}` } },
      resolve,
    ).end();
  });
}

async function until(text: () => string, what: string): Promise<void> {
  const end = clock.uptime() + waitMax;
  while (!text().includes(what) && clock.uptime() < end) await pause(clock, millis(20));
  expect(text()).toContain(what);
}

/** A reader that takes at once what is written. */
class ReaderInMemory {
  text = '';
  readonly response = {
    writeHead: () => {},
    once: () => {},
    destroy: () => {},
    writableLength: 0,
    write: (text: Buffer | string) => {
      this.text += text.toString();
    },
  } as unknown as ServerResponse;
}

describe('live state', () => {
  test('comes as events, again only when something changed, with fills and alerts at once', async () => {
    open = await operated();
    const stream = await listen(open);
    let text = '';
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    expect(stream.headers['content-type']).toBe('text/event-stream');
    await until(() => text, 'event: state');
    await pause(clock, millis(700));
    expect(text.match(/event: state/g)).toHaveLength(1);
    open.rig.wait(2_000);
    open.rig.trade(100);
    await until(() => text, '"open":1');
    const id = open.rig.all('orderPending').at(-1)?.command.request.clientOrderId ?? '';
    open.rig.report(id, 'filled', 3);
    await until(() => text, 'event: fill');
    open.server.alert('something to know');
    await until(() => text, 'event: alert');
    // Nothing happens, and still a second does not pass without a word.
    const said = text.split(': here').length;
    await until(() => (text.split(': here').length > said + 1 ? 'twice' : ''), 'twice');
    expect(text).toContain('"balances":[{"wallet":"spot","account":null,"currency":"AAA"');
    stream.destroy();
  });

  test('a reader who comes later is sent the state at once, although nothing changes', async () => {
    open = await operated();
    let first = '';
    const one = await listen(open);
    one.setEncoding('utf8').on('data', (part: string) => (first += part));
    await until(() => first, 'event: state');
    let second = '';
    const other = await listen(open);
    other.setEncoding('utf8').on('data', (part: string) => (second += part));
    await until(() => second, 'event: state');
    expect(first.match(/event: state/g)).toHaveLength(1);
    one.destroy();
    other.destroy();
  });

  test('a reader that does not read is dropped', async () => {
    open = await operated();
    const stream = await listen(open);
    stream.pause();
    stream.on('error', () => {});
    for (let i = 0; i < 400 && !stream.destroyed; i++) {
      for (let k = 0; k < 20; k++) open.server.alert('x'.repeat(10_000));
      await pause(clock, millis(5));
    }
    stream.resume();
    await until(() => (stream.destroyed ? 'dropped' : ''), 'dropped');
  });

  test('of many feeds is made in slices of rows', async () => {
    open = await operated();
    const { view } = open.server;
    const count = 2 * textRows + 113;
    const shown = Array.from({ length: count }, () => instrument);
    vi.spyOn(view as { readonly shown: unknown }, 'shown', 'get').mockReturnValue(() => shown);
    const feeds = vi.spyOn(view.gaps, 'get');
    const limits = vi.spyOn(view.trader.view, 'openCountOf');
    const time = new VirtualClock(clock.now());
    const live = new LiveState(view, time);
    const reader = new ReaderInMemory();
    live.add(reader.response);
    const made: number[] = [];
    for (let at = 0; at < 300; at++) {
      time.advance(millis(1));
      made.push(feeds.mock.calls.length + limits.mock.calls.length);
      feeds.mockClear();
      limits.mockClear();
    }
    live.close();
    expect(Math.max(...made)).toBe(textRows);
    expect(made.reduce((sum, more) => sum + more, 0)).toBe(2 * count);
    const [, text = ''] = /^event: state\ndata: (.*)$/m.exec(reader.text) ?? [];
    const state = JSON.parse(text) as Record<'feeds' | 'limits', { readonly name: string }[]>;
    expect(state.feeds).toHaveLength(count);
    expect(state.limits.filter(({ name }) => name === 'orders.openOrdersSymbolMax')).toHaveLength(count);
  });

  test('of many feeds has all figures of money of one moment', async () => {
    open = await operated();
    const { view } = open.server;
    expect(liveViews.flatMap(({ name, isOfMoney }) => (isOfMoney === true ? [name] : [])).toSorted()).toEqual(
      ['balances', 'days', 'margin', 'positions', 'profits'],
    );
    const shown = Array.from({ length: 3 * textRows }, () => instrument);
    vi.spyOn(view as { readonly shown: unknown }, 'shown', 'get').mockReturnValue(() => shown);
    const time = new VirtualClock(clock.now());
    const read: string[] = [];
    const note = (what: string): void => void read.push(`${what} ${time.now()}`);
    const held = vi.spyOn(positionsView, 'rows').mockImplementation(() => {
      note('positions');
      return [];
    });
    for (const name of ['profits', 'drawdowns', 'strategyProfits'] as const) {
      const real = view[name].bind(view) as (...given: unknown[]) => never;
      vi.spyOn(view, name).mockImplementation((...given: unknown[]) => {
        note(name);
        return real(...given);
      });
    }
    const live = new LiveState(view, time);
    live.add(new ReaderInMemory().response);
    for (let at = 0; at < 300; at++) time.advance(millis(1));
    live.close();
    held.mockRestore();
    const moments = new Map(read.map((one) => one.split(' ') as [string, string]));
    expect([...moments.keys()].toSorted()).toEqual(['drawdowns', 'positions', 'profits', 'strategyProfits']);
    expect(new Set(moments.values()).size).toBe(1);
  });

  test('a long text goes to many readers in parts, whole to each', async () => {
    open = await operated();
    const { view } = open.server;
    const time = new VirtualClock(clock.now());
    const live = new LiveState(view, time);
    const readers = Array.from({ length: 30 }, () => new ReaderInMemory());
    for (const { response } of readers) live.add(response);
    view.alert('x'.repeat(100_000));
    const read = (): number => readers.reduce((sum, { text }) => sum + text.length, 0);
    let most = 0;
    for (let at = 0; at < 300; at++) {
      const before = read();
      time.advance(millis(1));
      most = Math.max(most, read() - before);
    }
    live.close();
    expect(readers[0]?.text).toContain('event: alert');
    expect(new Set(readers.map(({ text }) => text)).size).toBe(1);
    expect(most).toBeGreaterThan(900_000);
    expect(most).toBeLessThanOrEqual(1_000_000);
  });
});
