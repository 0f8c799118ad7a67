import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { SeriesFeed } from '../../../src/app/live/series-feed.ts';
import { checkSeriesFiles, openSeriesFeed } from '../../../src/app/live/series-feed.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { SeriesEvent } from '../../../src/core/model/series.ts';

const folder = mkdtempSync(join(tmpdir(), 'series-feed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const loaded = [
  {
    plan: { name: 'one' },
    series: [{ name: 'mood', columns: { value: { kind: 'number', optional: false } } }],
  },
] as const;

/** A live run of one series at 1 700 000 000 s. */
class Followed {
  readonly clock = new VirtualClock((1_700_000_000 * 1e6) as Micros);
  readonly path: string;
  readonly #events: SeriesEvent[] = [];
  #feed: SeriesFeed | undefined;

  constructor(name: string, content: string | Uint8Array) {
    this.path = join(folder, name);
    writeFileSync(this.path, content);
  }

  async start(more: { readonly staleAfter?: string; readonly delay?: string } = {}): Promise<void> {
    this.#feed = await openSeriesFeed({
      config: { series: { mood: { path: this.path, ...more } } },
      loaded,
      clock: this.clock,
      log: silentLogger,
      publish: (event) => this.#events.push(event),
    });
    this.#feed.start();
  }

  /** What was given so far, each in words, once there are so many. */
  async events(count: number): Promise<readonly string[]> {
    while (this.#events.length < count) await this.pass();
    return this.#events.map((event) => {
      const at = (event.receiveTime - 1_700_000_000 * 1e6) / 1e6;
      if (event.kind === 'seriesStale') return `${at}: stale, ${event.why}`;
      return `${at}: ${event.values['value']} of ${event.exchangeTime / 1e6 - 1_700_000_000}`;
    });
  }

  /** Lets a second pass, as soon as the file was looked at. */
  async pass(): Promise<void> {
    while (this.clock.pending === 0) await setImmediate();
    this.clock.advance(seconds(1));
    while (this.clock.pending === 0) await setImmediate();
  }

  close(): void {
    this.#feed?.close();
  }
}

describe('a series of a live run', () => {
  test('begins with its last known row and is followed as its file grows, line by whole line', async () => {
    const one = new Followed('a.csv', '\ntime,value\n1699999000,1\n1699999900,2\n1700000003,3\n');
    await one.start();
    expect(await one.events(2)).toEqual(['0: 2 of -100', '3: 3 of 3']);
    appendFileSync(one.path, '1700000004,4\n170000');
    expect(await one.events(3)).toContain('4: 4 of 4');
    await one.pass();
    appendFileSync(one.path, '0005,5\n');
    const lines = await one.events(4);
    expect(lines[3]).toMatch(/: 5 of 5$/);
    expect(lines).toHaveLength(4);
    one.close();
    expect(one.clock.pending).toBe(0);
  });

  test('is given stale with its age when its file falls silent, and goes on with the next row', async () => {
    const one = new Followed('b.csv', 'time,value\n1699999990,1\n1699999995,2\n');
    await one.start({ staleAfter: '8s' });
    expect(await one.events(2)).toEqual([
      '0: 2 of -5',
      '3: stale, its last row came at 2023-11-14T22:13:15.000Z',
    ]);
    for (let at = 0; at < 3; at++) await one.pass();
    appendFileSync(one.path, '1700000006,3\n');
    const lines = await one.events(3);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/: 3 of 6$/);
    one.close();
  });

  test('is stale while its file cannot be read, which is given once with the row, and goes on once it is mended', async () => {
    const one = new Followed('c.csv', 'time,value\n1699999990,1\n');
    await one.start();
    appendFileSync(one.path, '1700000001,2\n1700000002,much\n');
    const lines = await one.events(3);
    expect(lines.filter((line) => line.includes('stale'))).toEqual([
      `1: stale, ${one.path}:4, column value: expected a number, found "much"`,
    ]);
    for (let at = 0; at < 3; at++) await one.pass();
    writeFileSync(one.path, 'time,value\n1699999990,1\n1700000001,2\n1700000002,3\n');
    const mended = await one.events(4);
    expect(mended).toHaveLength(4);
    expect(mended[3]).toMatch(/: 3 of 2$/);
    one.close();
  });

  test('of a packed file is read anew when that has changed, and given from where it was', async () => {
    const one = new Followed('d.csv.gz', gzipSync('time,value\n1699999990,1\n'));
    await one.start();
    writeFileSync(one.path, gzipSync('time,value\n1699999990,1\n1699999999,2\n'));
    const lines = await one.events(2);
    expect(lines[0]).toBe('0: 1 of -10');
    expect(lines[1]).toMatch(/: 2 of -1$/);
    one.close();
  });

  test('comes no earlier than its delay says', async () => {
    const one = new Followed('e.csv', 'time,value\n1699999990,1\n1699999999,2\n');
    await one.start({ delay: '4s' });
    expect(await one.events(2)).toEqual(['0: 1 of -10', '3: 2 of -1']);
    one.close();
  });

  test('is checked before the start: its file, its columns and that a strategy declares it', async () => {
    const one = new Followed('f.csv', 'time,price\n1699999990,1\n');
    const series = { mood: { path: one.path } };
    await expect(checkSeriesFiles({ series }, loaded)).rejects.toThrow(
      `${one.path}: expected the column "value" that a strategy reads of the series mood, found "price"`,
    );
    await expect(
      checkSeriesFiles({ series: { mood: { path: join(folder, 'none.csv') } } }, loaded),
    ).rejects.toThrow('none.csv');
    await expect(checkSeriesFiles({}, loaded)).rejects.toThrow(
      'strategy one asks for the series mood: expected its file in the configuration (series: { mood: FILE }), found none',
    );
  });
});
